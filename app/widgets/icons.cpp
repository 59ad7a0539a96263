#include "app/widgets/icons.h"

#include <cmath>

#include "app/widgets/pixels.h"

namespace lab {

void draw_icon(const Theme& theme, ImDrawList& draw_list, Icon icon, ImVec2 center, Color color, float size) {
    const float density = pixels_per_point();
    const float size_px = size * density;
    // Through the middle a thin stroke fills one row of pixels, not two by half.
    const bool is_thin = kIconStroke / kIconGrid * size_px < 1.25f;
    const auto halves = [&](float middle) { // of a pixel, where the square begins
        const float at = is_thin ? std::floor(middle * density) + 0.5f : middle * density;
        return std::floor(2 * at - size_px + 0.5f);
    };
    const float x = halves(center.x), y = halves(center.y);
    const ImVec2 corner{std::floor(x / 2) / density, std::floor(y / 2) / density};
    const IconPhase phase{std::floor(x / 2) * 2 != x, std::floor(y / 2) * 2 != y};
    ImFontBaked& baked = *theme.fonts.icons->GetFontBaked(size, density);
    const ImFontGlyph& glyph = *baked.FindGlyph(icon_character(icon, phase));
    draw_list.PrimReserve(6, 4);
    draw_list.PrimRectUV({corner.x + glyph.X0, corner.y + glyph.Y0}, {corner.x + glyph.X1, corner.y + glyph.Y1},
                         {glyph.U0, glyph.V0}, {glyph.U1, glyph.V1}, color.u32());
}

void draw_caret(ImDrawList& draw_list, ImVec2 center, Color color) {
    draw_list.AddTriangleFilled({center.x - 3.5f, center.y - 2}, {center.x + 3.5f, center.y - 2},
                                {center.x, center.y + 2.8f}, color.u32());
}

} // namespace lab
