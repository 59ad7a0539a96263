#pragma once

#include "app/views/canvas_layout.h"

namespace lab {

// How what stands in lines is drawn.
struct ShelfSizing {
    float cells = 1;         // of what is read number by number: the share of the design's
    bool is_compact = false; // as in Sizing
};

// In lines from left to right, and line below line, as one reads a text: no wider than the view, but as long as it
// needs to be. What stands on one branch stands below one another.
CanvasLayout placed_on_shelves(const LayoutRequest& request, const ShelfSizing& sizing);

} // namespace lab
