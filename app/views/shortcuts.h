#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/views/view.h"

namespace lab {

// One line of the list of keys, and what carries it out. Both the handler and the help read this table.
struct Shortcut {
    const char* keys;                            // "Ctrl+Z", as it is shown
    const char* does;                            // "Undo"
    ImGuiKeyChord chord = 0;                     // what is pressed,
    ImGuiKeyChord other_chord = 0;               // or this,
    char character = 0;                          // or what is typed, wherever the keyboard has it
    void (*run)(ViewContext& context) = nullptr; // absent: another view listens, the line is for show
    std::optional<Action> action = {};           // what `run` asks for, if it is one of these
};
std::span<const Shortcut> shortcuts();

// What can be done with a mouse or with fingers, for the help.
struct Gesture {
    const char* gesture;
    const char* does;
};
std::span<const Gesture> gestures(bool with_fingers);

// The keys of an action, "Ctrl+Z"; empty if it has none.
std::string keys_of(Action action);

// Whether they are pressed in this frame, whoever has the keys.
bool is_asked_by_key(Action action);

// Whether what is held is to be as it was before the press: by Escape or undo.
bool takes_back_press();

// Once a frame, before all else: keys of the pinned cell, then shortcuts, which do nothing while text is typed, a menu or a dialog is
// open, or a cell is edited.
void handle_keys(ViewContext& context);

// Shows one step more or less of what has been computed, and a number of it: by = +1, −1. Past the last: everything.
void go_by_steps(ViewContext& context, int by);

} // namespace lab
