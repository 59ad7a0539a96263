#include "app/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <imgui_internal.h>

namespace lab {

namespace {

constexpr float kLineHeight = 1.5f; // of the size

// Distance from the top of a line, as Dear ImGui places text, to its baseline.
float ascent(const TextStyle& style) { return style.font->GetFontBaked(style.size)->Ascent; }

float pixels_per_point() { return std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x); }

float snapped_to_pixel(float point) { return std::round(point * pixels_per_point()) / pixels_per_point(); }

// Glyphs whose pixels are the screen's own. Dear ImGui keeps glyphs of whole sizes and stretches them to others, where a
// thin line may fall between two pixels; so a whole size is asked for at the density that makes up for the difference.
struct Face {
    ImFontBaked* baked;
    float scale; // from the baked size to the one wanted
};

Face face_of(const TextStyle& style) {
    const float whole = std::max(1.0f, std::round(style.size));
    const float height_px =
        std::max(1.0f, std::round(style.size * pixels_per_point() * 2) / 2); // few enough sizes to keep
    return {style.font->GetFontBaked(whole, height_px / whole), style.size / whole};
}

// Calls visit(glyph, pen) for the characters, pen being the distance from the left end, until it returns false; returns
// where it ended.
template <class Visit> float walk(const Face& face, std::string_view text, Visit visit) {
    const char* at = text.data();
    const char* end = at + text.size();
    float pen = 0;
    while (at < end) {
        unsigned int character = 0;
        const int n_bytes = ImTextCharFromUtf8(&character, at, end);
        const ImFontGlyph& glyph = *face.baked->FindGlyph(static_cast<ImWchar>(character));
        if (!visit(glyph, pen, at)) break;
        pen += glyph.AdvanceX * face.scale;
        at += n_bytes;
    }
    return pen;
}

void draw_glyph_at(ImDrawList& draw_list, const Face& face, const ImFontGlyph& glyph, ImVec2 pen, ImU32 color) {
    const float top = pen.y - std::round(face.baked->Ascent) * face.scale;
    const ImVec2 min{pen.x + glyph.X0 * face.scale, top + glyph.Y0 * face.scale};
    const ImVec2 max{pen.x + glyph.X1 * face.scale, top + glyph.Y1 * face.scale};
    draw_list.PrimReserve(6, 4);
    draw_list.PrimRectUV(min, max, {glyph.U0, glyph.V0}, {glyph.U1, glyph.V1},
                         glyph.Colored ? color | ~IM_COL32_A_MASK : color);
}

std::string_view cut_to_width(const TextStyle& style, std::string_view text, float width) {
    const Face face = face_of(style);
    const char* cut = text.data() + text.size();
    walk(face, text, [&](const ImFontGlyph& glyph, float pen, const char* at) {
        const bool fits = pen + glyph.AdvanceX * face.scale <= width;
        if (!fits) cut = at;
        return fits;
    });
    return text.substr(0, static_cast<std::size_t>(cut - text.data()));
}

} // namespace

void append_character(std::string& text, ImWchar character) {
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, character);
    text += bytes;
}

float text_width(const TextStyle& style, std::string_view text) {
    return walk(face_of(style), text, [](const ImFontGlyph&, float, const char*) { return true; });
}

// Measuring has loaded every glyph, so that the texture does not grow while its corners are written down.
float draw_text(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text) {
    const float width = text_width(style, text);
    const float share = style.align == Align::left ? 0.0f : style.align == Align::center ? 0.5f : 1.0f;
    const ImVec2 start{snapped_to_pixel(baseline.x - width * share), snapped_to_pixel(baseline.y)};
    const ImVec2 clip_min = draw_list.GetClipRectMin();
    const ImVec2 clip_max = draw_list.GetClipRectMax();
    const bool is_in_sight = start.y + style.size > clip_min.y && start.y - 2 * style.size < clip_max.y &&
                             start.x + width > clip_min.x && start.x < clip_max.x;
    if (!is_in_sight) return width;
    const Face face = face_of(style);
    walk(face, text, [&](const ImFontGlyph& glyph, float pen, const char*) {
        if (glyph.Visible) draw_glyph_at(draw_list, face, glyph, {start.x + pen, start.y}, style.color.u32());
        return true;
    });
    return width;
}

float draw_text_within(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text,
                       float max_width) {
    if (text_width(style, text) <= max_width) return draw_text(draw_list, style, baseline, text);
    const std::string_view head = cut_to_width(style, text, max_width - text_width(style, "…"));
    return draw_text(draw_list, style, baseline, std::string(head) + "…");
}

float draw_paragraph(ImDrawList& draw_list, const TextStyle& style, ImVec2 top, std::string_view text, float width) {
    const char* at = text.data();
    const char* end = at + text.size();
    float y = top.y;
    while (at < end) {
        const char* line_end = style.font->CalcWordWrapPosition(style.size, at, end, width);
        if (line_end == at) ++line_end; // not even one character fits
        const std::string_view line(at, static_cast<std::size_t>(line_end - at));
        draw_text(draw_list, style, {top.x, y + ascent(style)}, line);
        y += style.size * kLineHeight;
        at = line_end;
        while (at < end && (*at == ' ' || *at == '\n')) ++at;
    }
    return y - top.y;
}

} // namespace lab
