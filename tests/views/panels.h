#pragma once

#include <optional>
#include <variant>

#include "app/views/shortcuts.h"
#include "app/views/views.h"
#include "tests/views/headless.h"

namespace lab {

// The panels around the canvas, as the application lays them out at 1280 × 800.
inline void draw_panels(ViewContext& context) {
    handle_shortcuts(context);
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

// Places of the design's picture.
constexpr ImVec2 kFirstChip{40, 655};
constexpr ImVec2 kEmpty{640, 400};

} // namespace lab
