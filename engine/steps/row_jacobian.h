#pragma once

#include "engine/steps/steps.h"

namespace lab {

// What the Jacobians of normalisers share: plane h · n_k + j holds how weight j of every row of head h grows with each score
// of that row. Kind has `template <class T> … slopes(const T* row, int n, int j, T* y) const`, which fills all of a row.
template <class Kind> class RowJacobian : public SlopeKind<Kind> {
  public:
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        const Shape& rows = operands[0];
        return Shape::stack(rows.planes * rows.cols, rows.rows, rows.cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        std::vector<T> slopes(static_cast<std::size_t>(n));
        for_each_row(block, [&](int plane, int i) {
            static_cast<const Kind&>(*this).slopes(operands[0].row(plane / n, i), n, plane % n, slopes.data());
            T* y = result.row(plane, i);
            for (int k = block.cols.begin; k < block.cols.end; ++k) y[k] = slopes[static_cast<std::size_t>(k)];
        });
    }

    // A slope may depend on its whole row.
    Region reach(std::span<const Shape> operands, const Shape& result, int, const Block& changed) const override {
        const int n = operands[0].cols;
        return Block{{changed.planes.begin * n, changed.planes.end * n}, changed.rows, {0, result.cols}};
    }

  protected:
    // The place of a cell: head and key.
    static int head_of(Operands<float> operands, Cell cell) { return cell.plane / operands[0].shape.cols; }
    static int key_of(Operands<float> operands, Cell cell) { return cell.plane % operands[0].shape.cols; }

    // A number of the row that the cell is made of.
    static Expression number_of_row(Operands<float> operands, Cell cell, int key) {
        const Cell at{head_of(operands, cell), cell.row, key};
        return Expression::cell({0, at}, operands[0].at(at));
    }
    static Expression is_own_key(Operands<float> operands, Cell cell) {
        return Expression::number(key_of(operands, cell) == cell.col ? 1 : 0);
    }
};

} // namespace lab
