#pragma once

#include "app/views/view.h"

namespace lab {

// One dialog each; see UiState for what opens it.
void draw_help(ViewContext& context);
void draw_fill_dialog(ViewContext& context);
void draw_sentence_dialog(ViewContext& context);
void draw_path_dialog(ViewContext& context);

} // namespace lab
