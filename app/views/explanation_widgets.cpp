#include "app/views/explanation_widgets.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace lab {

TextStyle words(const Theme& theme, float size, Color color, Align align) {
    return {theme.fonts.text, size, color, align};
}

TextStyle strong(const Theme& theme, float size, Color color, Align align) {
    return {theme.fonts.text_semibold, size, color, align};
}

TextStyle figures(const Theme& theme, float size, Color color, Align align) {
    return {theme.fonts.numbers, size, color, align};
}

const Explanation& explanation_of(ViewContext& context, const TensorCell& cell) {
    std::shared_ptr<const Explanation>& known = context.ui.explanation;
    const int query = context.selection.query;
    const bool is_fresh =
        known && known->revision == context.lab.revision() && known->cell == cell && known->query == query;
    if (!is_fresh) known = std::make_shared<const Explanation>(explain(context.lab, cell, query));
    return *known;
}

bool ends_drag() {
    const ImGuiIO& io = ImGui::GetIO();
    return ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
}

Link link(ViewContext& context, const Rect& area, std::string_view id) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool pressed = ImGui::InvisibleButton("##link", area.size());
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    if (hovered) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        constexpr float kRounding = 6;
        ImGui::GetWindowDrawList()->AddRectFilled(area.min(), area.max(), context.theme.palette.raised.u32(), kRounding);
    }
    return {hovered, pressed && !ends_drag()};
}

void lead_to(ViewContext& context, const Link& link, const TensorCell& cell) {
    if (link.hovered) context.selection.hovered = cell;
    if (link.clicked) context.selection.visit(cell, context.lab.program());
}

void draw_glyph(ImDrawList& draw_list, ImVec2 center, Glyph glyph, Color color) {
    constexpr float kThickness = 1.5f, kQuarterTurn = 1.5707964f;
    const auto moved = [&](ImVec2 by) { return ImVec2{center.x + by.x, center.y + by.y}; };
    const auto stroke = [&](ImVec2 a, ImVec2 b, ImVec2 c) {
        const ImVec2 points[] = {moved(a), moved(b), moved(c)};
        draw_list.AddPolyline(points, 3, color.u32(), 0, kThickness);
    };
    const auto line = [&](ImVec2 a, ImVec2 b) { draw_list.AddLine(moved(a), moved(b), color.u32(), kThickness); };
    switch (glyph) {
    case Glyph::left: return stroke({2, -4}, {-2, 0}, {2, 4});
    case Glyph::right: return stroke({-2, -4}, {2, 0}, {-2, 4});
    case Glyph::cross: return line({-4, -4}, {4, 4}), line({-4, 4}, {4, -4});
    case Glyph::menu: return line({-6, -4}, {6, -4}), line({-6, 0}, {6, 0}), line({-6, 4}, {6, 4});
    case Glyph::save: return line({0, -6}, {0, 2}), stroke({-3, -1}, {0, 2}, {3, -1}), line({-6, 5.5f}, {6, 5.5f});
    case Glyph::undo:
        stroke({-2, -5}, {-5, -2}, {-2, 1});
        draw_list.PathLineTo(moved({-5, -2}));
        draw_list.PathArcTo(moved({2, 2}), 4, -kQuarterTurn, kQuarterTurn);
        draw_list.PathLineTo(moved({-3, 6}));
        return draw_list.PathStroke(color.u32(), 0, kThickness);
    }
}

bool glyph_button(ViewContext& context, ImVec2 center, Glyph glyph, std::string_view id, const char* tooltip,
                  bool is_enabled) {
    constexpr float kHalf = 12;
    const Palette& palette = context.theme.palette;
    if (!is_enabled) {
        draw_glyph(*ImGui::GetWindowDrawList(), center, glyph, palette.line);
        return false;
    }
    const Link button = link(context, Rect::at(center, {0, 0}).grown(kHalf), id);
    draw_glyph(*ImGui::GetWindowDrawList(), center, glyph, button.hovered ? palette.text : palette.dim);
    if (button.hovered) ImGui::SetItemTooltip("%s", tooltip);
    return button.clicked;
}

namespace {

// The next piece of a sentence that is not broken: a word with the space before it, or a whole label.
std::string_view next_piece(std::string_view rest, bool is_label) {
    const std::size_t begin = std::min(rest.find_first_not_of(' '), rest.size());
    return rest.substr(0, is_label ? std::string_view::npos : rest.find(' ', begin));
}

// Calls place(style, offset, piece) for every piece, offset counting from the corner to the baseline; returns the height.
template <class Place>
float flow_meaning(const Theme& theme, const std::vector<TextPart>& parts, float size, float width, Place place) {
    const float line_height = std::round(size * 1.45f);
    ImVec2 at{0, size};
    for (const TextPart& part : parts) {
        const TextStyle style =
            part.is_label ? strong(theme, size, theme.palette.accent) : words(theme, size, theme.palette.dim);
        for (std::string_view rest = part.text; !rest.empty();) {
            std::string_view piece = next_piece(rest, part.is_label);
            rest.remove_prefix(piece.size());
            if (at.x > 0 && at.x + text_width(style, piece) > width) {
                at = {0, at.y + line_height};
                piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
            }
            place(style, at, piece);
            at.x += text_width(style, piece);
        }
    }
    return at.y + line_height - size;
}

} // namespace

void draw_meaning(Column& column, const std::vector<TextPart>& parts, float size) {
    const auto place = [&](const TextStyle& style, ImVec2 at, std::string_view piece) {
        const ImVec2 baseline{column.left + at.x, column.y + at.y};
        draw_text_within(column.draw_list, style, baseline, piece, column.right - baseline.x);
    };
    column.y += flow_meaning(column.context.theme, parts, size, column.width(), place);
}

float meaning_height(const Theme& theme, const std::vector<TextPart>& parts, float size, float width) {
    return flow_meaning(theme, parts, size, width, [](const TextStyle&, ImVec2, std::string_view) {});
}

void draw_card(Column& column, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    constexpr float kPadding = 12;
    const ImVec2 corner{column.left, column.y};
    const TextStyle style = words(column.context.theme, 12, column.palette().text);
    column.draw_list.ChannelsSplit(2); // how tall the card is shows once its text is drawn
    column.draw_list.ChannelsSetCurrent(1);
    column.y += kPadding - 1;
    for (const std::string& line : lines) {
        const ImVec2 top{column.left + kPadding, column.y};
        column.y += draw_paragraph(column.draw_list, style, top, line, column.width() - 2 * kPadding) + 2;
    }
    column.y += kPadding - 3;
    column.draw_list.ChannelsSetCurrent(0);
    column.draw_list.AddRectFilled(corner, {column.right, column.y}, column.palette().raised.u32(), 8);
    column.draw_list.ChannelsMerge();
}

void draw_divider(Column& column) {
    column.draw_list.AddRectFilled({column.left, column.y}, {column.right, column.y + 1}, column.palette().line.u32());
    column.y += 1;
}

void draw_heading(Column& column, std::string_view text) {
    const TextStyle style = words(column.context.theme, 12, column.palette().dim);
    draw_text_within(column.draw_list, style, {column.left, column.y + 23}, text, column.width());
    column.y += 36;
}

} // namespace lab
