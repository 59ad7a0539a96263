#include "engine/reduction.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/kernels/rows.h"

namespace lab {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

// As greater_of_pairs (engine/kernels/rows.h), for Reduction::magnitude. y may be x.
void farther_of_pairs(const float* x, int n, float* y) {
    for (int k = 0; 2 * k + 1 < n; ++k) y[k] = is_farther(x[2 * k], x[2 * k + 1]) ? x[2 * k] : x[2 * k + 1];
    if (n % 2 != 0) y[n / 2] = x[n - 1];
}

// Cells whose texels are worked out together: a call for each would cost more than they do.
constexpr int kTogether = 2048;

// Of so many cells at most, none a NaN, the one that stands for each texel, of a level whose texels have no more: pair by pair.
template <class OfPairs>
void write_extremes_of_pairs(const float* cells, int n, int level, OfPairs of_pairs, float* result) {
    std::array<float, kTogether / 2> halved;
    for (int of_level = 0; of_level < level; ++of_level) {
        of_pairs(cells, n, halved.data());
        cells = halved.data();
        n = (n + 1) / 2;
    }
    std::copy(cells, cells + n, result);
}

float extreme_of(Reduction reduction, const float* cells, int n) {
    if (reduction == Reduction::maximum) return row_maximum(cells, n);
    Reducer reducer(reduction);
    reducer.add(cells, n);
    return reducer.result();
}

// Of each texel of one row of cells, none a NaN, the one that stands for it.
void write_extremes(Reduction reduction, const float* cells, int n_cells, int level, float* result) {
    const int n_together = std::max(kTogether, 1 << level);
    for (int first = 0; first < n_cells; first += n_together) {
        const int n = std::min(n_together, n_cells - first);
        float* const to = result + (first >> level);
        if (n_together > kTogether) {
            *to = extreme_of(reduction, cells + first, n);
        } else if (reduction == Reduction::maximum) {
            write_extremes_of_pairs(cells + first, n, level, greater_of_pairs, to);
        } else {
            write_extremes_of_pairs(cells + first, n, level, farther_of_pairs, to);
        }
    }
}

} // namespace

// Without branches, so that it runs along the cells.
void Reducer::add(const float* cells, int n) {
    if (reduction_ != Reduction::mean) {
        for (int j = 0; j < n; ++j) has_nan_ |= cells[j] != cells[j];
    }
    if (reduction_ == Reduction::maximum) {
        for (int j = 0; j < n; ++j) extreme_ = cells[j] > extreme_ ? cells[j] : extreme_;
        return;
    }
    if (reduction_ == Reduction::magnitude) {
        for (int j = 0; j < n; ++j) extreme_ = is_farther(cells[j], extreme_) ? cells[j] : extreme_;
        return;
    }
    for (int j = 0; j < n; ++j) {
        const bool is_masked = cells[j] == kMasked;
        sum_ += is_masked ? 0.0 : static_cast<double>(cells[j]);
        n_ += is_masked ? 0 : 1;
    }
}

float Reducer::result() const {
    if (has_nan_) return std::numeric_limits<float>::quiet_NaN();
    if (reduction_ != Reduction::mean) return extreme_;
    return n_ == 0 ? kMasked : static_cast<float>(sum_ / static_cast<double>(n_));
}

TexelRow::TexelRow(Range texels, int level, int n_cells, Reduction reduction)
    : texels_(texels), level_(level), n_cells_(n_cells), reduction_(reduction) {
    if (reduction != Reduction::mean)
        extremes_.resize(static_cast<std::size_t>(cells_of_texels(texels, level, n_cells).size()));
    else
        reducers_.resize(static_cast<std::size_t>(texels.size()), Reducer(reduction));
    begin();
}

void TexelRow::begin() {
    std::fill(extremes_.begin(), extremes_.end(), kMasked);
    std::fill(reducers_.begin(), reducers_.end(), Reducer(reduction_));
}

int TexelRow::n_cells_of(std::size_t texel) const {
    return cells_of_texels(Range::at(texels_.begin + static_cast<int>(texel)), level_, n_cells_).size();
}

void TexelRow::add(const float* cells) {
    const int n_extremes = static_cast<int>(extremes_.size()); // what is not a number stays
    if (reduction_ == Reduction::maximum)
        keep_greater(cells, n_extremes, extremes_.data());
    else
        keep_farther(cells, n_extremes, extremes_.data());
    for (std::size_t i = 0; i < reducers_.size(); ++i) {
        const int n = n_cells_of(i);
        reducers_[i].add(cells, n);
        cells += n;
    }
}

void TexelRow::write(float* result) const {
    for (const Reducer& reducer : reducers_) *result++ = reducer.result();
    const int n = static_cast<int>(extremes_.size());
    if (n > 0 && !row_span(extremes_.data(), n).has_nan)
        return write_extremes(reduction_, extremes_.data(), n, level_, result);
    const float* cells = extremes_.data();
    for (std::size_t i = 0; cells != extremes_.data() + extremes_.size(); ++i) {
        const int n_of_texel = n_cells_of(i);
        Reducer reducer(reduction_);
        reducer.add(cells, n_of_texel);
        *result++ = reducer.result();
        cells += n_of_texel;
    }
}

void TexelRow::finish(float* result) {
    write(result);
    begin();
}

void reduce_row(const float* cells, int n_cells, int level, Reduction reduction, float* result) {
    TexelRow row({0, n_texels(n_cells, level)}, level, n_cells, reduction);
    row.add(cells);
    row.finish(result);
}

void reduce_row_to_maxima(const float* cells, int n_cells, int level, bool has_nan, float* result) {
    if (has_nan) return reduce_row(cells, n_cells, level, Reduction::maximum, result);
    write_extremes(Reduction::maximum, cells, n_cells, level, result);
}

} // namespace lab
