#pragma once

#include "app/views/matrix_cells.h"

namespace lab {

// Whether a number that was read stands for a key that the query may not attend to: it is no weight, be it one of 0.
bool is_masked_weight(const MatrixGeometry& matrix, float value);

// A place that is empty and cannot be filled: hatched.
void draw_masked_cell(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& cell);

// Over rows of weights whose keys are all masked: that there are none.
void draw_rows_without_keys(const MatrixFrame& frame, ImDrawList& draw_list);

} // namespace lab
