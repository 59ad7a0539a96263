#pragma once

#include "engine/steps/steps.h"

namespace lab {

// The shape that two operands must have in common.
inline Result<Shape> one_shape(std::span<const Shape> operands, std::span<const std::string> names) {
    if (operands[0] == operands[1]) return operands[0];
    return Error{names[1] + " is " + operands[1].to_text() + " but " + names[0] + " is " + operands[0].to_text()};
}

} // namespace lab
