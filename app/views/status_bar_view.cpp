#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/labels.h"
#include "app/session/sizes.h"
#include "app/views/canvas_camera.h"
#include "app/views/ongoing.h"
#include "app/views/reduction_choice.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"
#include "app/widgets/rounded.h"
#include "app/widgets/window_flags.h"
#include "engine/count_text.h"

namespace lab {

namespace {

constexpr float kBaseline = 18; // below the bar's top
constexpr float kApart = 28;    // between two parts

// "0.4 µs", "37 µs", "1.2 ms", "11.8 s"
std::string duration_text(double us) {
    const bool is_of_seconds = us >= 999'500, is_long = us >= 999.5;
    const double shown = is_of_seconds ? us / 1e6 : is_long ? us / 1000 : us;
    char text[32];
    std::snprintf(text, sizeof text, shown < 9.95 || is_of_seconds ? "%.1f %s" : "%.0f %s", shown,
                  is_of_seconds ? "s"
                  : is_long     ? "ms"
                                : "µs");
    return text;
}

// What stands at the right end of the bar: what points of pictures show, and what the document measures.
struct RightEnd {
    std::string measures;
    std::string reduction;
    bool operator==(const RightEnd&) const = default;
};

// Each once, the longest first, as the room is needed for others. That something is on its way goes before all that can be read
// elsewhere: while it is, all of them say so, else the last one is empty.
std::vector<RightEnd> right_ends(const ViewContext& context) {
    const std::string counts = counts_text(context.lab.document(), n_queries(context.lab.program()));
    std::string widths;
    for (const Width which : {Width::d_in, Width::d_k, Width::d_v}) {
        const std::optional<int> width = width_of(context.lab.document(), which);
        if (width) widths += std::string(" · ") + width_name(which) + " " + std::to_string(*width);
    }
    const std::optional<Ongoing> ongoing_now = ongoing(context);
    const std::string now = ongoing_now ? ongoing_now->text : "";
    // A gradient is computed with the numbers, shown or not: its time is not said of them alone.
    const bool is_of_what_is_shown = context.selection.shows_gradient || context.lab.program().target < 0;
    const bool says_time = context.ui.engine_us > 0 && is_of_what_is_shown;
    const std::string took = says_time ? " · computed in " + duration_text(context.ui.engine_us) : "";
    const std::vector<std::string> all_measures =
        ongoing_now ? std::vector{counts + widths + " · " + now, counts + " · " + now, now}
                    : std::vector{counts + widths + took, counts + widths, counts, now};
    const std::string reduction = reduction_said(context);
    std::vector<RightEnd> ends;
    for (const std::string& measures : all_measures) ends.push_back({measures, reduction});
    ends.push_back({now, ""});
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end()); // what is not known, or not said, makes equal ones
    return ends;
}

TextStyle measures_style(const Theme& theme) {
    return number_text(theme, type_size::kControl, theme.palette.faint, Align::right);
}
TextStyle hint_style(const Theme& theme) { return plain_text(theme, type_size::kControl, theme.palette.faint); }

// With what keeps it apart from what stands before it.
float width_of(const Theme& theme, const RightEnd& end) {
    const auto width = [](const TextStyle& style, const std::string& text) {
        return text.empty() ? 0 : text_width(style, text) + kApart;
    };
    return width(measures_style(theme), end.measures) + width(hint_style(theme), end.reduction);
}

void draw_right_end(ViewContext& context, ImVec2 baseline, const RightEnd& end) {
    const TextStyle style = measures_style(context.theme);
    draw_text(*ImGui::GetWindowDrawList(), style, baseline, end.measures);
    const float width = end.measures.empty() ? 0 : text_width(style, end.measures) + kApart;
    if (!end.reduction.empty()) draw_reduction_choice(context, {baseline.x - width, baseline.y}, end.reduction);
}

// The hint, then the same without its last part, and so on: the most important stands first.
std::vector<std::string> shorter_hints(std::string hint) {
    constexpr std::string_view kBetween = " · ";
    std::vector<std::string> hints{hint};
    for (std::size_t end = hint.rfind(kBetween); end != std::string::npos; end = hint.rfind(kBetween)) {
        hint.resize(end);
        hints.push_back(hint);
    }
    return hints;
}

// What went wrong, or is to be noted, with a cross; a click on it takes it away. Leaves room for what is under the cursor; returns where it
// ends.
float draw_message_in_bar(ViewContext& context, const Rect& area) {
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
    if (press.hovered) fill_rounded(draw_list, place, theme.palette.raised.u32(), 5);
    draw_text_within(draw_list, style, {left, area.top + kBaseline}, message, room);
    const Color cross = press.hovered ? theme.palette.text : theme.palette.dim;
    draw_icon(theme, draw_list, Icon::close, {left + width + 13, place.center().y}, cross, 12);
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

// A hint and what stands at the right end, so that both are whole.
struct Shown {
    std::string hint;
    RightEnd end;
};

// As much as there is room for: a hint goes before what stands at the end, and is shortened when all of that is gone but what is on
// its way, which goes last.
// room   for both, and what keeps them apart
// least  of the room, which is not the end's: what is under the cursor stands there
Shown what_fits(const ViewContext& context, float room, float least) {
    constexpr float kLeastHint = 90; // of which there is an end to be cut off
    const std::vector<RightEnd> ends = right_ends(context);
    const auto longest_beside = [&](float taken) {
        return std::find_if(ends.begin(), ends.end(),
                            [&](const RightEnd& end) { return taken + width_of(context.theme, end) <= room; });
    };
    const auto width = [&](const std::string& hint) {
        return hint.empty() ? least : text_width(hint_style(context.theme), hint);
    };
    const std::vector<std::string> hints = shorter_hints(context.ui.shown_hint());
    for (const std::string& hint : hints)
        if (const auto end = longest_beside(width(hint)); end != ends.end()) return {hint, *end};
    for (const std::string& hint : hints)
        if (width(hint) <= room) return {hint, {}};
    if (room >= kLeastHint) return {hints.back(), {}};
    const auto end = longest_beside(least);
    return {"", end != ends.end() ? *end : RightEnd{}};
}

// What is under the cursor, then what can be done there.
void draw_status(ViewContext& context, const Rect& area, float left) {
    constexpr float kHintColumn = 220; // so that the hint does not move about with the status
    const Theme& theme = context.theme;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const TextStyle status = number_text(theme, type_size::kControl, theme.palette.dim);
    const float baseline = area.top + kBaseline;
    const float right = area.right - spacing::kPanel, room = right - left;
    const std::string& said = context.ui.shown_status();
    const float width = std::min(text_width(status, said), room);
    const float hint_left = said.empty() ? left : left + std::max(kHintColumn, width + kApart);
    draw_text_within(draw_list, status, {left, baseline}, said, room);
    const float status_end = left + width - hint_left; // before where the hint begins
    const Shown shown = what_fits(context, right - hint_left, status_end);
    draw_text_within(draw_list, hint_style(theme), {hint_left, baseline}, shown.hint, right - hint_left);
    draw_right_end(context, {right, baseline}, shown.end);
}

} // namespace

void draw_status_bar(ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::Begin("##status bar", nullptr, kSideBySide);
    divider(context.theme, area.min(), area.width());
    const float left = context.ui.message().empty() ? area.left + spacing::kPanel : draw_message_in_bar(context, area);
    draw_status(context, beside_fit_button(context, area), left);
    ImGui::End();
}

} // namespace lab
