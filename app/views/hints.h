#pragma once

#include <string>
#include <vector>

#include "app/views/view.h"

namespace lab {

// One or two sentences for a new user on a small card where nothing of the canvas stands when all is fitted (it stays there
// while one pans and zooms, and goes with the beginning of what is scrolled through), one after the other. Where there is no
// such place it waits; one that has nothing to speak of is passed over, and gone with the next.
// Each goes away by its cross or by doing what it says; what is gone is remembered by the preference "hints", which the
// application reads into UiState::n_hints_dismissed when it starts. Call at the end of the canvas.
void draw_hints(ViewContext& context, const Rect& canvas_area, const std::vector<Rect>& taken);

// The sentence whose turn it is, "Drag any number in inputs or W_query. …", which speaks of what the document has; or empty.
std::string hint_sentence(const ViewContext& context);

// On a narrow screen the first of them alone: that the numbers of a matrix are changed by dragging them sideways. Whether it is to be said
// yet, once a frame; and it where there is room.
bool is_sideways_hint_due(ViewContext& context);
void draw_sideways_hint(ViewContext& context, const Rect& area, const std::vector<Rect>& taken,
                        const std::string& matrix);

// On a narrow screen, where the sheet tells of a given number: that a second tap edits it. Empty once somebody did, which is
// remembered as the last of the hints.
std::string second_tap_sentence(ViewContext& context);

} // namespace lab
