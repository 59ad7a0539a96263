#pragma once

#include "app/views/view.h"

namespace lab {

// Chooses the head; what is pinned in another head's part moves along to the same place of its own.
void choose_head(ViewContext& context, int head);

// The next or the one before, round and round.
void choose_head_by(ViewContext& context, int by);

// Shows another section on the canvas; what is pinned stays.
void choose_section(ViewContext& context, int section);
void turn_page(ViewContext& context, int by); // through a section that is longer than the canvas, then to the next
void choose_section_by(ViewContext& context, int by);

// Whether there are heads to choose from in what is shown.
bool has_head_choice(const ViewContext& context);

// Opens or closes the grid of all heads; takes the chosen head into the matrix that combines several, or out of it.
void toggle_head_grid(ViewContext& context);
void toggle_combined_head(ViewContext& context, int head);

} // namespace lab
