#include "engine/overview.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/rows.h"

namespace lab {

namespace {

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
    const RowSpan span = row_span(cells, n);
    if (level_ == 0) {
        std::copy(cells, cells + n, maxima);
    } else {
        for (int b = 0; b < n_blocks(); ++b) {
            const Range cols = cells_of_block(b);
            Reducer reducer(Reduction::maximum);
            if (span.has_nan) reducer.add(cells + cols.begin, cols.size());
            maxima[b] = span.has_nan ? reducer.result() : row_maximum(cells + cols.begin, cols.size());
        }
    }
    Row& known = rows_[index];
    known = {{span.least, span.greatest}, true, true, span.has_masked, span.has_nan};
    const bool is_plain = !span.has_nan && span.least <= span.greatest && span.greatest <= kGreatest;
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

bool Overview::replace(Cell cell, float before, const float* block) {
    Row& known = rows_[index_of(cell.plane, cell.row)];
    const Range cols = cells_of_block(cell.col >> level_);
    const float after = block[cell.col - cols.begin];
    const bool are_plain = std::isfinite(before) && std::isfinite(after) && known.has_finite && !known.has_nan;
    const bool was_least = before == known.extent.least && after > before;
    const bool was_greatest = before == known.extent.greatest && after < before;
    if (!are_plain || was_least || was_greatest) return false;
    float greatest = block[0];
    for (int j = 1; j < cols.size(); ++j) greatest = std::max(greatest, block[j]);
    maxima_[index_of(cell.plane, cell.row) * n_cols_ + static_cast<std::size_t>(cell.col >> level_)] = greatest;
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
