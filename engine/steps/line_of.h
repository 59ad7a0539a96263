#pragma once

#include "engine/step.h"

namespace lab {

// So many cells down a column, or along a row.
inline Block line_from(Cell first, bool is_down, int n) {
    Block line = Block::at(first);
    Range& along = is_down ? line.rows : line.cols;
    along.end = along.begin + n;
    return line;
}

// Cells along a row, a column or the planes of an operand, as terms of a derivation read them.
inline Series::Run line_of(Operands<float> operands, int operand, const Block& cells) {
    const ConstView<float>& view = operands[at_index(operand)];
    Series::Run run{{operand, cells}, {}};
    run.values.resize(cells.size());
    float* to = run.values.data();
    for_each_row(cells, [&](int plane, int i) {
        const float* row = view.row(plane, i);
        for (int j = cells.cols.begin; j < cells.cols.end; ++j) *to++ = row[j];
    });
    return run;
}

// The row of an operand that a cell is in.
inline Series::Run line_of_row(Operands<float> operands, int operand, Cell cell) {
    const int n = operands[at_index(operand)].shape.cols;
    return line_of(operands, operand, {Range::at(cell.plane), Range::at(cell.row), {0, n}});
}

// The sum of terms of one form over such cells: one letter, or two.
inline Expression sum_over(Series::Form form, Series::Run a, std::optional<Series::Run> b = {},
                           std::string label = {}) {
    Series series{form, {}};
    series.runs.push_back(std::move(a));
    if (b) series.runs.push_back(std::move(*b));
    return Expression::sum_of(std::move(series), std::move(label));
}

} // namespace lab
