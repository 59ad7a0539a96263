#pragma once

#include "engine/steps/steps.h"

namespace lab {

// A step whose every cell comes from the same cell of its one operand: Kind has `template <class T> T value(T) const`.
template <class Kind> class CellByCell : public StepKind<Kind> {
  public:
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        return operands[0];
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int row) {
            const T* x = operands[0].row(plane, row);
            T* y = result.row(plane, row);
            for (int col = block.cols.begin; col < block.cols.end; ++col) {
                y[col] = static_cast<const Kind&>(*this).value(x[col]);
            }
        });
    }

    bool reads_same_row(int) const override { return true; }
    bool reads_same_cell(int) const override { return true; }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override { return changed; }

  protected:
    static Expression operand_cell(Operands<float> operands, Cell cell) {
        return Expression::cell({0, cell}, operands[0].at(cell));
    }
};

} // namespace lab
