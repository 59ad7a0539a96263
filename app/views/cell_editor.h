#pragma once

#include "app/views/matrix_cells.h"

namespace lab {

// The field of the cell that is being typed into, if it stands in this matrix.
void draw_cell_editor(const MatrixFrame& frame, ImDrawList& draw_list);

// Starts typing into a cell that the document gives; its number stands there, to be replaced or continued.
void open_cell_editor(ViewContext& context, const TensorCell& cell);

// Whether the document gives this cell; a tensor may have shrunk or gone since it was pinned.
bool is_given(const ViewContext& context, const TensorCell& where);
float given_value(const ViewContext& context, const TensorCell& where);

// Whether a computed number is pinned, which stays so while those that it is made from are changed.
bool keeps_computed(const ViewContext& context);

// Keeps what was typed as an edit and closes the field; false if it is no number, which is then said.
bool commit_cell_editor(ViewContext& context);

// Keys: digits and Enter edit the given cell under the mouse, else the pinned one; Tab and arrows move on from that, Escape restores. Part of `handle_keys`.
void handle_cell_keys(ViewContext& context);

} // namespace lab
