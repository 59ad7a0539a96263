#pragma once

#include "app/theme.h"

namespace lab {

enum class Icon {
    undo,
    redo,
    open,
    save,
    moon,
    sun,
    help,
    menu,
    plus,
    minus,
    close,
    check,
    pencil,
    fit,
    search,
    chevron_left,
    chevron_right,
    chevron_up,
    chevron_down,
};

// Strokes 1.5 points wide with round ends on a square of 18 points around `center`, at another `size` in proportion.
void draw_icon(ImDrawList& draw_list, Icon icon, ImVec2 center, Color color, float size = 18);

// The small filled triangle of a control that opens a list.
void draw_caret(ImDrawList& draw_list, ImVec2 center, Color color);

} // namespace lab
