#include "app/views/shortcuts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/views/cell_editor.h"
#include "app/views/dialogs.h"
#include "app/views/gradient_choice.h"
#include "app/views/head_choice.h"
#include "app/views/mask_painting.h"
#include "app/views/panel_focus.h"
#include "app/views/query_choice.h"
#include "app/views/step_choice.h"
#include "app/widgets/controls.h"

namespace lab {

namespace {

template <Action action> void ask(ViewContext& context) { context.actions.push_back(action); }

// In a browser the platform listens for Ctrl+O itself, since a dialog opens only within the key's own event.
void ask_to_open(ViewContext& context) {
    if (!context.platform.has_file_dialog()) context.actions.push_back(Action::open);
}

template <int by> void step(ViewContext& context) {
    go_by_steps(context, by);
    context.ui.let_keyboard_lead();
}

template <int by> void choose_next_query(ViewContext& context) {
    const int n = n_queries(context.lab.program());
    if (n > 0) choose_query(context, (context.selection.query + by + n) % n);
    context.ui.let_keyboard_lead();
}

// What a key would do is said where there is nothing to do it to.
template <int by> void choose_next_head(ViewContext& context) {
    if (has_head_choice(context)) return choose_head_by(context, by);
    context.ui.key_note = "H chooses another head; there is no choice of heads here";
}
void show_all_heads(ViewContext& context) {
    if (has_head_choice(context)) return toggle_head_grid(context);
    context.ui.key_note = "G shows all heads side by side; there is no choice of heads here";
}
void show_gradient(ViewContext& context) {
    if (can_take_gradient(context)) return toggle_gradient(context);
    context.ui.key_note = "D shows gradients; nothing is computed here that one could be taken of";
}
void paint_masks(ViewContext& context) {
    if (context.ui.paints_mask || can_paint_mask(context)) return toggle_mask_painting(context);
    context.ui.key_note = "M paints the mask on scores and weights, none of which stand here";
}
template <int by> void turn_to(ViewContext& context) { turn_page(context, by); }
void take_head(ViewContext& context) {
    if (context.ui.head_grid.is_open) return toggle_combined_head(context, context.selection.head);
    context.ui.key_note = "A takes heads together while all of them are shown (G)";
}

void go_back(ViewContext& context) {
    if (context.selection.can_go_back()) context.selection.go_back(context.lab.program());
    context.ui.let_keyboard_lead();
}

void go_forward(ViewContext& context) {
    if (context.selection.can_go_forward()) context.selection.go_forward(context.lab.program());
    context.ui.let_keyboard_lead();
}

void read_numbers(ViewContext& context) { context.ui.zooms_to_numbers = true; }

template <int by> void change_panel(ViewContext& context) { go_by_panels(context, by); }

// Lets go of one thing at a time: an error, a panel, the brush, the pinned number and the row of its query, the step.
void let_go(ViewContext& context) {
    if (!context.ui.message().empty()) return context.ui.message().clear();
    if (return_to_canvas(context)) return;
    if (context.ui.paints_mask) return toggle_mask_painting(context);
    if (context.selection.pinned() || context.selection.points_at_query)
        context.selection.let_go();
    else
        context.selection.shown_stage.reset();
}

constexpr Shortcut kShortcuts[] = {
    {"Ctrl+Z", "Undo", ImGuiMod_Ctrl | ImGuiKey_Z, 0, 0, ask<Action::undo>, Action::undo},
    {"Ctrl+Shift+Z", "Redo, also Ctrl+Y", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiKey_Y, 0,
     ask<Action::redo>, Action::redo},
    {"Ctrl+O", "Open a session", ImGuiMod_Ctrl | ImGuiKey_O, 0, 0, ask_to_open, Action::open},
    {"Ctrl+S", "Save this session", ImGuiMod_Ctrl | ImGuiKey_S, 0, 0, ask<Action::save>, Action::save},
    {"Alt+N", "New session", ImGuiMod_Alt | ImGuiKey_N, 0, 0, ask<Action::new_document>, Action::new_document},
    {"[", "One step back", 0, 0, '[', step<-1>, {}},
    {"]", "One step on", 0, 0, ']', step<1>, {}},
    {"Q", "Choose the next query", ImGuiKey_Q, 0, 0, choose_next_query<1>, {}},
    {"Shift+Q", "Choose the query before", ImGuiMod_Shift | ImGuiKey_Q, 0, 0, choose_next_query<-1>, {}},
    {"H", "Choose the next head", ImGuiKey_H, 0, 0, choose_next_head<1>, {}},
    {"Shift+H", "Choose the head before", ImGuiMod_Shift | ImGuiKey_H, 0, 0, choose_next_head<-1>, {}},
    {"G", "All heads side by side", ImGuiKey_G, 0, 0, show_all_heads, {}},
    {"D", "Gradients in the place of the numbers", ImGuiKey_D, 0, 0, show_gradient, {}},
    {"M", "Paint the mask on scores and weights", ImGuiKey_M, 0, 0, paint_masks, {}},
    {"A", "All heads: take the chosen one with others", ImGuiKey_A, 0, 0, take_head, {}},
    {"PgDn", "On through a section, then to the next", ImGuiKey_PageDown, 0, 0, turn_to<1>, {}},
    {"PgUp", "Back through it, then to the one before", ImGuiKey_PageUp, 0, 0, turn_to<-1>, {}},
    {"Enter, 0–9", "Edit the given number", 0, 0, 0, nullptr, {}},
    {"Tab, arrows", "On to the next; Home, End: ends of the row", 0, 0, 0, nullptr, {}},
    {"Del", "Remove the chosen token after a click on it", 0, 0, 0, nullptr, {}},
    {"F6", "Keys to the next panel; Esc: back", ImGuiKey_F6, 0, 0, change_panel<1>, {}},
    {"Shift+F6", "Keys to the panel before", ImGuiMod_Shift | ImGuiKey_F6, 0, 0, change_panel<-1>, {}},
    {"Alt+Left", "Back to the number explained before", ImGuiMod_Alt | ImGuiKey_LeftArrow, 0, 0, go_back, {}},
    {"Alt+Right", "Forward again", ImGuiMod_Alt | ImGuiKey_RightArrow, 0, 0, go_forward, {}},
    {"Esc", "Restore the number, close, let go", ImGuiKey_Escape, 0, 0, let_go, {}},
    {"F", "Fit everything into view", ImGuiKey_F, 0, 0, ask<Action::fit_view>, Action::fit_view},
    {"Z", "Zoom in until the numbers here can be read", ImGuiKey_Z, 0, 0, read_numbers, {}},
    {"/", "Go to a number by its words", 0, 0, '/', ask_where_to, {}},
    {"T", "Dark or light theme", ImGuiKey_T, 0, 0, ask<Action::toggle_theme>, Action::toggle_theme},
    {"?", "This list", 0, 0, '?', ask<Action::show_help>, Action::show_help},
};

constexpr Gesture kMouseGestures[] = {
    {"Point at a number", "See the sum that made it and where it goes"},
    {"Click a number", "Keep it, and follow it to its sources"},
    {"Drag a given number", "Change it; all that follows changes with it"},
    {"Type on a given number", "Replace it"},
    {"Click a row's token", "Choose the query"},
    {"Press scores or weights after M", "Forbid keys, or allow them again"},
    {"Double-click small cells", "Zoom in until their numbers can be read"},
    {"Drag the canvas", "Move it; two fingers on a touch screen"},
    {"Wheel or pinch", "Zoom; through a long section the wheel scrolls, with Ctrl it zooms"},
    {"Double-click a token", "Rename it; its cross removes it"},
    {"Drag a token", "Move it to another place"},
    {"Drop a file", "Open it as a session"},
};

constexpr Gesture kFingerGestures[] = {
    {"Tap a number", "See the sum that made it and where it goes"},
    {"Tap a bar or a pill of the sheet", "Follow the number to its source, or on to what it feeds"},
    {"Tap a given number again", "Type another in its place"},
    {"Drag a given number sideways", "Change it, a chosen one in any direction; all that follows changes with it"},
    {"Tap a token", "Choose the query; in the menu its cross removes it, and twice renames it"},
    {"Press weights while painting the mask", "Forbid keys, or allow them again"},
    {"Pinch", "Zoom in until the numbers can be read, and out again"},
    {"Swipe", "Move the page, the tokens or the sheet"},
    {"Tap the menu", "Steps, settings, tokens and sessions"},
};

bool was_typed(char character) {
    const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    return character != 0 && std::find(typed.begin(), typed.end(), static_cast<ImWchar>(character)) != typed.end();
}

bool was_pressed(const Shortcut& shortcut) {
    const auto chord = [](ImGuiKeyChord keys) { return keys != 0 && ImGui::IsKeyChordPressed(keys); };
    return chord(shortcut.chord) || chord(shortcut.other_chord) || was_typed(shortcut.character);
}

// A field that it opens shall begin with what was typed behind it.
void take_typed(char character) {
    ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
    const auto at = std::find(typed.begin(), typed.end(), static_cast<ImWchar>(character));
    if (character != 0 && at != typed.end()) typed.erase(typed.begin(), at + 1);
}

bool keys_are_taken(const ViewContext& context) {
    const bool popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    return popup || ImGui::GetIO().WantTextInput || context.ui.takes_focus || context.ui.editor || context.ui.drag ||
           context.ui.mask_stroke || context.ui.drags_token;
}

// Farther than the hand takes it that has just clicked a button.
bool is_far(ImVec2 from, ImVec2 to) {
    constexpr float kByItself = 24;
    return std::hypot(to.x - from.x, to.y - from.y) > kByItself;
}

// An error that is only to be read goes with the next key or press; Esc takes it away as it does any other. What a key is told goes with
// the next key, what is typed or the mouse's next move; what was done with the mouse that goes on to something else.
void let_notes_pass(UiState& ui) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_escape = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (!ui.passing_error.empty() &&
        (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || (is_key_pressed() && !is_escape))) {
        if (ui.error == ui.passing_error) ui.error.clear();
        ui.passing_error.clear();
    }
    const bool types = types_anew() || is_key_pressed(), acts = mouse_acts() && !ui.notes_wait_for_tap;
    if (types || acts) ui.key_note.clear();
    if (!ui.done_note_mouse && ImGui::IsMousePosValid())
        ui.done_note_mouse = io.MousePos; // after a file dialog it comes in anywhere
    const bool stays = io.MouseWheel == 0 && io.MouseWheelH == 0 && !ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                       (!ui.done_note_mouse || !is_far(*ui.done_note_mouse, io.MousePos));
    if (types || (acts && !stays)) ui.done_note.clear();
}

// A number that was not moved, or a stroke that has come over no key: undo is of what came before.
bool holds_nothing_changed(const UiState& ui) {
    const bool is_still = ui.drag && !ui.drag->has_moved;
    return is_still || (ui.mask_stroke && ui.mask_stroke->n_painted == 0 && ui.mask_stroke->held.empty());
}

// The Escape that closes a menu does so when the frame begins: it lets go of nothing else. Other keys that follow at once are shortcuts.
void handle_shortcuts(ViewContext& context) {
    settle_keyboard(context);
    if (holds_nothing_changed(context.ui) && is_asked_by_key(Action::undo)) context.ui.take_back_press();
    const bool are_taken = keys_are_taken(context);
    const bool were_taken = std::exchange(context.ui.keys_were_taken, are_taken);
    context.ui.drags_token = false;
    if (are_taken || (were_taken && ImGui::IsKeyPressed(ImGuiKey_Escape, false))) return;
    for (const Shortcut& shortcut : kShortcuts) {
        if (!shortcut.run || !was_pressed(shortcut)) continue;
        context.ui.key_note.clear(); // of this key, as one that is typed on a number
        take_typed(shortcut.character);
        return shortcut.run(context);
    }
}

} // namespace

