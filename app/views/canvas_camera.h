#pragma once

#include "app/views/view.h"

namespace lab {

// How the canvas is looked at: fitted or moved by hand; a section that is longer than the view is scrolled through.

// What stands there is another picture now: it is looked at from its beginning.
void look_anew(ViewContext& context);

// Another document lies open: what it explains at first is scrolled to, the step that is shown is not.
void reveal_explained(ViewContext& context);

// Once a frame, when the layout is known: sets how far one can zoom, fits, and scrolls to what is explained or computed
// once that is another than before; first of all to what was just unfolded, if it is a node.
void look_at_layout(ViewContext& context, const Rect& area, int unfolded);

// At the end of a frame: remembers what look_at_layout is to leave where it is, whatever makes room beside it: while a mask is
// painted the matrix under the mouse (at its height alone where all is fitted), else the one in the middle of a canvas that was zoomed or
// moved by hand, which in a window of another size comes to its middle, too.
void keep_canvas_place(ViewContext& context);

// What lies under the point of the window stays there, be it a cell of a matrix that is drawn wider than it stands.
void zoom_canvas_about(ViewContext& context, ImVec2 point, float factor);

// The wheel zooms about the mouse; with Shift, or sideways, it pans. Through a long section it scrolls, and zooms with
// Ctrl.
void handle_wheel(ViewContext& context);

// Dragging anything that is not an editable cell pans; a long section it scrolls.
void handle_panning(ViewContext& context);

// How far one has scrolled through a long section.
void draw_scroll_controls(ViewContext& context, const Rect& area);

// Whether a person has panned or zoomed, so that there is something to go back to.
bool shows_part_of_canvas(const ViewContext& context);

// Back to all of it.
void fit_button(ViewContext& context, ImVec2 center, float reach);

} // namespace lab
