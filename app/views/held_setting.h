#pragma once

#include "app/views/explanation_widgets.h"

// The setting that was clicked last keeps its place in the left panel while the pointer stays there: what the click adds or
// takes away above it is scrolled by, and what it adds below it goes beyond the panel's end. So the next click hits it again.
namespace lab {

// What the panel has to begin with, and how far down the settings are moved to stay where they are.
void begin_held_setting(ViewContext& context, const Rect& panel);
float held_gap(const ViewContext& context);
bool is_setting_held(const ViewContext& context);

// The setting that is being drawn, from `top` on, keeps its place from now on.
void hold_setting(ViewContext& context, float top);

// Of the setting that has been drawn from `top` on; its id is the present one of Dear ImGui.
void keep_place_of_setting(Column& column, float top);

// With the height of all that the panel holds; returns how tall it is to be, so that it can be scrolled by.
float end_held_setting(ViewContext& context, float height);

} // namespace lab
