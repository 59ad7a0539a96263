#pragma once

#include "engine/kernels/product.h"
#include "engine/kernels/rows.h"

namespace lab {

// What of engine/kernels/product.h and rows.h multiplies and adds in one rounding, by code of its own in WebAssembly's relaxed
// instructions (engine/kernels/relaxed_module_products_for_web.cpp, relaxed_module_rows_for_web.cpp).
struct RelaxedKernels {
    void (*multiply_packed)(const PackedProduct& of);
    void (*multiply_unpacked)(const PlainProduct<float>& of);
    void (*softmax_rows)(const SoftmaxRows& of, RowSum& of_single);
    void (*powers_in_row)(const float* x, int n, float shift, int row_length, float* y);
    void (*powers_in_rows)(const float* x, const RowSum* sums, int n, int row_length, float* y);
};

// What the calling thread may use. Null natively, in browsers that do not know relaxed instructions and on processors
// that would round twice; the same answer in every thread of a program. The first to ask decides; let it be the program's own
// thread, which browsers allow least.
const RelaxedKernels* relaxed_kernels();

// For tests and comparisons: whether they are used where they are there, as they are until somebody says otherwise. Not while
// another thread computes.
void use_relaxed_kernels(bool are_used);

} // namespace lab
