#pragma once

#include "engine/steps/one_shape.h"

namespace lab {

// A step whose every cell comes from the same cells of its two operands, which are of one shape: Kind has
// `template <class T> T value(T, T) const`. Base is StepKind<Kind> or SlopeKind<Kind>.
template <class Kind, class Base> class PairByPair : public Base {
  public:
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        return one_shape(operands, names);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int row) {
            const T* a = operands[0].row(plane, row);
            const T* b = operands[1].row(plane, row);
            T* y = result.row(plane, row);
            for (int col = block.cols.begin; col < block.cols.end; ++col) {
                y[col] = static_cast<const Kind&>(*this).value(a[col], b[col]);
            }
        });
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override { return changed; }

  protected:
    static Expression operand_cell(Operands<float> operands, int operand, Cell cell) {
        return Expression::cell({operand, cell}, operands[static_cast<std::size_t>(operand)].at(cell));
    }
};

} // namespace lab
