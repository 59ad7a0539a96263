#pragma once

#include <optional>

#include "app/views/explanation_widgets.h"
#include "app/views/view.h"

// The sections of the panel at the left. Each draws itself from column.y down and leaves column.y below itself.
namespace lab {

void draw_steps(Column& column, float height); // as tall as that, if it can be
void draw_settings(Column& column);
void draw_tokens(Column& column);
void draw_widths(Column& column); // d_in, d_k, d_v

// How many numbers the document's own tensors have along this axis; none where no such tensor has it.
std::optional<int> width_along(const Program& program, Axis axis);

} // namespace lab
