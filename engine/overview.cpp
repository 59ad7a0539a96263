#include "engine/overview.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/rows.h"

namespace lab {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr float kGreatest = std::numeric_limits<float>::max();

int lowest_level(const Shape& shape) {
    int level = 0;
    const auto n_maxima = [&] {
        return static_cast<std::uint64_t>(shape.planes) * static_cast<std::uint64_t>(shape.rows) *
               static_cast<std::uint64_t>(n_texels(shape.cols, level));
    };
    while (n_maxima() > kMostMaxima && n_texels(shape.cols, level) > 1) ++level;
    return level;
}

// Counted rather than looked for, so that the compiler runs along the row.
int n_not_numbers(const float* x, int n) {
    int count = 0;
    for (int j = 0; j < n; ++j) count += x[j] != x[j] ? 1 : 0;
    return count;
}
int n_masked(const float* x, int n) {
    int count = 0;
    for (int j = 0; j < n; ++j) count += x[j] == kMasked ? 1 : 0;
    return count;
}
float least_unmasked(const float* x, int n) {
    float least = kGreatest;
    for (int j = 0; j < n; ++j) least = x[j] > kMasked && x[j] < least ? x[j] : least;
    return least;
}

} // namespace

Overview::Overview(const Shape& shape) : shape_(shape), level_(lowest_level(shape)) {
    n_cols_ = static_cast<std::size_t>(n_blocks());
    const auto n_rows = static_cast<std::size_t>(shape.planes) * static_cast<std::size_t>(shape.rows);
    rows_.resize(n_rows);
    maxima_.resize(n_rows * n_cols_);
}

void Overview::record(int plane, int row, const float* cells) {
    const int n = shape_.cols;
    const std::size_t index = index_of(plane, row);
    float* maxima = maxima_.data() + index * n_cols_;
    const bool has_nan = n_not_numbers(cells, n) > 0;
    if (level_ == 0 && !has_nan) {
        std::copy(cells, cells + n, maxima);
    } else {
        for (int b = 0; b < n_blocks(); ++b) {
            const Range cols = cells_of_block(b);
            Reducer reducer(Reduction::maximum);
            if (has_nan) reducer.add(cells + cols.begin, cols.size());
            maxima[b] = has_nan ? reducer.result() : row_maximum(cells + cols.begin, cols.size());
        }
    }
    Row& known = rows_[index];
    known = {{least_unmasked(cells, n), row_maximum(maxima, n_blocks())}, true, true, n_masked(cells, n) > 0};
    const bool is_plain = known.extent.least <= known.extent.greatest && known.extent.greatest <= kGreatest && !has_nan;
    if (is_plain) return;
    bool any = false;
    for (int j = 0; j < n; ++j) {
        if (!std::isfinite(cells[j])) continue;
        known.extent = any ? Extent{std::min(known.extent.least, cells[j]), std::max(known.extent.greatest, cells[j])}
                           : Extent{cells[j], cells[j]};
        any = true;
    }
    known.has_finite = any;
}

bool Overview::replace(Cell cell, float before, float after) {
    Row& known = rows_[index_of(cell.plane, cell.row)];
    float& maximum = maxima_[index_of(cell.plane, cell.row) * n_cols_ + static_cast<std::size_t>(cell.col >> level_)];
    const bool are_plain = std::isfinite(before) && std::isfinite(after) && std::isfinite(maximum) && known.has_finite;
    const bool is_maximum = before == maximum && after < before;
    const bool is_least = before == known.extent.least && after > before;
    const bool is_greatest = before == known.extent.greatest && after < before;
    const bool is_alone = level_ == 0 && !is_greatest;
    if (!are_plain || (is_maximum && !is_alone) || is_least || is_greatest) return false;
    maximum = is_alone ? after : std::max(maximum, after);
    known.extent = {std::min(known.extent.least, after), std::max(known.extent.greatest, after)};
    return true;
}

Extent Overview::extent() const {
    Extent all;
    bool any = false;
    for (const Row& row : rows_) {
        if (!row.is_known || !row.has_finite) continue;
        all = any ? Extent{std::min(all.least, row.extent.least), std::max(all.greatest, row.extent.greatest)}
                  : row.extent;
        any = true;
    }
    return all;
}

std::size_t Overview::n_bytes() const { return maxima_.size() * sizeof(float) + rows_.size() * sizeof(Row); }

} // namespace lab
