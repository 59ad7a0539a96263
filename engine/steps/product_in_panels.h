#pragma once

#include <memory>

#include "engine/steps/steps.h"

namespace lab {

// Large products by the fast kernel: for these planes and columns of the result, with the second factors laid out in panels
// (engine/kernels/product.h).
std::unique_ptr<Runner> product_in_panels(const ProductForm& form, Operands<float> operands, Range planes, Range cols);

// A few rows of one whose second factor is transposed, to the same bits: panel by panel, each laid out in the memory of the one before,
// so that it stays in the first cache.
void product_panel_by_panel(const ProductForm& form, Operands<float> operands, const Block& block,
                            OutputView<float> result);

} // namespace lab
