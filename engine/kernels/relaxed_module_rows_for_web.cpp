// Rows whose powers are taken by relaxed multiply-add, in the module of engine/kernels/relaxed_module_products_for_web.cpp.
#include "engine/kernels/row_vectors.h"

#include "engine/kernels/relaxed_multiply_add.h"

#include "engine/kernels/row_softmax.h"

namespace lab {

LAB_EXPORT("softmax_rows") void softmax_rows_relaxed(const SoftmaxRows& of, RowSum& of_single) {
    of_single = HWY_NAMESPACE::softmax_rows_with_sum(of);
}

LAB_EXPORT("powers_in_row")
void powers_in_row_relaxed(const float* x, int n, float shift, int row_length, float* y) {
    HWY_NAMESPACE::powers_in_row(x, n, shift, row_length, y);
}

LAB_EXPORT("powers_in_rows")
void powers_in_rows_relaxed(const float* x, const RowSum* sums, int n, int row_length, float* y) {
    HWY_NAMESPACE::powers_in_rows(x, sums, n, row_length, y);
}

} // namespace lab
