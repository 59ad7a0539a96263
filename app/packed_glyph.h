#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include "app/platform.h"

namespace lab {

// What Dear ImGui hands a loader of glyphs.
struct BakedFont {
    ImFontAtlas* atlas;
    ImFontConfig* source;
    ImFontBaked* baked;
};

// Puts a picture that is not empty into the atlas and says in `glyph` where it stands. False where the atlas has no room.
bool pack_glyph(const BakedFont& font, const GlyphBitmap& picture, ImFontGlyph& glyph);

// What a font of our own asks for its characters: whether it has one, and for its picture.
ImFontLoader glyph_loader(const char* name, decltype(ImFontLoader::FontSrcContainsGlyph) contains,
                          decltype(ImFontLoader::FontBakedLoadGlyph) load);

} // namespace lab
