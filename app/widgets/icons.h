#pragma once

#include "app/theme.h"
#include "app/widgets/icon_strokes.h"

namespace lab {

// Around `center`, at the nearest half pixels; strokes are 1.5 points wide at the size of 18. Sizes are whole points.
void draw_icon(const Theme& theme, ImDrawList& draw_list, Icon icon, ImVec2 center, Color color,
               float size = kIconGrid);

// The small filled triangle of a control that opens a list.
void draw_caret(ImDrawList& draw_list, ImVec2 center, Color color);

} // namespace lab
