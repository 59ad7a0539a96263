#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "app/session/sizes.h"
#include "app/views/canvas_camera.h"
#include "app/views/ongoing.h"
#include "app/views/reduction_choice.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"
#include "engine/count_text.h"

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

// What the document measures, the longest first. That something is on its way goes before widths.
std::array<std::string, 3> measures(const ViewContext& context) {
    const int n = n_queries(context.lab.program());
    const std::string tokens = grouped(n) + (n == 1 ? " token" : " tokens");
    std::string widths;
    for (const Width which : {Width::d_in, Width::d_k, Width::d_v}) {
        const std::optional<int> width = width_of(context.lab.document(), which);
        if (width) widths += std::string(" · ") + width_name(which) + " " + std::to_string(*width);
    }
    const std::optional<Ongoing> now = ongoing(context);
    const std::string time = now                        ? " · " + now->text
                             : context.ui.engine_us > 0 ? " · " + duration_text(context.ui.engine_us)
                                                        : "";
    return {tokens + widths + time, tokens + (now ? time : widths), tokens};
}

// At the right end, as much as leaves `wanted` of the room to others, at least the last if there is room for it; returns where
// it begins.
float draw_measures(ViewContext& context, const Rect& area, float room, float wanted) {
    const float right = area.right - spacing::kPanel;
    const TextStyle style = number_text(context.theme, type_size::kControl, context.theme.palette.faint, Align::right);
    const auto texts = measures(context);
    for (const std::string& text : texts) {
        const float width = text_width(style, text);
        if (width > (&text == &texts.back() ? room : room - wanted)) continue;
        draw_text(*ImGui::GetWindowDrawList(), style, {right, area.top + kBaseline}, text);
        return right - width;
    }
    return right;
}

// What went wrong, or is to be noted, with a cross; a click on it takes it away. Leaves room for what is under the cursor; returns where it
// ends.
float draw_message(ViewContext& context, const Rect& area) {
    constexpr float kShare = 0.6f; // of the bar, at most
    constexpr float kCross = 24;
    const Theme& theme = context.theme;
    const Color ink = context.ui.error.empty() ? theme.palette.text : theme.palette.error;
    std::string& message = context.ui.message();
    const TextStyle style = plain_text(theme, type_size::kControl, ink);
    const float left = area.left + spacing::kPanel;
    const float room = (area.width() - 2 * spacing::kPanel) * kShare - kCross;
    const float width = std::min(text_width(style, message), room);
    const Rect place{left - 6, area.top + 3, left + width + kCross, area.bottom - 2};
    const Press press = press_area("message", place);
    show_tip(theme, {.title = width < room ? "" : message, .sentence = "Click to take it away.", .keys = "Esc"});
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    if (press.hovered) draw_list.AddRectFilled(place.min(), place.max(), theme.palette.raised.u32(), 5);
    draw_text_within(draw_list, style, {left, area.top + kBaseline}, message, room);
    const Color cross = press.hovered ? theme.palette.text : theme.palette.dim;
    draw_icon(draw_list, Icon::close, {left + width + 13, place.center().y}, cross, 12);
    if (press.clicked) message.clear();
    return place.right + 12;
}

// At the right end, where numbers of no matrix stand; returns what is left of the bar.
Rect beside_fit_button(ViewContext& context, const Rect& area) {
    constexpr float kReach = 14;
    if (!shows_part_of_canvas(context)) return area;
    const float x = area.right - spacing::kPanel - kReach / 2;
    fit_button(context, {x, area.center().y}, kReach);
    return {area.left, area.top, x - kReach + spacing::kPanel - 4, area.bottom};
}

// What is under the cursor, then what can be done there, as much as there is room for.
void draw_status(ViewContext& context, const Rect& area, float left) {
    constexpr float kHintColumn = 220; // so that the hint does not move about with the status
    constexpr float kLeastHint = 90;
    const Theme& theme = context.theme;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const TextStyle status = number_text(theme, type_size::kControl, theme.palette.dim);
    const float baseline = area.top + kBaseline;
    const float room = area.right - spacing::kPanel - left;
    const float width = std::min(text_width(status, context.ui.shown_status()), room);
    const TextStyle hint = plain_text(theme, type_size::kControl, theme.palette.faint);
    const float hint_left = context.ui.shown_status().empty() ? left : left + std::max(kHintColumn, width + kApart);
    const std::string reduction_text = reduction_said(context);
    const float beside = reduction_text.empty() ? 0 : text_width(hint, reduction_text) + kApart;
    const float hint_width = context.ui.status_hint.empty() ? 0 : text_width(hint, context.ui.status_hint) + kApart;
    const float taken = width + (width > 0 ? kApart : 0);
    float end = draw_measures(context, area, room - taken, hint_left - left - taken + beside + hint_width);
    if (end - beside - left >= taken) { // else it would stand on what is under the cursor
        const float reduction = draw_reduction_choice(context, {end - kApart, baseline});
        end -= reduction > 0 ? reduction + kApart : 0;
    }
    draw_text_within(draw_list, status, {left, baseline}, context.ui.shown_status(),
                     end < area.right - spacing::kPanel ? end - kApart - left : room);
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
    const float left = context.ui.message().empty() ? area.left + spacing::kPanel : draw_message(context, area);
    draw_status(context, beside_fit_button(context, area), left);
    ImGui::End();
}

} // namespace lab
