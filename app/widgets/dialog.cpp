#include "app/widgets/dialog.h"

#include <algorithm>

#include <imgui_internal.h>

namespace lab {

namespace {

constexpr float kDialogPadding = 24;
constexpr float kDialogHeader = 60; // above the content

// Where a dialog was put in the middle of a window of this size.
struct KeptPlace {
    ImVec2 screen{0, 0};
    float top = 0;
};
constexpr ImGuiID kScreenX = 1, kScreenY = 2, kTop = 3; // in the dialog's storage

KeptPlace kept_place(const ImGuiStorage& storage) {
    return {{storage.GetFloat(kScreenX), storage.GetFloat(kScreenY)}, storage.GetFloat(kTop)};
}

void keep_place() {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    storage.SetFloat(kScreenX, ImGui::GetIO().DisplaySize.x);
    storage.SetFloat(kScreenY, ImGui::GetIO().DisplaySize.y);
    storage.SetFloat(kTop, ImGui::GetWindowPos().y);
}

// In the middle when it opens or the window changes. What is written into it may make it higher, and what is being typed into must
// not move then: its top stays, unless its end would leave the window. Fits a telephone: the margin shrinks with the window.
// Returns whether it was put in the middle.
bool place_dialog(const Dialog& dialog) {
    constexpr float kMargin = 12;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float shown_width = std::min(dialog.width, screen.x - 2 * kMargin);
    ImGui::SetNextWindowSizeConstraints({shown_width, 0}, {shown_width, screen.y - 2 * kMargin});
    ImGuiWindow* window = ImGui::FindWindowByName(dialog.id);
    const bool was_seen = window != nullptr && window->WasActive && !window->Hidden; // its first frame measures it
    const KeptPlace kept = was_seen ? kept_place(window->StateStorage) : KeptPlace();
    const bool stays = kept.screen.x == screen.x && kept.screen.y == screen.y;
    if (stays) {
        const float top = std::min(kept.top, screen.y - kMargin - window->Size.y);
        ImGui::SetNextWindowPos({screen.x / 2, top}, ImGuiCond_Always, {0.5f, 0});
    } else {
        ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    }
    return !stays;
}

bool begin_modal(const char* id) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 12);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                        ImGuiWindowFlags_NoResize;
    const bool is_shown = ImGui::BeginPopupModal(id, nullptr, kFlags);
    ImGui::PopStyleVar(2);
    return is_shown;
}

// The Escape that closed a list within the dialog does not close the dialog.
bool escapes() {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID("had a list");
    return ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !storage.GetBool(key);
}

} // namespace

bool begin_dialog(const Theme& theme, const Dialog& dialog, bool& is_open, Rect& content) {
    if (is_open && !ImGui::IsPopupOpen(dialog.id)) ImGui::OpenPopup(dialog.id);
    const bool is_put_in_middle = place_dialog(dialog);
    if (!begin_modal(dialog.id)) return false;
    if (is_put_in_middle) keep_place();
    ImGui::GetCurrentContext()->DimBgRatio = 1; // at once: fading in would need frames
    if (escapes()) is_open = false;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetWindowWidth();
    const TextStyle title{theme.fonts.text_bold, type_size::kName, theme.palette.text, Align::left};
    draw_text_within(*ImGui::GetWindowDrawList(), title, {corner.x + kDialogPadding, corner.y + 36}, dialog.title,
                     width - 2 * kDialogPadding - 32);
    const ImVec2 cross{corner.x + width - kDialogPadding - 4, corner.y + 30};
    if (icon_button(theme, {.id = "close",
                            .icon = Icon::close,
                            .center = cross,
                            .tip = {.title = "Close", .keys = "Esc"},
                            .icon_size = 15})) {
        is_open = false;
    }
    content = {corner.x + kDialogPadding, corner.y + kDialogHeader, corner.x + width - kDialogPadding,
               corner.y + kDialogHeader};
    if (is_open) return true;
    ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return false;
}

void end_dialog(float content_bottom) {
    const ImVec2 corner = ImGui::GetWindowPos();
    ImGui::SetCursorScreenPos({corner.x, content_bottom + kDialogPadding - 1});
    ImGui::Dummy({1, 1});
    const bool has_focus = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows | ImGuiFocusedFlags_NoPopupHierarchy);
    ImGui::GetStateStorage()->SetBool(ImGui::GetID("had a list"), !has_focus);
    ImGui::EndPopup();
}

DialogAnswer dialog_buttons(const Theme& theme, const DialogButtons& buttons) {
    constexpr float kHeight = 32;
    const TextStyle style = semibold_text(theme, type_size::kList, {});
    const float main_width = text_width(style, buttons.main) + 32;
    const Rect main{buttons.right - main_width, buttons.top, buttons.right, buttons.top + kHeight};
    const Rect cancel{main.left - 8 - 80, main.top, main.left - 8, main.bottom};
    const bool cancelled = framed_button(theme, {"cancel", "Cancel", cancel});
    const bool confirmed = framed_button(theme, {"main", buttons.main, main, true, buttons.is_enabled});
    const bool entered =
        (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false)) &&
        ImGui::IsWindowFocused() && !ImGui::IsAnyItemActive() && !ImGui::GetIO().NavVisible &&
        !ImGui::GetIO().WantTextInput;
    if (cancelled) return DialogAnswer::cancel;
    return (confirmed || entered) && buttons.is_enabled ? DialogAnswer::main : DialogAnswer::none;
}

} // namespace lab
