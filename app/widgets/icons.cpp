#include "app/widgets/icons.h"

#include "app/widgets/pixels.h"

namespace lab {

void draw_icon(const Theme& theme, ImDrawList& draw_list, Icon icon, ImVec2 center, Color color, float size) {
    ImFontBaked& baked = *theme.fonts.icons->GetFontBaked(size, pixels_per_point());
    const ImFontGlyph& glyph = *baked.FindGlyph(icon_character(icon));
    const ImVec2 corner{snapped_to_pixel(center.x - size / 2), snapped_to_pixel(center.y - size / 2)};
    draw_list.PrimReserve(6, 4);
    draw_list.PrimRectUV({corner.x + glyph.X0, corner.y + glyph.Y0}, {corner.x + glyph.X1, corner.y + glyph.Y1},
                         {glyph.U0, glyph.V0}, {glyph.U1, glyph.V1}, color.u32());
}

void draw_caret(ImDrawList& draw_list, ImVec2 center, Color color) {
    draw_list.AddTriangleFilled({center.x - 3.5f, center.y - 2}, {center.x + 3.5f, center.y - 2},
                                {center.x, center.y + 2.8f}, color.u32());
}

} // namespace lab
