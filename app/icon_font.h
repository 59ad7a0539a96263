#pragma once

#include <imgui.h>

namespace lab {

// A font whose characters are the icons, each as high and as wide as the size that is asked for: drawn once, then as a letter is.
ImFont* add_icon_font(ImFontAtlas& atlas);

} // namespace lab
