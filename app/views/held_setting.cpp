#include "app/views/held_setting.h"

#include <algorithm>
#include <cmath>

#include <imgui_internal.h>

namespace lab {

// The pointer has left, or somebody else has scrolled. A finger that is lifted points nowhere and has not left.
void begin_held_setting(ViewContext& context, const Rect& panel) {
    HeldSetting& held = context.ui.held_setting;
    if (held.id == 0) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool has_left = ImGui::IsMousePosValid(&mouse) && !panel.contains(mouse) &&
                          !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    const bool is_scrolled = std::fabs(ImGui::GetScrollY() - held.scroll) > 0.5f;
    if (!has_left && !is_scrolled) return;
    held = {};
    context.ui.wants_frame = true;
}

float held_gap(const ViewContext& context) { return context.ui.held_setting.gap; }
bool is_setting_held(const ViewContext& context) { return context.ui.held_setting.id != 0; }

void hold_setting(ViewContext& context, float top) {
    HeldSetting& held = context.ui.held_setting;
    held.id = ImGui::GetID("setting");
    held.top = top;
    held.scroll = ImGui::GetScrollY();
}

void keep_place_of_setting(Column& column, float top) {
    HeldSetting& held = column.context.ui.held_setting;
    const float y = ImGui::GetIO().MousePos.y;
    const bool is_clicked = ImGui::IsMouseClicked(0) &&
                            ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && y >= top &&
                            y < column.y;
    if (is_clicked) hold_setting(column.context, top);
    if (held.id == ImGui::GetID("setting")) held.moved = top - held.top;
}

float end_held_setting(ViewContext& context, float height) {
    HeldSetting& held = context.ui.held_setting;
    if (held.id == 0) return height;
    const float shrinks = std::clamp(held.moved, 0.0f, held.gap);
    const float target = held.scroll + std::exchange(held.moved, 0.0f) - shrinks;
    held.gap += std::max(0.0f, -target) - shrinks;
    const float scroll = std::max(0.0f, target);
    if (scroll != held.scroll || shrinks > 0 || target < 0) context.ui.wants_frame = true;
    if (scroll != held.scroll) ImGui::SetScrollY(scroll);
    held.scroll = scroll;
    const float room = ImGui::GetCurrentWindow()->InnerRect.GetHeight();
    held.height = std::max({held.height, height, scroll > 0 ? scroll + room : 0.0f});
    return held.height;
}

} // namespace lab
