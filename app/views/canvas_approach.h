#pragma once

#include "app/views/view.h"

namespace lab {

// Moving the canvas so that a certain cell is seen.

// Zooms in until the numbers around the explained cell can be read, which stands under the mouse then if it is hovered, else in the
// middle. Says so where they can be read already, or nothing is explained.
void zoom_to_numbers(ViewContext& context);

// Into view: a canvas that was zoomed or moved by hand moves as little as shows the pinned cell, and zooms out where the cell is
// larger than the canvas; a fit shows it anyway (look_at_layout). To the number: zooms in besides, fitted or not, where it is too
// small to be read. What is folded stands as a line, and that is shown.
void approach_pinned(ViewContext& context, Approach approach);

} // namespace lab
