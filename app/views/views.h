#pragma once

#include "app/views/view.h"

// The panels, one file each. `area` is where the panel stands, in points of the window.
namespace lab {

void draw_top_bar(ViewContext& context, const Rect& area);
void draw_left_panel(ViewContext& context, const Rect& area); // steps, settings, tokens
void draw_canvas(ViewContext& context, const Rect& area);
void draw_inspector(ViewContext& context, const Rect& area); // why this number
void draw_status_bar(ViewContext& context, const Rect& area);
void draw_dialogs(ViewContext& context);                 // help, fill a matrix, a sentence, a path
void draw_phone(ViewContext& context, const Rect& area); // the whole narrow screen

} // namespace lab
