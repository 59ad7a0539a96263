#pragma once

#include <imgui.h>

#include "app/views/view.h"

namespace lab {

// Lays out the section that is shown in UiState::canvas. Made anew when sizes, names, what is unfolded or the window's size
// change: an edit of a number changes none of them. Returns the node that is to be seen now, or −1.
int refresh_layout(ViewContext& context, ImVec2 size);

} // namespace lab
