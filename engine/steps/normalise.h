#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/kernels/elementary.h"
#include "engine/steps/row_by_row.h"

namespace lab {

template <class T> bool all_masked(const T* x, int n) { return std::all_of(x, x + n, is_masked<T>); }
inline int n_unmasked(const float* x, int n) { return n - static_cast<int>(std::count_if(x, x + n, is_masked<float>)); }

// What is notable of a row of scores and the weights that division by the sum made of it. `can_saturate`: a weight of 1 is
// worth a remark, for it could have been another.
inline std::optional<Notice> notice_of_weights(const float* x, const std::vector<float>& weights, float sum,
                                               bool can_saturate) {
    if (all_masked(x, static_cast<int>(weights.size()))) return Notice::all_keys_masked;
    const bool all_finite = std::all_of(weights.begin(), weights.end(), [](float w) { return std::isfinite(w); });
    if (!all_finite || !std::isfinite(sum)) return Notice::overflow;
    if (sum == 0) return Notice::zero_sum;
    const bool is_saturated = can_saturate && *std::max_element(weights.begin(), weights.end()) >= 0.99995f;
    return is_saturated ? std::optional(Notice::saturated) : std::nullopt;
}

// A step that makes every row of its one operand into a row of weights: Kind's `row` returns the sum that it divided by
// (0 where it divided by none), and `kSaturates` says whether a weight of 1 means that the row's gradient vanishes.
template <class Kind> class Normalise : public RowByRow<Kind> {
  public:
    std::optional<Notice> notice(Operands<float> operands, int plane, int i) const override {
        const int n = operands[0].shape.cols;
        const float* x = operands[0].row(plane, i);
        std::vector<float> weights(static_cast<std::size_t>(n));
        const float sum = static_cast<const Kind&>(*this).row(x, n, weights.data());
        return notice_of_weights(x, weights, sum, Kind::kSaturates && n_unmasked(x, n) > 1);
    }
};

} // namespace lab
