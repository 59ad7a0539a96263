#pragma once

#include "tests/engine/support.h"

namespace lab::test {

// Holds what a step's backward writes down against central finite differences, all in float64: for Σ g · y with random g over the
// step's result y, the gradient of every cell of every operand within 1e-6 · (1 + |v|). Then, in float32, its steps' own facets
// (check_facets) on the operands that they get. For operands away from kinks; those in `without_slope` are to get zeros.
void check_backward(const StepPtr& step, const std::vector<Tensor>& operands,
                    const std::vector<int>& without_slope = {});

} // namespace lab::test
