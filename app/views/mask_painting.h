#pragma once

#include "app/views/matrix_cells.h"
#include "app/views/view.h"

namespace lab {

// Painting the document's mask by hand: while it is on, a press on a number between a query and a key forbids that key, or allows
// it again where it was forbidden, and the stroke does the same to what it passes. What another mask forbids is passed over: a stroke
// that begins there forbids. One stroke is one step of undo.

// Whether scores or weights stand in the section that is shown.
bool can_paint_mask(const ViewContext& context);

void toggle_mask_painting(ViewContext& context);

// Whether the strip above the canvas offers it: while it is on, or where the document's own mask is used.
bool has_mask_painting(const ViewContext& context);

// Ends the stroke once the button is let go, wherever that happens: a document without a mask gets one with its first stroke,
// in one step of undo. Undo takes back a stroke that has not ended. Once a frame.
void settle_mask_stroke(ViewContext& context);

// Goes on with a stroke or begins one on this cell of the matrix; false where there is nothing to paint.
bool paint_mask(ViewContext& context, const MatrixGeometry& matrix, Cell cell);

} // namespace lab
