#pragma once

#include <algorithm>
#include <vector>

#include "engine/steps/steps.h"

namespace lab {

// A step whose every row comes from the same row of its one operand: Kind has
// `template <class T> … row(const T* x, int n, T* y) const`. A cell may depend on its whole row.
template <class Kind> class RowByRow : public StepKind<Kind> {
  public:
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        return operands[0];
    }

    // Whole rows, whatever columns are asked for; a part of a row goes through a buffer.
    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        std::vector<T> row(static_cast<std::size_t>(n));
        for_each_row(block, [&](int plane, int i) {
            static_cast<const Kind&>(*this).row(operands[0].row(plane, i), n, row.data());
            std::copy(row.begin() + block.cols.begin, row.begin() + block.cols.end,
                      result.row(plane, i) + block.cols.begin);
        });
    }

    bool reads_same_row(int) const override { return true; }

    Region reach(std::span<const Shape>, const Shape& result, int, const Block& changed) const override {
        return Block{changed.planes, changed.rows, {0, result.cols}};
    }

  protected:
    // The cells of the row, for derivations.
    static std::vector<Expression> row_cells(Operands<float> operands, Cell cell) {
        std::vector<Expression> cells;
        cells.reserve(static_cast<std::size_t>(operands[0].shape.cols) + 1); // a sink follows
        for (int j = 0; j < operands[0].shape.cols; ++j) {
            const Cell at{cell.plane, cell.row, j};
            cells.push_back(Expression::cell({0, at}, operands[0].at(at)));
        }
        return cells;
    }
};

} // namespace lab
