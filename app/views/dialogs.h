#pragma once

#include <string_view>

#include "app/views/view.h"

namespace lab {

// One dialog each; see UiState for what opens it.
void draw_help(ViewContext& context);
void draw_fill_dialog(ViewContext& context);
void draw_sentence_dialog(ViewContext& context);
void draw_path_dialog(ViewContext& context);
void draw_go_to_dialog(ViewContext& context);

// Opens it, for a number of the tensor whose number is pinned, else of one that stands on the canvas.
void ask_where_to(ViewContext& context);

// Writes the name of a control of a dialog; below it is where the control stands.
Rect labelled(const Theme& theme, ImVec2 corner, float width, std::string_view label);

} // namespace lab
