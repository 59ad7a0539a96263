#pragma once

#include "app/views/view.h"

namespace lab {

// Moves the keyboard on to the next part of the window (by = +1) or the one before (−1): canvas, left panel, inspector,
// bar at the top. Does nothing where they are not drawn, on a narrow screen.
void go_by_panels(ViewContext& context, int by);

// Gives the keyboard back to the canvas; false if it is there already.
bool return_to_canvas(ViewContext& context);

// Once a frame, before the views: a click takes the keyboard back to the canvas, and while it is there Dear ImGui leaves
// Tab and arrows to the cells.
void settle_keyboard(ViewContext& context);

} // namespace lab
