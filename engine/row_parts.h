#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/step.h"

namespace lab {

// Rows of tensors that are not stored, part by part.

inline constexpr std::size_t kMostBuffered = 1 << 18; // numbers of rows that are read together

// So many rows, one such part after another.
template <class Function> void for_each_rows(Range rows, int n_each, Function f) {
    for (int row = rows.begin; row < rows.end; row += n_each) f(Range{row, std::min(row + n_each, rows.end)});
}

// As many rows as are read together.
template <class Function> void for_each_part(Range rows, int n_cols, Function f) {
    const std::size_t n_each = kMostBuffered / static_cast<std::size_t>(std::max(n_cols, 1));
    for_each_rows(rows, std::max(1, static_cast<int>(n_each)), f);
}

// A view of rows of one plane, as if the whole tensor were there.
inline ConstView<float> rows_as_whole(const float* cells, const Shape& shape, int plane, int first_row) {
    return {cells - flat_row(shape, plane, first_row) * static_cast<std::size_t>(shape.cols), shape};
}

// Without the rows at either end that are to be left out.
template <class IsLeftOut> Range without_ends(Range rows, IsLeftOut is_left_out) {
    while (rows.begin < rows.end && is_left_out(rows.begin)) ++rows.begin;
    while (rows.begin < rows.end && is_left_out(rows.end - 1)) --rows.end;
    return rows;
}

} // namespace lab
