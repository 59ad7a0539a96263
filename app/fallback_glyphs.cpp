#include "app/fallback_glyphs.h"

#include <cfloat>

#include "app/packed_glyph.h"

namespace lab {
namespace {

// Dear ImGui hands a loader only its source, so a pointer to the platform travels as the source's "font file".
Platform& platform_of(const ImFontConfig* source) { return **static_cast<Platform**>(source->FontData); }

// Control characters and the private areas belong to nobody's font.
bool is_drawable(ImWchar codepoint) {
    const bool is_private = (codepoint >= 0xE000 && codepoint < 0xF900) || codepoint >= 0xF0000;
    return codepoint > 0xA0 && !is_private && codepoint != 0xFFFD && codepoint != 0xFEFF;
}

bool contains_glyph(ImFontAtlas*, ImFontConfig* source, ImWchar codepoint) {
    GlyphBitmap glyph;
    return is_drawable(codepoint) && platform_of(source).rasterize_glyph(codepoint, 13, glyph);
}

bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, ImWchar codepoint,
                ImFontGlyph* glyph, float* advance_only) {
    GlyphBitmap picture;
    const float size_px = baked->Size * baked->RasterizerDensity;
    if (!is_drawable(codepoint) || !platform_of(source).rasterize_glyph(codepoint, size_px, picture)) return false;
    const float advance = picture.advance_px / baked->RasterizerDensity;
    if (advance_only) {
        *advance_only = advance;
        return true;
    }
    glyph->Codepoint = codepoint;
    glyph->AdvanceX = advance;
    return picture.rgba.empty() || pack_glyph({atlas, source, baked}, picture, *glyph);
}

const ImFontLoader& platform_loader() {
    static const ImFontLoader loader = glyph_loader("platform fonts", contains_glyph, load_glyph);
    return loader;
}

} // namespace

void add_fallback_glyphs(ImFontAtlas& atlas, Platform& platform) {
    Platform* pointer = &platform;
    ImFontConfig config;
    config.MergeMode = true;
    config.SizePixels = -13; // as the font that it joins (fonts.cpp)
    config.GlyphMaxAdvanceX = -FLT_MAX;
    config.FontLoader = &platform_loader();
    config.FontData = &pointer;
    config.FontDataSize = sizeof pointer;
    config.FontDataOwnedByAtlas = false; // the atlas copies the pointer
    atlas.AddFont(&config);
}

} // namespace lab
