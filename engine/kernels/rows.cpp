#include "engine/kernels/rows.h"

#include <algorithm>

#include "engine/kernels/relaxed_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/rows.cpp"
#include "hwy/foreach_target.h"

#include "engine/kernels/row_vectors.h"

#include "engine/kernels/multiply_add.h"

#include "engine/kernels/row_softmax.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

float exponentials_of_row(const float* x, int n, float shift, float* y) {
    return raise_row<Arguments::any>(x, n, {Base::e, 1, shift}, y);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lab {

HWY_EXPORT(row_maximum);
HWY_EXPORT(exponentials_of_row);
HWY_EXPORT(powers_in_row);
HWY_EXPORT(powers_in_rows);
HWY_EXPORT(softmax_rows_with_sum);
HWY_EXPORT(scale_row);

float row_maximum(const float* x, int n) { return HWY_DYNAMIC_DISPATCH(row_maximum)(x, n); }
float exponentials_of_row(const float* x, int n, float shift, float* y) {
    return HWY_DYNAMIC_DISPATCH(exponentials_of_row)(x, n, shift, y);
}

namespace {

RowSum softmax_rows_with_sum(const SoftmaxRows& of) {
    if (of.n < kLongRow) return HWY_DYNAMIC_DISPATCH(softmax_rows_with_sum)(of);
    const RelaxedKernels* relaxed = relaxed_kernels();
    if (!relaxed) return HWY_DYNAMIC_DISPATCH(softmax_rows_with_sum)(of);
    RowSum of_single;
    relaxed->softmax_rows(of, of_single);
    return of_single;
}

} // namespace

void softmax_rows(const SoftmaxRows& of) { softmax_rows_with_sum(of); }
RowSum softmax_row(const float* x, int n, const float* sink, float* y) {
    return softmax_rows_with_sum({x, n, 1, n, 1, sink, y, n});
}
void weights_in_row(const float* x, int n, const RowSum& row, int row_length, float* y) {
    if (row.sum == 0) return void(std::fill(y, y + n, 0.0f));
    const RelaxedKernels* relaxed = row_length < kLongRow ? nullptr : relaxed_kernels();
    relaxed ? relaxed->powers_in_row(x, n, row.shift, row_length, y)
            : HWY_DYNAMIC_DISPATCH(powers_in_row)(x, n, row.shift, row_length, y);
    scale_row(y, n, 1 / row.sum, y);
}
void powers_in_rows(const float* x, const RowSum* sums, int n, int row_length, float* y) {
    const RelaxedKernels* relaxed = row_length < kLongRow ? nullptr : relaxed_kernels();
    relaxed ? relaxed->powers_in_rows(x, sums, n, row_length, y)
            : HWY_DYNAMIC_DISPATCH(powers_in_rows)(x, sums, n, row_length, y);
}
void scale_row(const float* x, int n, float factor, float* y) { HWY_DYNAMIC_DISPATCH(scale_row)(x, n, factor, y); }

} // namespace lab
#endif
