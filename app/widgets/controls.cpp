#include "app/widgets/controls.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/rounded.h"

namespace lab {

namespace {

// A finger that has moved as far scrolls; it does not click.
constexpr float kClickReach = 12;

// Half of what capitals stand above the baseline, in sizes: Inter's and JetBrains Mono's are 0.73 high.
constexpr float kHalfCapital = 0.365f;

void draw_keys(const Theme& theme, std::string_view keys) {
    if (keys.empty()) return;
    ImGui::SameLine(0, 12);
    ImGui::PushFont(theme.fonts.numbers, type_size::kCell);
    ImGui::PushStyleColor(ImGuiCol_Text, theme.palette.dim.u32());
    ImGui::TextUnformatted(keys.data(), keys.data() + keys.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

} // namespace

TextStyle plain_text(const Theme& theme, float size, Color color, Align align) {
    return {theme.fonts.text, size, color, align};
}

TextStyle semibold_text(const Theme& theme, float size, Color color, Align align) {
    return {theme.fonts.text_semibold, size, color, align};
}

TextStyle number_text(const Theme& theme, float size, Color color, Align align) {
    return {theme.fonts.numbers, size, color, align};
}

float centered_baseline(float center_y, float size) { return center_y + size * kHalfCapital; }

bool was_clicked(const Rect& area) {
    const ImGuiIO& io = ImGui::GetIO();
    return ImGui::IsMouseReleased(ImGuiMouseButton_Left) && area.contains(io.MouseClickedPos[0]) &&
           io.MouseDragMaxDistanceSqr[0] < kDragThreshold * kDragThreshold;
}

bool mouse_acts() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 || io.MouseWheelH != 0 ||
           ImGui::IsAnyMouseDown();
}

namespace {

// Of any key but Ctrl, Shift, Alt and Super.
template <class Condition> bool is_any_key(const Condition& is_so) {
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
        const bool is_modifier = key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper;
        if (!is_modifier && is_so(static_cast<ImGuiKey>(key))) return true;
    }
    return false;
}

} // namespace

bool is_key_pressed() {
    return is_any_key([](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); });
}

bool types_anew() {
    const bool is_repeated = !is_key_pressed() && is_any_key([](ImGuiKey key) { return ImGui::IsKeyDown(key); });
    return !ImGui::GetIO().InputQueueCharacters.empty() && !is_repeated;
}

Press press_area(const char* id, const Rect& area, bool is_enabled) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginDisabled(!is_enabled);
    Press press;
    press.clicked = ImGui::InvisibleButton(id, area.size(), ImGuiButtonFlags_EnableNav);
    press.hovered = is_enabled && ImGui::IsItemHovered();
    press.held = ImGui::IsItemActive();
    const bool was_dragged =
        ImGui::IsMouseReleased(0) && ImGui::GetIO().MouseDragMaxDistanceSqr[0] > kClickReach * kClickReach;
    press.clicked = press.clicked && !was_dragged;
    ImGui::EndDisabled();
    return press;
}

Color control_color(const Palette& palette, const Press& press) {
    if (press.held) return palette.line;
    return press.hovered ? mix(palette.raised, palette.line, 0.5f) : palette.raised;
}

namespace {

constexpr float kTipWidth = 260;

// Below the last control, or above it where there is no room: a tip does not cover what it is about. Beside a control
// that fills a narrow panel, so that those below it can still be read.
void place_tip() {
    constexpr float kGap = 6, kTallest = 120, kPadding = 24, kWide = 120, kOfScreen = 0.25f;
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax(), screen = ImGui::GetIO().DisplaySize;
    if (max.x - min.x > kWide && max.x < screen.x * kOfScreen)
        return ImGui::SetNextWindowPos({max.x + 2 * kGap, min.y}, ImGuiCond_Always);
    const bool is_above = max.y + kGap + kTallest > screen.y && min.y > kTallest;
    const bool is_at_right_end = min.x + kTipWidth + kPadding > screen.x;
    ImGui::SetNextWindowPos({is_at_right_end ? std::min(max.x, screen.x - 8) : std::max(min.x, 8.0f),
                             is_above ? min.y - kGap : max.y + kGap},
                            ImGuiCond_Always, {is_at_right_end ? 1.0f : 0.0f, is_above ? 1.0f : 0.0f});
}

// Broken into lines that stand apart, which Dear ImGui's own do not.
void tip_lines(std::string_view text) {
    constexpr float kBetween = 0.35f; // of the size
    ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, std::round(ImGui::GetFontSize() * kBetween));
    while (!text.empty()) {
        const std::string_view line = first_line(ImGui::GetFont(), ImGui::GetFontSize(), text, kTipWidth);
        ImGui::TextUnformatted(line.data(), line.data() + line.size());
        text.remove_prefix(line.size());
        while (text.starts_with(' ') || text.starts_with('\n')) text.remove_prefix(1);
    }
    ImGui::PopStyleVar();
}

} // namespace

void show_tip(const Theme& theme, const Tip& tip) {
    const bool is_empty = tip.title.empty() && tip.sentence.empty();
    if (ImGui::GetIO().MouseSource == ImGuiMouseSource_TouchScreen) return; // a finger leaves no pointer behind
    constexpr ImGuiHoveredFlags kFlags =
        ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_NoSharedDelay | ImGuiHoveredFlags_AllowWhenDisabled;
    if (is_empty || ImGui::IsItemActive() || !ImGui::IsItemHovered(kFlags)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {12, 8});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8);
    place_tip();
    if (ImGui::BeginTooltip()) {
        ImGui::PushFont(theme.fonts.text, type_size::kList);
        tip_lines(tip.title);
        draw_keys(theme, tip.keys);
        ImGui::PushStyleColor(ImGuiCol_Text, theme.palette.dim.u32());
        tip_lines(tip.sentence);
        ImGui::PopStyleColor();
        ImGui::PopFont();
        ImGui::EndTooltip();
    }
    ImGui::PopStyleVar(2);
}

