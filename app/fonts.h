#pragma once

#include "app/platform.h"

struct ImFont;

namespace lab {

// The faces of the interface. Any size: Dear ImGui draws each glyph when it is first needed at a size.
struct Fonts {
    ImFont* text = nullptr; // Inter
    ImFont* text_semibold = nullptr;
    ImFont* text_bold = nullptr;
    ImFont* text_italic = nullptr;
    ImFont* numbers = nullptr; // JetBrains Mono, whose figures all have one width
    ImFont* numbers_bold = nullptr;
    ImFont* icons = nullptr; // icon_font.h
};

// Adds the embedded fonts to the current context's atlas; characters that they lack come from the machine's own fonts.
// `text` becomes the default font.
Fonts load_fonts(Platform& platform);

} // namespace lab
