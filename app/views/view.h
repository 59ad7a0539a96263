#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/platform.h"
#include "app/session/command.h"
#include "app/session/lab.h"
#include "app/theme.h"
#include "app/views/ui_state.h"
#include "app/widgets/geometry.h"

namespace lab {

// An edit that a view asks for. Equal non-zero gestures are one step of undo: a drag.
struct CommandRequest {
    Command command;
    std::uint64_t gesture = 0;
};

// Things a view may ask for that are not edits.
enum class Action { undo, redo, open, save, new_document, toggle_theme, show_help, fit_view };

// What a view is given each frame, and where it puts its answers. Views draw and ask; they change no document.
struct ViewContext {
    const Lab& lab;
    Selection& selection; // what is hovered, pinned and chosen: not part of the document
    UiState& ui;
    const Theme& theme;
    Platform& platform;
    std::vector<CommandRequest>& commands;
    std::vector<Action>& actions;
    // When drawing began. All that is drawn asks this, since asking a browser takes long.
    double frame_s = platform.now_s();
};

} // namespace lab
