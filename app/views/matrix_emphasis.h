#pragma once

#include <optional>

#include "app/views/matrix_cells.h"

namespace lab {

// What is chosen among a matrix's cells, in the accent. It stands around cells, never over them: a cell's colour is always
// the one that the legend has for its number.

// A box around cells, no smaller than a mark can be seen: of the last rows or columns it then begins before them.
void outline_cells(const MatrixFrame& frame, ImDrawList& draw_list, Range rows, Range cols, float width, float offset,
                   std::optional<Color> color = {}); // the accent

// Where heads stand side by side: a box around the part of the chosen one.
void draw_head_frame(const MatrixFrame& frame, ImDrawList& draw_list);

// Brackets at both ends of the chosen query's row; of a row too low for them, arrows that point at it.
void draw_query_row(const MatrixFrame& frame, ImDrawList& draw_list);

} // namespace lab
