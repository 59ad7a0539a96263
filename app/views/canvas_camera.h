#pragma once

#include "app/views/view.h"

namespace lab {

// How the canvas is looked at: fitted or moved by hand; a section that is longer than the view is scrolled through.

// What stands there is another picture now: it is looked at from its beginning.
void look_anew(ViewContext& context);

// What is explained and computed now is not scrolled to: nobody has chosen it.
void take_as_revealed(ViewContext& context);

// Once a frame, when the layout is known: sets how far one can zoom, fits, and scrolls to what is explained or computed
// once that is another than before; first of all to what was just unfolded, if it is a node.
void look_at_layout(ViewContext& context, const Rect& area, int unfolded);

// At the end of a frame: remembers the matrix under the mouse while a mask is painted, for look_at_layout to leave it there.
void keep_painted_place(ViewContext& context);

// What lies under the point of the window stays there, be it a cell of a matrix that is drawn wider than it stands.
void zoom_canvas_about(ViewContext& context, ImVec2 point, float factor);

// Zooms in until the numbers around the explained cell can be read, which stands under the mouse then if it is hovered, else in the
// middle. Says so where they can be read already, or nothing is explained.
void zoom_to_numbers(ViewContext& context);

// The wheel zooms about the mouse; with Shift, or sideways, it pans. Through a long section it scrolls, and zooms with
// Ctrl.
void handle_wheel(ViewContext& context);

// Dragging anything that is not an editable cell pans; a long section it scrolls.
void handle_panning(ViewContext& context);

// In the lower right corner: back to all of it.
void draw_fit_button(ViewContext& context, const Rect& area);

// Where one looks at a part, in the lower right corner: back to all of it; or how far one has scrolled.
void draw_camera_controls(ViewContext& context, const Rect& area);

} // namespace lab
