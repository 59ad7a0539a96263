#pragma once

#include <imgui.h>

#include "app/views/view.h"

namespace lab {

// A number that the document gives follows the hand. By its first movement it is chosen, unless a computed one is kept, which is what one
// wants to see the change of; without one the press is a click, which chooses it.

// Where it is given and finite. Sideways: it is changed by moving so, and never clicked.
void begin_cell_drag(ViewContext& context, const TensorCell& here, ImVec2 mouse, bool is_sideways = false);

// Goes on with the drag of a number, if there is one, until the button is let go; Escape and undo restore the number. Once a
// frame, before the matrices.
void handle_cell_drag(ViewContext& context, ImVec2 mouse);

// What is held is let go of once the mouse goes on or its wheel turns, all is laid out anew or, after a drag, the mouse is pressed again.
// Before it is asked for.
void let_held_pass(ViewContext& context, ImVec2 mouse);
HeldCell held_here(const ViewContext& context, const TensorCell& cell, ImVec2 mouse);

// The number that is dragged or, until the mouse goes on, was; null where there is none, or it has not moved yet.
const TensorCell* dragged_cell(const UiState& ui);

} // namespace lab
