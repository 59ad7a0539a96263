#include "app/packed_glyph.h"

#include <cmath>

namespace lab {

bool pack_glyph(const BakedFont& font, const GlyphBitmap& picture, ImFontGlyph& glyph) {
    const auto [atlas, source, baked] = font;
    const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, picture.width_px, picture.height_px);
    if (id == ImFontAtlasRectId_Invalid) return false;
    const float points_per_px = 1 / baked->RasterizerDensity;
    const float baseline = std::round(baked->Ascent);
    glyph.X0 = float(picture.left_px) * points_per_px;
    glyph.Y0 = float(picture.top_px) * points_per_px + baseline;
    glyph.X1 = float(picture.left_px + picture.width_px) * points_per_px;
    glyph.Y1 = float(picture.top_px + picture.height_px) * points_per_px + baseline;
    glyph.Visible = true;
    glyph.Colored = picture.colored;
    glyph.PackId = id;
    ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, &glyph, ImFontAtlasPackGetRect(atlas, id),
                                       picture.rgba.data(), ImTextureFormat_RGBA32, 4 * picture.width_px);
    return true;
}

ImFontLoader glyph_loader(const char* name, decltype(ImFontLoader::FontSrcContainsGlyph) contains,
                          decltype(ImFontLoader::FontBakedLoadGlyph) load) {
    ImFontLoader made;
    made.Name = name;
    made.FontSrcContainsGlyph = contains;
    made.FontBakedLoadGlyph = load;
    return made;
}

} // namespace lab
