#include "engine/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lab {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

} // namespace

void Reducer::add(const float* cells, int n) {
    for (int j = 0; j < n; ++j) {
        if (std::isnan(cells[j])) has_nan_ = true;
        if (std::isnan(cells[j]) || cells[j] == kMasked) continue;
        greatest_ = n_ == 0 ? cells[j] : std::max(greatest_, cells[j]);
        sum_ += static_cast<double>(cells[j]);
        ++n_;
    }
}

float Reducer::result() const {
    if (has_nan_) return std::numeric_limits<float>::quiet_NaN();
    if (n_ == 0) return kMasked;
    return reduction_ == Reduction::maximum ? greatest_ : static_cast<float>(sum_ / static_cast<double>(n_));
}

} // namespace lab
