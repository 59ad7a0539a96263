#pragma once

#include "engine/steps/one_shape.h"

namespace lab {

// What the gradients of normalisers share: two operands of one shape, every row by itself.
template <class Kind> class RowSlope : public SlopeKind<Kind> {
  public:
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        return one_shape(operands, names);
    }

    bool reads_same_row(int) const override { return true; }

    Region reach(std::span<const Shape>, const Shape& result, int, const Block& changed) const override {
        return Block{changed.planes, changed.rows, {0, result.cols}};
    }

  protected:
    static Expression operand_cell(Operands<float> operands, int operand, Cell at) {
        return Expression::cell({operand, at}, operands[static_cast<std::size_t>(operand)].at(at));
    }
};

} // namespace lab
