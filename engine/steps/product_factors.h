#pragma once

#include <algorithm>
#include <vector>

#include "engine/steps/steps.h"

// Which numbers a product of some ProductForm reads.
namespace lab {

// One matrix of a factor, and how many there are.
struct FactorExtents {
    int planes, rows, cols;
};
inline FactorExtents factor_extents(const Shape& shape, int n_beside) {
    if (n_beside == 1)
        return {shape.planes, shape.rows, shape.cols}; // a division takes as long as a small product's row
    return {n_beside, shape.rows, shape.cols / n_beside};
}

// Which matrix of each factor a plane of the result reads.
struct FactorPlanes {
    int n_first, n_second, n;
    int first(int plane) const { return shared_plane(plane, n_first, n); }
    int second(int plane) const { return shared_plane(plane, n_second, n); }
};
inline FactorPlanes factor_planes(const ProductForm& form, const Shape& first, const Shape& second) {
    const int n_first = factor_extents(first, form.n_first).planes;
    const int n_second = factor_extents(second, form.n_second).planes;
    return {n_first, n_second, std::max(n_first, n_second)};
}

// Columns of a matrix as rows, which are kept in `rows`.
template <class T> const T* columns_as_rows(const ConstMatrix<T>& matrix, Range cols, std::vector<T>& rows) {
    rows.resize(static_cast<std::size_t>(cols.size()) * static_cast<std::size_t>(matrix.rows));
    for (int k = 0; k < matrix.rows; ++k) {
        const T* from = matrix.row(k) + cols.begin;
        for (int i = 0; i < cols.size(); ++i)
            rows[static_cast<std::size_t>(i) * matrix.rows + static_cast<std::size_t>(k)] = from[i];
    }
    return rows.data();
}

// Adds to these rows and columns of a plane of the result their part of the bias, the third operand.
template <class T>
void add_bias(const ProductForm& form, Operands<T> operands, int plane, const Block& block, OutputView<T> result) {
    const FactorPlanes planes = factor_planes(form, operands[0].shape, operands[1].shape);
    const FactorExtents b = factor_extents(operands[1].shape, form.n_second);
    const T* bias = operands[2].row(0, 0) + planes.second(plane) * (form.second_transposed ? b.rows : b.cols);
    for (int i = block.rows.begin; i < block.rows.end; ++i) {
        T* c = result.row(plane, i);
        for (int j = block.cols.begin; j < block.cols.end; ++j) c[j] += bias[j];
    }
}

} // namespace lab
