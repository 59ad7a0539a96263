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

bool is_within(const BlockRef& box, const BlockRef& other) {
    return &box != &other && box.tensor == other.tensor && other.block.contains(box.block);
}

} // namespace

// Sorted by place, a line follows one of the last few: rows that a column crosses have it between the first and the second.
std::vector<BlockRef> joined_lines(std::vector<BlockRef> lines) {
    constexpr std::ptrdiff_t kLookedBack = 8;
    const auto place = [](const BlockRef& each) {
        const auto& [planes, rows, cols] = each.block;
        return std::tuple(each.tensor, planes.begin, rows.begin, cols.begin, -planes.end, -rows.end, -cols.end);
    };
    std::sort(lines.begin(), lines.end(), [&](const BlockRef& a, const BlockRef& b) { return place(a) < place(b); });
    std::vector<BlockRef> joined;
    for (const BlockRef& line : lines) {
        const auto last = joined.rbegin();
        const auto end = last + std::min(kLookedBack, static_cast<std::ptrdiff_t>(joined.size()));
        if (std::none_of(last, end, [&](BlockRef& box) { return prolongs(box, line); })) joined.push_back(line);
    }
    std::vector<BlockRef> outermost;
    for (const BlockRef& box : joined) {
        const auto holds_it = [&](const BlockRef& other) { return is_within(box, other); };
        if (std::none_of(joined.begin(), joined.end(), holds_it)) outermost.push_back(box);
    }
    return outermost;
}

} // namespace lab
