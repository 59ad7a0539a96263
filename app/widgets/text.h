#pragma once

#include <string>
#include <string_view>

#include "app/theme.h"
#include "app/widgets/geometry.h"

namespace lab {

enum class Align { left, center, right };

// One line of text on a draw list.
struct TextStyle {
    ImFont* font = nullptr;
    float size = type_size::kText; // points
    Color color;
    Align align = Align::left;
};

// One character more, as UTF-8.
void append_character(std::string& text, ImWchar character);

// Each tab and line break is a blank, as a field of one line has it: it parts words.
std::string on_one_line(std::string_view text);

float text_width(const TextStyle& style, std::string_view text);

// Draws at a baseline, as the design's pictures place text: x is the left end, the middle or the right end.
// Returns the width.
float draw_text(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text);

// The same, cut with "…" where it is wider than `max_width`.
float draw_text_within(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text,
                       float max_width);

// The same, cut in the middle: of many labels that begin alike the end tells which it is, "t…12048". The last word, or the
// number at a word's end, stays whole where there is room for it.
float draw_label_within(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view text,
                        float max_width);
std::string cut_at_the_end(const TextStyle& style, std::string_view text, float max_width); // as draw_text_within does
std::string cut_in_the_middle(const TextStyle& style, std::string_view text, float max_width);

// The first of the lines that text is broken into, at its own breaks, at spaces or after marks; within a number only where the line
// has nothing before it. At least a character, unless a break comes first.
std::string_view first_line(ImFont* font, float size, std::string_view text, float width);

// Broken into such lines; `top` is the first line's top. Returns its height.
float draw_paragraph(ImDrawList& draw_list, const TextStyle& style, ImVec2 top, std::string_view text, float width);
// The same height, of what is not drawn yet.
float paragraph_height(const TextStyle& style, std::string_view text, float width);

} // namespace lab
