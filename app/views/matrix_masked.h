#pragma once

#include "app/views/matrix_cells.h"

namespace lab {

// Whether a number that was read stands for a key that the query may not attend to: −∞ among scores and in masks; as
// read by MatrixFrame also among weights, where it is no weight, be it one of 0.
bool is_masked_key(const MatrixGeometry& matrix, float value);

// A place that is empty and cannot be filled: hatched, or where it is too small for that of one tone. Scores and masks have
// their −∞ there, where numbers are shown.
void draw_masked_cell(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& cell);

// The hatching alone.
void draw_hatching(const Palette& palette, ImDrawList& draw_list, const Rect& cell);

// Whether strokes are read as hatching in a cell of this size, without the gap, in points of the window: in small cells, each with
// strokes of its own, they are checks.
bool has_room_for_hatching(ImVec2 cell);

// Whether masked cells this far apart are too small for it, so that a legend says which tone they have.
bool shows_masked_alike(ImVec2 pitch);
bool has_masked_alike(const Program& program, int node, ImVec2 pitch); // and there may be some

// How far apart its strokes are, from one to the next along an edge.
float hatch_step(const Rect& cell);

// Over rows of weights whose keys are all masked: that there are none.
void draw_rows_without_keys(const MatrixFrame& frame, ImDrawList& draw_list);

} // namespace lab
