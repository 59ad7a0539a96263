#pragma once

#include <string>

#include "app/views/canvas_layout.h"
#include "app/views/view.h"

namespace lab {

// Moving the canvas so that a certain cell is seen.

// Where a tensor stands, or the one in whose place it is shown; null if it stands nowhere.
const PlacedNode* placed_tensor(const ViewContext& context, const std::string& name);

// Zooms in until the numbers around the explained cell can be read, which stands under the mouse then if it is hovered, else in the
// middle. Says so where they can be read already, or nothing is explained.
void zoom_to_numbers(ViewContext& context);

// Where the canvas was zoomed or moved by hand: as soon as keys or a list pin another cell, as little further as shows it. A fit shows
// it anyway (look_at_layout), and of what is clicked on the canvas one sees enough.
void follow_pinned(ViewContext& context);

// The pinned cell was asked for: its number is to be read.
void go_to_pinned(ViewContext& context);

} // namespace lab
