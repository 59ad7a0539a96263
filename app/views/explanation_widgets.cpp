#include "app/views/explanation_widgets.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "app/widgets/rounded.h"

namespace lab {

const Explanation& explanation_of(ViewContext& context, const TensorCell& cell) {
    std::shared_ptr<const Explanation>& known = context.ui.explanation;
    const Viewpoint chosen(context.selection);
    const bool is_fresh =
        known && known->revision == context.lab.state() && known->cell == cell && known->chosen == chosen;
    if (!is_fresh) known = std::make_shared<const Explanation>(explain(context.lab, cell, chosen));
    return *known;
}

bool is_reached(const ViewContext& context, const TensorCell& cell) {
    const Program& program = context.lab.program();
    const int node = program.find(cell.tensor);
    return node < 0 || context.selection.shows(program.node(node));
}

bool tells_of_another_cell(const Explanation& told) {
    ImGuiStorage& storage = *ImGui::GetStateStorage(); // of the window: where it is scrolled to is kept there too
    const Cell& cell = told.cell.cell;
    const std::string name = told.cell.tensor + " " + std::to_string(cell.plane) + " " + std::to_string(cell.row) +
                             " " + std::to_string(cell.col);
    const int now = static_cast<int>(ImGui::GetID(name.c_str()));
    int& before = *storage.GetIntRef(ImGui::GetID("told"));
    return std::exchange(before, now) != now;
}

bool ends_drag() {
    const ImGuiIO& io = ImGui::GetIO();
    return ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
}

Link link(ViewContext& context, const Rect& area, std::string_view id) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool pressed = ImGui::InvisibleButton("##link", area.size(), ImGuiButtonFlags_EnableNav);
    const bool hovered =
        ImGui::IsItemHovered() && !context.platform.has_coarse_pointer(); // a finger leaves no pointer behind
    ImGui::PopID();
    if (hovered) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        constexpr float kRounding = 6;
        fill_rounded(*ImGui::GetWindowDrawList(), area, context.theme.palette.raised.u32(), kRounding);
    }
    return {hovered, pressed && !ends_drag()};
}

void lead_to(ViewContext& context, const Link& link, const TensorCell& cell) {
    if (link.hovered) context.ui.lit_by_list = cell;
    if (!link.clicked) return;
    context.selection.visit(cell, context.lab.program());
    context.ui.approach = Approach::into_view;
}

