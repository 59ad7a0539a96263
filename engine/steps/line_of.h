#pragma once

#include "engine/step.h"

namespace lab {

// Cells along a row, a column or the planes of an operand, as terms of a derivation read them.
inline Series::Run line_of(Operands<float> operands, int operand, const Block& cells) {
    const ConstView<float>& view = operands[static_cast<std::size_t>(operand)];
    Series::Run run{{operand, cells}, {}};
    run.values.reserve(cells.size());
    for_each_row(cells, [&](int plane, int i) {
        const float* row = view.row(plane, i);
        run.values.insert(run.values.end(), row + cells.cols.begin, row + cells.cols.end);
    });
    return run;
}

// A row of it.
inline Series::Run line_of_row(Operands<float> operands, int operand, Cell cell) {
    const int n = operands[static_cast<std::size_t>(operand)].shape.cols;
    return line_of(operands, operand, {Range::at(cell.plane), Range::at(cell.row), {0, n}});
}

// Their sum.
inline Expression sum_of_cells(Series::Run cells, std::string label = {}) {
    Series series{Series::Form::cells, {}, cells.values.size()};
    series.runs.push_back(std::move(cells));
    return Expression::sum_of(std::move(series), std::move(label));
}

} // namespace lab
