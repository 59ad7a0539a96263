#include "engine/reduction.h"

#include <limits>

namespace lab {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

} // namespace

// Without branches, so that it runs along the cells.
void Reducer::add(const float* cells, int n) {
    if (reduction_ == Reduction::maximum) {
        for (int j = 0; j < n; ++j) {
            has_nan_ |= cells[j] != cells[j];
            greatest_ = cells[j] > greatest_ ? cells[j] : greatest_;
        }
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
    if (reduction_ == Reduction::maximum) return greatest_;
    return n_ == 0 ? kMasked : static_cast<float>(sum_ / static_cast<double>(n_));
}

void add_row(const float* cells, Range texels, int level, int n_cells, std::vector<Reducer>& reducers) {
    for (int i = 0; i < texels.size(); ++i) {
        const int n = cells_of_texels(Range::at(texels.begin + i), level, n_cells).size();
        reducers[static_cast<std::size_t>(i)].add(cells, n);
        cells += n;
    }
}

void reduce_row(const float* cells, int n_cells, int level, Reduction reduction, float* result) {
    const Range texels{0, n_texels(n_cells, level)};
    std::vector<Reducer> reducers(static_cast<std::size_t>(texels.size()), Reducer(reduction));
    add_row(cells, texels, level, n_cells, reducers);
    for (const Reducer& reducer : reducers) *result++ = reducer.result();
}

} // namespace lab
