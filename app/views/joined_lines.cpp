#include "app/views/joined_lines.h"

#include <algorithm>
#include <tuple>

namespace lab {

namespace {

// Makes a box longer along one axis by another that begins within or right behind it; false if they do not lie so.
bool prolongs(BlockRef& box, const BlockRef& next) {
    const auto prolong = [](Range& range, Range by) {
        if (by.begin < range.begin || by.begin > range.end) return false;
        range.end = std::max(range.end, by.end);
        return true;
    };
    if (box.tensor != next.tensor) return false;
    Block& a = box.block;
    const Block& b = next.block;
    if (a.planes == b.planes && a.rows == b.rows) return prolong(a.cols, b.cols);
    if (a.planes == b.planes && a.cols == b.cols) return prolong(a.rows, b.rows);
    if (a.rows == b.rows && a.cols == b.cols) return prolong(a.planes, b.planes);
    return a.contains(b);
}

// Sorted by place, a line prolongs one of the last few: of rows that a column crosses it stands between the first and the second.
std::vector<BlockRef> joined_once(const std::vector<BlockRef>& lines) {
    constexpr std::size_t kLookedBack = 8;
    std::vector<BlockRef> joined;
    for (const BlockRef& line : lines) {
        bool is_joined = false;
        for (std::size_t back = 1; !is_joined && back <= std::min(kLookedBack, joined.size()); ++back)
            is_joined = prolongs(joined[joined.size() - back], line);
        if (!is_joined) joined.push_back(line);
    }
    return joined;
}

} // namespace

// What begins earlier is prolonged, so that the order stays.
std::vector<BlockRef> joined_lines(std::vector<BlockRef> lines) {
    const auto place = [](const BlockRef& each) {
        const auto& [planes, rows, cols] = each.block;
        return std::tuple(each.tensor, planes.begin, rows.begin, cols.begin, -planes.end, -rows.end, -cols.end);
    };
    std::sort(lines.begin(), lines.end(), [&](const BlockRef& a, const BlockRef& b) { return place(a) < place(b); });
    for (std::size_t n_before = lines.size() + 1; lines.size() < n_before;) {
        n_before = lines.size();
        lines = joined_once(lines);
    }
    std::vector<std::size_t> wide; // those that may hold others
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].block.size() > 1) wide.push_back(i);
    }
    std::vector<BlockRef> outermost;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto holds_it = [&](std::size_t k) {
            const bool is_other = lines[k].block != lines[i].block || k < i;
            return is_other && lines[k].tensor == lines[i].tensor && lines[k].block.contains(lines[i].block);
        };
        if (std::none_of(wide.begin(), wide.end(), holds_it)) outermost.push_back(lines[i]);
    }
    return outermost;
}

} // namespace lab
