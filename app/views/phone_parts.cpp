#include <algorithm>
#include <optional>
#include <string>

#include <imgui_internal.h>

#include "app/session/heads.h"
#include "app/views/explanation_widgets.h"
#include "app/views/head_choice.h"
#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/widgets/rounded.h"

namespace lab {

bool is_dragged_here() {
    const ImVec2 corner = ImGui::GetWindowPos();
    // What is pressed is in front: the menu may lie over this window.
    const bool began_here = Rect::at(corner, ImGui::GetWindowSize()).contains(ImGui::GetIO().MouseClickedPos[0]) &&
                            ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
    return began_here && ImGui::IsMouseDragging(0) && !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
}

void scroll_by_drag() {
    if (!is_dragged_here()) return;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetScrollX(ImGui::GetScrollX() - io.MouseDelta.x);
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseDelta.y);
}

ScrollSigns scroll_signs(const Rect& area, float padding, float whole_until) {
    constexpr float kChevron = 18;
    ScrollSigns signs;
    const float scroll = ImGui::GetScrollX();
    if (scroll > padding + 1) signs.before = Rect{area.left, area.top, area.left + kScrollSign, area.bottom};
    if (scroll >= ImGui::GetScrollMaxX() - padding - 1) return signs;
    const float faded = area.right - kScrollSign;
    const float left = whole_until <= area.right - kChevron ? std::max(whole_until, faded) : faded;
    signs.after = Rect{left, area.top, area.right, area.bottom};
    return signs;
}

void scroll_by_signs(const Rect& area, const ScrollSigns& signs) {
    constexpr float kPressed = 32; // the outer part, where next to nothing of what lies beneath is to be seen
    const float way = std::max(area.width() - 2 * kScrollSign, area.width() / 2);
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    ImVec2& end_of_content = ImGui::GetCurrentWindow()->DC.CursorMaxPos; // which signs are no part of
    const ImVec2 end = end_of_content;
    const auto page = [&](const Rect& pressed, const char* id, float by) {
        ImGui::SetCursorScreenPos(pressed.min());
        if (ImGui::InvisibleButton(id, pressed.size()) && !ends_drag())
            ImGui::SetScrollX(std::clamp(ImGui::GetScrollX() + by, 0.0f, ImGui::GetScrollMaxX()));
    };
    if (signs.before) page({area.left, area.top, area.left + kPressed, area.bottom}, "##before", -way);
    if (signs.after) {
        const float left = std::max(signs.after->left, area.right - kPressed);
        page({left, area.top, area.right, area.bottom}, "##after", way);
    }
    ImGui::SetCursorScreenPos(cursor);
    end_of_content = end;
}

void draw_scroll_signs(const Theme& theme, const ScrollSigns& signs, Color background) {
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const ImU32 solid = background.u32(), clear = background.u32(0);
    const auto draw_sign = [&](const Rect& area, ImU32 begin, ImU32 end, Icon icon, float x) {
        draw_list.AddRectFilledMultiColor(area.min(), area.max(), begin, end, end, begin);
        draw_icon(theme, draw_list, icon, {x, area.center().y + 1}, theme.palette.dim, 14);
    };
    if (signs.before) draw_sign(*signs.before, solid, clear, Icon::chevron_left, signs.before->left + 10);
    if (signs.after) draw_sign(*signs.after, clear, solid, Icon::chevron_right, signs.after->right - 10);
}

namespace {

constexpr float kPillText = 150; // longer ones are cut

} // namespace

float pill_width(const Theme& theme, std::string_view text) {
    return std::min(text_width(semibold_text(theme, 12, {}), text), kPillText) + 2 * 10;
}

Pill draw_pill(ViewContext& context, ImVec2 corner, std::string_view text, std::string_view id, bool is_chosen) {
    constexpr float kHeight = 28;
    const Palette& palette = context.theme.palette;
    const TextStyle style =
        is_chosen ? semibold_text(context.theme, 12, palette.background) : plain_text(context.theme, 12, palette.text);
    const float text_w = std::min(text_width(style, text), kPillText);
    const Rect area = Rect::at(corner, {pill_width(context.theme, text), kHeight});
    ImGui::SetCursorScreenPos({area.left, area.center().y - kTouchTarget / 2});
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool clicked = ImGui::InvisibleButton("##pill", {area.width(), kTouchTarget}) && !ends_drag();
    ImGui::PopID();
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    fill_rounded(draw_list, area, (is_chosen ? palette.accent : palette.raised).u32(), kHeight / 2);
    draw_text_within(draw_list, style, {area.center().x - text_w / 2, area.top + 18.5f}, text, kPillText);
    return {clicked, area.right};
}

std::string short_title(const std::string& title) {
    constexpr std::string_view kWith = " with ";
    const std::size_t with = title.find(kWith);
    if (with == std::string::npos || title.find(": ") != std::string::npos) return title;
    std::string tail = title.substr(with + kWith.size());
    const bool is_code = tail.substr(0, tail.find(' ')).find_first_of("._") != std::string::npos;
    if (!is_code && !tail.empty() && tail[0] >= 'a' && tail[0] <= 'z') tail[0] = static_cast<char>(tail[0] - 'a' + 'A');
    return tail;
}

ImVec2 begin_pills(const char* id, const Rect& area) {
    ImGui::SetCursorScreenPos(area.min());
    constexpr ImGuiWindowFlags kRow = ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollbar;
    ImGui::BeginChild(id, area.size(), ImGuiChildFlags_None, kRow);
    scroll_by_drag();
    scroll_by_signs(area, scroll_signs(area, kBeforePills));
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    return {corner.x + kBeforePills, corner.y + area.height() / 2 - 14 + 1};
}

void end_pills(const ViewContext& context, const Rect& area, float right) {
    ImGui::SetCursorScreenPos({right, area.top});
    ImGui::Dummy({kBeforePills - kPillGap, 1}); // as much as before the first
    draw_scroll_signs(context.theme, scroll_signs(area, kBeforePills), context.theme.palette.background);
    ImGui::EndChild();
}

void draw_head_pills(ViewContext& context, const Rect& area) {
    ImVec2 corner = begin_pills("##head pills", area);
    corner.y -= 3; // closer to the tokens
    const TextStyle style = plain_text(context.theme, 12, context.theme.palette.dim);
    corner.x += draw_text(*ImGui::GetWindowDrawList(), style, {corner.x, corner.y + 18.5f}, "Head") + 10;
    for (int head = 0; head < n_heads(context.lab.program()); ++head) {
        const std::string number = std::to_string(head + 1);
        const Pill pill = draw_pill(context, corner, number, "head" + number, head == context.selection.head);
        if (pill.clicked) choose_head(context, head);
        corner.x = pill.right + kPillGap;
    }
    const Pill all = draw_pill(context, {corner.x + 8, corner.y}, "All", "all heads", context.ui.head_grid.is_open);
    if (all.clicked) toggle_head_grid(context);
    end_pills(context, area, all.right + kPillGap);
}

} // namespace lab
