#pragma once

#include "app/platform.h"

struct ImFontAtlas;
struct ImFontConfig;
struct ImFontBaked;
struct ImFontGlyph;

namespace lab {

// What Dear ImGui hands a loader of glyphs.
struct BakedFont {
    ImFontAtlas* atlas;
    ImFontConfig* source;
    ImFontBaked* baked;
};

// Puts a picture that is not empty into the atlas and says in `glyph` where it stands. False where the atlas has no room.
bool pack_glyph(const BakedFont& font, const GlyphBitmap& picture, ImFontGlyph& glyph);

} // namespace lab
