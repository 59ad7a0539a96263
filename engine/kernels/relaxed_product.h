#pragma once

#include "engine/kernels/product.h"

namespace lab {

// The products of engine/kernels/product.h by code of their own (engine/kernels/relaxed_product_module_for_web.cpp), in WebAssembly's relaxed
// multiply-add: one rounding for each product and sum.
struct RelaxedProducts {
    void (*multiply_packed)(const PackedProduct& of);
    void (*multiply_unpacked)(const PlainProduct<float>& of);
};

// What the calling thread may multiply with. Null natively, in browsers that do not know relaxed instructions and on processors
// that would round twice; the same answer in every thread of a program. The first to ask decides; let it be the program's own
// thread, which browsers allow least.
const RelaxedProducts* relaxed_products();

// For tests and comparisons: whether they are used where they are there, as they are until somebody says otherwise. Not while
// another thread multiplies.
void use_relaxed_products(bool are_used);

} // namespace lab
