#pragma once

#include "app/views/explanation_widgets.h"
#include "app/views/view.h"

// The sections of the panel at the left. Each draws itself from column.y down and leaves column.y below itself.
namespace lab {

void draw_steps(Column& column, float height); // as tall as that, if it can be
void draw_settings(Column& column);
void draw_tokens(Column& column);
constexpr float kFirstTokens = 96; // as tall as its label and two lines of tokens
void draw_widths(Column& column);  // d_in, d_k, d_v, …

// The settings that not everyone needs: one line until it is opened, then one for each group of them.
void draw_more_settings(Column& column);
constexpr float kMoreSettingsLine = 21; // as tall as it is while it is folded

} // namespace lab