std::span<const Shortcut> shortcuts() { return kShortcuts; }
std::span<const Gesture> gestures(bool with_fingers) {
    if (with_fingers) return kFingerGestures;
    return kMouseGestures;
}

std::string keys_of(Action action) {
    for (const Shortcut& shortcut : kShortcuts) {
        if (shortcut.action == action) return shortcut.keys;
    }
    return {};
}

bool is_asked_by_key(Action action) {
    return std::any_of(std::begin(kShortcuts), std::end(kShortcuts),
                       [&](const Shortcut& shortcut) { return shortcut.action == action && was_pressed(shortcut); });
}

bool takes_back_press() { return ImGui::IsKeyPressed(ImGuiKey_Escape) || is_asked_by_key(Action::undo); }

void handle_keys(ViewContext& context) {
    context.ui.press_is_over = context.ui.press_is_over && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    let_notes_pass(context.ui);
    handle_cell_keys(context);
    handle_shortcuts(context);
}

// From everything a step on begins with the first.
void go_by_steps(ViewContext& context, int by) {
    const std::optional<int> shown = context.selection.shown_stage;
    const int n = static_cast<int>(context.lab.program().stages.size());
    if (n == 0) return;
    if (!shown)
        choose_step(context, by > 0 ? 0 : std::max(0, n - 2));
    else if (*shown + by >= n)
        choose_step(context, {});
    else
        choose_step(context, std::max(0, *shown + by));
}

} // namespace lab
