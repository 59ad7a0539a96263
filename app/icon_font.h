#pragma once

#include <imgui.h>

namespace lab {

// A font whose characters are the icons, drawn once at each size and phase, then as letters are. Their squares begin at the pen,
// downwards.
ImFont* add_icon_font(ImFontAtlas& atlas);

} // namespace lab
