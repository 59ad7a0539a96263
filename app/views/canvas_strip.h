#pragma once

#include "app/views/view.h"

namespace lab {

// The line above the canvas: which section and which head it shows. Only what there is a choice of takes room,
// in more lines where the canvas is narrow.
float canvas_strip_height(const ViewContext& context, float width);
void draw_canvas_strip(ViewContext& context, const Rect& area);

// A list of the sections, with one back and one on beside it.
void draw_section_choice(ViewContext& context, const Rect& area);

} // namespace lab
