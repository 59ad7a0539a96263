#include "app/views/panel_focus.h"

#include <imgui_internal.h>

namespace lab {

namespace {

constexpr int kParts = 5; // of KeyboardPlace

const char* window_of(KeyboardPlace place) {
    switch (place) {
    case KeyboardPlace::canvas: return "Canvas";
    case KeyboardPlace::canvas_strip: return "##canvas strip";
    case KeyboardPlace::left_panel: return "##left panel";
    case KeyboardPlace::inspector: return "##inspector";
    case KeyboardPlace::top_bar: return "##top bar";
    }
    return "";
}

ImGuiWindow* drawn_window(KeyboardPlace place) {
    ImGuiWindow* window = ImGui::FindWindowByName(window_of(place));
    return window != nullptr && window->WasActive ? window : nullptr;
}

void set_navigation(bool is_on) {
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    flags = is_on ? flags | ImGuiConfigFlags_NavEnableKeyboard : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
}

bool was_clicked() { return ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2); }

} // namespace

void go_by_panels(ViewContext& context, int by) {
    if (drawn_window(KeyboardPlace::canvas) == nullptr) return;
    int place = static_cast<int>(context.ui.keyboard_at);
    ImGuiWindow* window = nullptr;
    while (window == nullptr) {
        place = (place + by + kParts) % kParts;
        window = drawn_window(static_cast<KeyboardPlace>(place));
    }
    return_to_canvas(context);
    context.ui.keyboard_at = static_cast<KeyboardPlace>(place);
    if (context.ui.keyboard_at == KeyboardPlace::canvas) return;
    set_navigation(true);
    ImGui::FocusWindow(window);
    ImGui::NavInitWindow(window, true);
    ImGui::SetNavCursorVisibleAfterMove();
}

bool return_to_canvas(ViewContext& context) {
    if (context.ui.keyboard_at == KeyboardPlace::canvas) return false;
    context.ui.keyboard_at = KeyboardPlace::canvas;
    ImGui::FocusWindow(nullptr);
    return true;
}

// Menus and dialogs are walked through by keys wherever the keyboard was before. Tab is kept from Dear ImGui by owning
// it, since it would go to a panel's next text field even with navigation off.
void settle_keyboard(ViewContext& context) {
    ImGuiContext& imgui = *ImGui::GetCurrentContext();
    imgui.ConfigNavWindowingKeyNext = imgui.ConfigNavWindowingKeyPrev = 0; // Ctrl+Tab is the browser's; F6 does it here
    if (drawn_window(KeyboardPlace::canvas) == nullptr) return set_navigation(true);
    if (was_clicked()) context.ui.keyboard_at = KeyboardPlace::canvas;
    const bool is_elsewhere = context.ui.keyboard_at != KeyboardPlace::canvas || context.ui.has_dialog() ||
                              ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) || ImGui::GetIO().WantTextInput;
    set_navigation(is_elsewhere);
    if (!is_elsewhere) ImGui::SetKeyOwner(ImGuiKey_Tab, ImHashStr("canvas"));
}

} // namespace lab