bool icon_button(const Theme& theme, const IconButton& button) {
    const Palette& palette = theme.palette;
    const ImVec2 at = button.center;
    const float reach_up = std::max(button.reach, button.reach_up);
    const Rect area{at.x - button.reach, at.y - reach_up, at.x + button.reach, at.y + reach_up};
    const Press press = press_area(button.id, area, button.is_enabled);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    if (press.hovered || press.held) {
        fill_rounded(draw_list, area, control_color(palette, {.held = press.held}).u32(), 6);
    }
    const Color idle = button.is_enabled ? palette.dim : mix(palette.panel, palette.dim, 0.4f);
    draw_icon(theme, draw_list, button.icon, button.center, press.hovered ? palette.text : idle, button.icon_size);
    show_tip(theme, button.tip);
    return press.clicked;
}

bool text_button(const Theme& theme, const TextButton& button) {
    const Palette& palette = theme.palette;
    TextStyle style = plain_text(theme, type_size::kCell, palette.dim);
    const float width = text_width(style, button.text);
    const float left = button.align == Align::right ? button.baseline.x - width : button.baseline.x;
    const Rect area{left - 4, button.baseline.y - 14, left + width + 4, button.baseline.y + 6};
    const Press press = press_area(button.id, area, button.is_enabled);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    if (press.hovered) style.color = palette.accent;
    if (!button.is_enabled) style.color = mix(palette.panel, palette.dim, 0.4f);
    draw_text(draw_list, style, {left, button.baseline.y}, button.text);
    show_tip(theme, button.tip);
    return press.clicked;
}

bool framed_button(const Theme& theme, const FramedButton& button) {
    const Palette& palette = theme.palette;
    const Press press = press_area(button.id, button.area, button.is_enabled);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const Color fill = button.is_main && button.is_enabled ? palette.text : control_color(palette, press);
    const Color shown = button.is_main && (press.hovered || press.held) ? palette.accent : fill;
    fill_rounded(draw_list, button.area, shown.u32(), 6);
    Color ink = button.is_main ? palette.panel : palette.text;
    if (!button.is_enabled) ink = palette.faint;
    const TextStyle style = semibold_text(theme, type_size::kList, ink, Align::center);
    const ImVec2 center = button.area.center();
    draw_text(draw_list, style, {center.x, centered_baseline(center.y, style.size)}, button.text);
    return press.clicked;
}

namespace {
constexpr float kChipPadding = 8.5f;
}

float chip_width(const Theme& theme, std::string_view text, float most_width) {
    constexpr float kLeastWidth = 22;
    const TextStyle style = plain_text(theme, type_size::kControl, {});
    return std::clamp(text_width(style, text) + 2 * kChipPadding, kLeastWidth, std::max(kLeastWidth, most_width));
}

Press chip(const Theme& theme, const Chip& chip) {
    const Palette& palette = theme.palette;
    const Press press = press_area(chip.id, chip.area);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const Color fill = chip.is_chosen ? palette.accent : control_color(palette, press);
    const float round = chip.area.height() / 2;
    fill_rounded(draw_list, chip.area, fill.u32(), round);
    TextStyle style = plain_text(theme, type_size::kControl, chip.is_chosen ? palette.background : palette.text);
    if (chip.is_chosen) style.font = theme.fonts.text_semibold;
    style.align = Align::center;
    const ImVec2 center = chip.area.center();
    draw_text_within(draw_list, style, {center.x, centered_baseline(center.y, style.size)}, chip.text,
                     chip.area.width() - kChipPadding);
    return press;
}

bool switch_control(const Theme& theme, const Switch& control) {
    constexpr float kTrackWidth = 30;
    constexpr float kTrackHeight = 16;
    const Palette& palette = theme.palette;
    const Press press = press_area(control.id, control.area);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float middle = control.area.center().y;
    const Rect track{control.area.left, middle - kTrackHeight / 2, control.area.left + kTrackWidth,
                     middle + kTrackHeight / 2};
    const Color off = press.hovered ? mix(palette.line, palette.faint, 0.4f) : palette.line;
    fill_rounded(draw_list, track, (control.is_on ? palette.accent : off).u32(), kTrackHeight / 2);
    const float knob_x = control.is_on ? track.right - kTrackHeight / 2 : track.left + kTrackHeight / 2;
    draw_list.AddCircleFilled({knob_x, middle}, kTrackHeight / 2 - 2.5f, palette.panel.u32());
    const TextStyle style = plain_text(theme, type_size::kList, palette.text);
    const float text_left = track.right + 10;
    draw_text_within(draw_list, style, {text_left, centered_baseline(middle, style.size)}, control.text,
                     control.area.right - text_left);
    return press.clicked;
}

float section_label(const Theme& theme, ImVec2 baseline, std::string_view text) {
    const TextStyle style = semibold_text(theme, type_size::kCaption, theme.palette.faint);
    draw_text(*ImGui::GetWindowDrawList(), style, baseline, text);
    return text_width(style, text);
}

void divider(const Theme& theme, ImVec2 from, float width) {
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + width, from.y + 1}, theme.palette.line.u32());
}

} // namespace lab
