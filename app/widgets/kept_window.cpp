#include "app/widgets/kept_window.h"

#include <algorithm>

#include <imgui_internal.h>

namespace lab {

namespace {

// Whatever is pressed, typed or scrolled may be a shortcut or a command; a menu that is open belongs to somebody.
bool has_events(const ImGuiContext& imgui) {
    const auto& events = imgui.InputEventsTrail; // of this frame
    return imgui.OpenPopupStack.Size > 0 || std::any_of(events.begin(), events.end(), [](const ImGuiInputEvent& event) {
               return event.Type != ImGuiInputEventType_MousePos;
           });
}

// Pointed at, held, or where the keyboard is seen to be.
bool is_in_use(const ImGuiContext& imgui, const ImGuiWindow& window) {
    const auto is_in_it = [&](const ImGuiWindow* other) { return other != nullptr && other->RootWindow == &window; };
    const bool has_cursor = imgui.NavCursorVisible && imgui.NavId != 0 && is_in_it(imgui.NavWindow);
    return is_in_it(imgui.HoveredWindow) || is_in_it(imgui.ActiveIdWindow) || has_cursor;
}

} // namespace

bool KeptWindow::begin(const char* name, ImGuiWindowFlags flags, bool is_as_drawn) {
    constexpr int kToSettle = 2; // frames: what has another size is laid out by what it was drawn with before
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    const ImGuiWindow* window = ImGui::FindWindowByName(name);
    const bool was_there = window != nullptr && window->LastFrameActive == imgui.FrameCount - 1;
    const bool is_calm = was_there && is_as_drawn && !has_events(imgui) && !is_in_use(imgui, *window);
    n_calm_ = is_calm ? n_calm_ + 1 : 0;
    if (n_calm_ > kToSettle) ImGui::SetNextWindowRefreshPolicy(ImGuiWindowRefreshFlags_TryToAvoidRefresh);
    ImGui::Begin(name, nullptr, flags);
    return !ImGui::GetCurrentWindowRead()->SkipRefresh;
}

} // namespace lab
