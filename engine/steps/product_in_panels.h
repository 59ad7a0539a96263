#pragma once

#include <memory>

#include "engine/steps/steps.h"

namespace lab {

// Large products by the fast kernel: for these planes and columns of the result, with the second factors laid out in panels
// (engine/kernels/product.h).
std::unique_ptr<Runner> product_in_panels(const ProductForm& form, Operands<float> operands, Range planes, Range cols);

} // namespace lab
