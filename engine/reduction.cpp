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

} // namespace lab
