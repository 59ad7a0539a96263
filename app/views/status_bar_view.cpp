#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "app/views/left_panel.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"

namespace lab {

namespace {

constexpr float kBaseline = 18; // below the bar's top
constexpr float kApart = 28;    // between two parts

// "0.4 µs", "37 µs", "1.2 ms"
std::string duration_text(double us) {
    const bool is_long = us >= 1000;
    const double shown = is_long ? us / 1000 : us;
    char text[32];
    std::snprintf(text, sizeof text, shown < 9.95 ? "%.1f %s" : "%.0f %s", shown, is_long ? "ms" : "µs");
    return text;
}

// What the document measures, the longest first.
std::array<std::string, 3> measures(const ViewContext& context) {
    const Program& program = context.lab.program();
    const int n = n_queries(program);
    const std::string tokens = std::to_string(n) + (n == 1 ? " token" : " tokens");
    std::string widths;
    const auto add = [&](Width which, Axis axis) {
        const std::optional<int> width = width_along(program, axis);
        if (width) widths += std::string(" · ") + width_name(which) + " " + std::to_string(*width);
    };
    add(Width::d_in, Axis::input_dimensions);
    add(Width::d_k, Axis::key_dimensions);
    add(Width::d_v, Axis::value_dimensions);
    const std::string time = context.ui.engine_us > 0 ? " · " + duration_text(context.ui.engine_us) : "";
    return {tokens + widths + time, tokens + widths, tokens};
}

// At the right end, as much as fits into `room`; returns where it begins.
float draw_measures(ViewContext& context, const Rect& area, float room) {
    const float right = area.right - spacing::kPanel;
    const TextStyle style = number_text(context.theme, type_size::kControl, context.theme.palette.faint, Align::right);
    for (const std::string& text : measures(context)) {
        const float width = text_width(style, text);
        if (width > room) continue;
        draw_text(*ImGui::GetWindowDrawList(), style, {right, area.top + kBaseline}, text);
        return right - width;
    }
    return right;
}

void draw_error(ViewContext& context, const Rect& area) {
    const Theme& theme = context.theme;
    const TextStyle style = plain_text(theme, type_size::kControl, theme.palette.error);
    const float left = area.left + spacing::kPanel;
    const float room = area.width() - 2 * spacing::kPanel - 24;
    const float width = std::min(text_width(style, context.ui.error), room);
    const float end = draw_measures(context, area, room - width - kApart);
    draw_text_within(*ImGui::GetWindowDrawList(), style, {left, area.top + kBaseline}, context.ui.error,
                     std::min(room, end - left));
    ImGui::SetCursorScreenPos({left, area.top});
    ImGui::Dummy({width, area.height()});
    show_tip(theme, {.sentence = context.ui.error});
    const ImVec2 cross{left + width + 14, area.top + area.height() / 2};
    if (icon_button(theme, {.id = "dismiss",
                            .icon = Icon::close,
                            .center = cross,
                            .tip = {.title = "Dismiss", .keys = "Esc"},
                            .icon_size = 12,
                            .reach = 10})) {
        context.ui.error.clear();
    }
}

// What is under the cursor, then what can be done there, as much as there is room for.
void draw_status(ViewContext& context, const Rect& area) {
    constexpr float kHintColumn = 220; // so that the hint does not move about with the status
    constexpr float kLeastHint = 90;
    const Theme& theme = context.theme;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const TextStyle status = number_text(theme, type_size::kControl, theme.palette.dim);
    const float left = area.left + spacing::kPanel;
    const float baseline = area.top + kBaseline;
    const float room = area.width() - 2 * spacing::kPanel;
    const float width = std::min(text_width(status, context.ui.shown_status()), room);
    const float end = draw_measures(context, area, room - width - (width > 0 ? kApart : 0));
    draw_text_within(draw_list, status, {left, baseline}, context.ui.shown_status(), room);
    const TextStyle hint = plain_text(theme, type_size::kControl, theme.palette.faint);
    const float hint_left = context.ui.shown_status().empty() ? left : left + std::max(kHintColumn, width + kApart);
    if (end - kApart - hint_left < kLeastHint) return;
    draw_text_within(draw_list, hint, {hint_left, baseline}, context.ui.status_hint, end - kApart - hint_left);
}

} // namespace

void draw_status_bar(ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
    ImGui::Begin("##status bar", nullptr, kFixed);
    divider(context.theme, area.min(), area.width());
    if (context.ui.error.empty())
        draw_status(context, area);
    else
        draw_error(context, area);
    ImGui::End();
}

} // namespace lab
