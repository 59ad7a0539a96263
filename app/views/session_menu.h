#pragma once

#include "app/views/view.h"

namespace lab {

// The open session's title, which opens the list of "New", "Rename" and all presets; while it is being renamed, a
// text field in its place.
void draw_session_menu(ViewContext& context, const Rect& area);

// Whether the open session still has its worked example's numbers, in as many words as there is room for.
void draw_badge(ViewContext& context, ImVec2 baseline, float room);

// The icons of the bar at the top, each once, so that every place that shows one means the same.
enum class BarIcon { undo, redo, open, save, theme, help };
void draw_bar_icon(ViewContext& context, BarIcon which, ImVec2 center);

} // namespace lab
