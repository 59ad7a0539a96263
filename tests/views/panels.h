#pragma once

#include <optional>
#include <string>
#include <variant>

#include "app/views/shortcuts.h"
#include "app/views/views.h"
#include "tests/views/headless.h"

namespace lab {

// The panels around the canvas, as the application lays them out at 1280 × 800.
inline void draw_panels(ViewContext& context) {
    handle_keys(context);
    draw_top_bar(context, {0, 0, 1280, 48});
    draw_left_panel(context, {0, 48, 197, 772});
    draw_status_bar(context, {0, 772, 1280, 800});
    draw_dialogs(context);
}

// The command that was asked for, where it is the only one and of this kind.
template <class T> std::optional<T> only_command(HeadlessViews& views) {
    const std::vector<CommandRequest> commands = views.take_commands();
    const T* command = commands.size() == 1 ? std::get_if<T>(&commands[0].command) : nullptr;
    return command ? std::optional(*command) : std::nullopt;
}

// What is typed from the very next frame on, as a quick hand does; the first key could be a shortcut's.
inline void type_at_once(HeadlessViews& views, const std::string& text) {
    for (const char letter : text) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(letter));
        views.frame();
    }
}

// A click of which no more than the frame that lets go of the button has been drawn.
inline void click_briefly(HeadlessViews& views, ImVec2 point) {
    views.press(point);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    views.ui.wants_frame = false;
    views.frame();
}

// Places of the design's picture.
constexpr ImVec2 kOpenIcon{1097, 24}; // opens a file
constexpr ImVec2 kFirstChip{40, 655};
constexpr ImVec2 kEmpty{640, 400};

} // namespace lab
