#pragma once

#include <string>

#include "app/session/selection.h"
#include "app/views/view.h"

namespace lab {

// What gradients are taken of, and whether matrices show them: their numbers stand in the place of the tensors' own.

// The target that is this one cell: "attention_weights[0,1]", with the head first where there are several.
std::string cell_target(const Program& program, const TensorCell& cell);

// Takes the gradient of the target and shows it; of "": takes none any more.
void choose_gradient(ViewContext& context, const std::string& target);

// Whether something is computed whose gradient can be asked for.
bool can_take_gradient(const ViewContext& context);

// Shows gradients, or the tensors' own numbers again. Without a target: that of the pinned cell where it is computed; else, nothing being
// pinned or a given number, which hangs on no other, that of the sum of what is computed last.
void toggle_gradient(ViewContext& context);

// After gradients came, or were shown or hidden: what is pinned goes along to the same place of what is shown there now. From what is
// there for gradients only, and goes with them: from what a distance is measured to the tensor that it is measured from, else to what it
// was made from, if that can be told.
void pin_what_is_shown(ViewContext& context);

// Whether slopes stand in the place of numbers in this section: a gradient need not reach it.
bool shows_slopes(const ViewContext& context);

// A line of the strip above the canvas, only where a gradient is taken: numbers or gradient, and of what.
constexpr float kGradientTarget = 292; // as wide as the list of targets is where there is room
bool has_gradient_choice(const ViewContext& context);
float gradient_choice_width(const ViewContext& context);
void draw_gradient_choice(ViewContext& context, const Rect& area);

} // namespace lab
