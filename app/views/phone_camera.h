#pragma once

#include <string>
#include <vector>

#include "app/views/matrix_view.h"

namespace lab {

// How the matrices of a narrow screen's tab are looked at. The world is the tab as it is laid out for the screen's width, from its
// upper left corner on; at zoom 1 one scrolls down through it, zoomed in sideways too.

// Once a frame, inside the window that shows the tab in `area`: a finger pulls what is below it along, the wheel scrolls or, with
// Ctrl, zooms. size: of all that is laid out, beyond which nothing is looked at.
Camera& look_at_tab(ViewContext& context, const std::string& tab, const Rect& area, ImVec2 size);

// Scrolls to the chosen query's row of the first matrix that has one, where that is out of sight and another query was chosen since
// the tab was last seen. placed: where they are laid out.
void reveal_query(ViewContext& context, const std::string& tab, const std::vector<MatrixView>& placed, ImVec2 size);

// The matrices as they are seen. Sets how far one can zoom in: until the numbers of what is in sight can be read.
std::vector<MatrixView> seen_through(const ViewContext& context, Camera& camera, std::vector<MatrixView> placed);

// Zooms in about a point until the numbers of cells that are seen so large can be read.
void zoom_to_numbers(Camera& camera, ImVec2 point, ImVec2 pitch);

// Two fingers whose middle was at this point and moved by so much: what lies there moves along and is zoomed about. False where no
// tab is shown.
bool pinch_tab(UiState& ui, ImVec2 point, ImVec2 by, float scale);

// To the whole width again.
void fit_tabs(UiState& ui);

} // namespace lab