namespace {

// The next piece of a sentence that is not broken: a word with the space before it, or a whole label.
std::string_view next_piece(std::string_view rest, bool is_label) {
    const std::size_t begin = std::min(rest.find_first_not_of(' '), rest.size());
    return rest.substr(0, is_label ? std::string_view::npos : rest.find(' ', begin));
}

struct StyledText {
    TextStyle style;
    std::string_view text;
    bool is_whole = false; // not broken at its spaces
};

std::string_view without_spaces_before(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

// Calls place(style, offset, run) for every run of one style on one line, offset counting from the corner to the
// baseline; returns the height. A run is one text, so that its words keep their distances.
template <class Place> float flow(const std::vector<StyledText>& parts, float line_height, float width, Place place) {
    if (parts.empty() || (parts.size() == 1 && parts.front().text.empty())) return 0;
    ImVec2 at{0, parts.front().style.size};
    for (const StyledText& part : parts) {
        at.x = std::ceil(at.x); // text begins at whole pixels: rounded down, the space before it would shrink
        std::string_view rest = part.text;
        while (!rest.empty()) {
            std::size_t n = 0; // of `rest`, what still fits on the line
            while (n < rest.size()) {
                const std::size_t next = n + next_piece(rest.substr(n), part.is_whole).size();
                const bool fits = at.x + text_width(part.style, rest.substr(0, next)) <= width + 0.5f;
                if (!fits && (at.x > 0 || n > 0)) break;
                n = next;
            }
            if (n > 0) place(part.style, at, rest.substr(0, n));
            at.x += text_width(part.style, rest.substr(0, n));
            rest = rest.substr(n);
            if (rest.empty()) break;
            rest = without_spaces_before(rest);
            at = {0, at.y + line_height};
        }
    }
    return at.y + line_height - parts.front().style.size;
}

std::vector<StyledText> styled(const Theme& theme, const std::vector<TextPart>& parts, float size) {
    std::vector<StyledText> styled;
    for (const TextPart& part : parts) {
        styled.push_back({part.is_label ? semibold_text(theme, size, theme.palette.accent)
                                        : plain_text(theme, size, theme.palette.dim),
                          part.text, part.is_label});
    }
    return styled;
}

float draw_flow(Column& column, const std::vector<StyledText>& parts, ImVec2 corner, float line_height) {
    constexpr float kRounding = 1; // so that what was found to fit is not cut off after all
    const auto place = [&](const TextStyle& style, ImVec2 at, std::string_view piece) {
        const ImVec2 baseline{corner.x + at.x, corner.y + at.y};
        const bool begins_line = at.x == 0; // what follows fits, or it would have begun a line
        if (begins_line)
            draw_text_within(column.draw_list, style, baseline, piece, column.right - baseline.x + kRounding);
        else
            draw_text(column.draw_list, style, baseline, piece);
    };
    return flow(parts, line_height, column.right - corner.x, place);
}

float meaning_line_height(float size) { return std::round(size * 1.45f); }

} // namespace

void draw_meaning(Column& column, const std::vector<TextPart>& parts, float size) {
    const std::vector<StyledText> pieces = styled(column.context.theme, parts, size);
    column.y += draw_flow(column, pieces, {column.left, column.y}, meaning_line_height(size));
}

float meaning_height(const Theme& theme, const std::vector<TextPart>& parts, float size, float width) {
    return flow(styled(theme, parts, size), meaning_line_height(size), width,
                [](const TextStyle&, ImVec2, std::string_view) {});
}

void draw_wrapped(Column& column, const TextStyle& style, std::string_view text, float line_height) {
    column.y += draw_flow(column, {{style, text}}, {column.left, column.y}, line_height);
}

float wrapped_height(const TextStyle& style, std::string_view text, float line_height, float width) {
    return flow({{style, text}}, line_height, width, [](const TextStyle&, ImVec2, std::string_view) {});
}

void draw_card(Column& column, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    constexpr float kPadding = 12;
    const ImVec2 corner{column.left, column.y};
    const TextStyle style = plain_text(column.context.theme, 12, column.palette().text);
    column.draw_list.ChannelsSplit(2); // how tall the card is shows once its text is drawn
    column.draw_list.ChannelsSetCurrent(1);
    Column inner{column.context, column.draw_list, column.left + kPadding, column.right - kPadding,
                 column.y + kPadding - 2};
    for (const std::string& line : lines) {
        draw_wrapped(inner, style, line, 17);
        inner.y += 2;
    }
    column.y = inner.y + kPadding - 4;
    column.draw_list.ChannelsSetCurrent(0);
    fill_rounded(column.draw_list, {corner.x, corner.y, column.right, column.y}, column.palette().raised.u32(), 8);
    column.draw_list.ChannelsMerge();
}

void draw_divider(Column& column) {
    column.draw_list.AddRectFilled({column.left, column.y}, {column.right, column.y + 1}, column.palette().line.u32());
    column.y += 1;
}

void draw_heading(Column& column, std::string_view text) {
    constexpr float kLine = 16, kBaseline = 20;
    const TextStyle style = plain_text(column.context.theme, 12, column.palette().dim);
    const std::size_t colon = text_width(style, text) > column.width() ? text.find(": ") : std::string_view::npos;
    const bool is_broken = colon != std::string_view::npos;
    const std::string_view first = is_broken ? text.substr(0, colon + 1) : text;
    draw_text_within(column.draw_list, style, {column.left, column.y + kBaseline}, first, column.width());
    if (is_broken) {
        const ImVec2 below{column.left, column.y + kLine + kBaseline - style.size};
        column.y += draw_flow(column, {{style, text.substr(colon + 2)}}, below, kLine);
    }
    column.y += 29;
}

} // namespace lab
