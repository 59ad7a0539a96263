#include "app/widgets/text.h"

#include <string>

namespace lab {

namespace {

constexpr float kLineHeight = 1.5f; // of the size

// Distance from the top of a line, as Dear ImGui places text, to its baseline.
float ascent(const TextStyle& style) {
    return style.font->GetFontBaked(style.size)->Ascent;
}

std::string_view cut_to_width(const TextStyle& style, std::string_view text, float width) {
    const char* rest = nullptr;
    style.font->CalcTextSizeA(style.size, width, 0.0f, text.data(), text.data() + text.size(), &rest);
    return text.substr(0, static_cast<std::size_t>(rest - text.data()));
}

} // namespace

float text_width(const TextStyle& style, std::string_view text) {
    constexpr float kUnlimited = 1e9f;
    return style.font->CalcTextSizeA(style.size, kUnlimited, 0.0f, text.data(), text.data() + text.size()).x;
}

float draw_text(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text) {
    const float width = text_width(style, text);
    const float share = style.align == Align::left ? 0.0f : style.align == Align::center ? 0.5f : 1.0f;
    const ImVec2 corner{baseline.x - width * share, baseline.y - ascent(style)};
    draw_list.AddText(style.font, style.size, corner, style.color.u32(), text.data(), text.data() + text.size());
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
