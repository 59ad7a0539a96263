#include <algorithm>
#include <cstdint>
#include <utility>

#include <imgui_internal.h>

#include "app/session/heads.h"
#include "app/session/labels.h"
#include "app/session/sections.h"
#include "app/views/cell_editor.h"
#include "app/widgets/controls.h"
#include "app/widgets/text.h"
#include "engine/derivation.h"

namespace lab {

namespace {

constexpr std::size_t kLongestText = 64; // bytes; longer is no number

void erase_last_character(std::string& text) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
}

bool begins_number(ImWchar character) {
    return (character >= '0' && character <= '9') || character == '-' || character == '.' || character == 0x2212 ||
           character == ',';
}

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key); }

// The neighbour that a key leads to: {0, 0} for any other key.
struct Step {
    int rows = 0;
    int cols = 0;
    bool goes_on = false; // from the end of a row in the next one
    bool to_end = false;  // as far as it goes
};

Step pressed_step(bool edits) {
    const bool shift = ImGui::GetIO().KeyShift;
    if (pressed(ImGuiKey_Tab)) return {0, shift ? -1 : 1, true};
    if (edits && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter))) return {shift ? -1 : 1, 0};
    if (ImGui::GetIO().KeyAlt) return {};
    if (pressed(ImGuiKey_UpArrow)) return {-1, 0};
    if (pressed(ImGuiKey_DownArrow)) return {1, 0};
    if (pressed(ImGuiKey_LeftArrow)) return {0, -1};
    if (pressed(ImGuiKey_RightArrow)) return {0, 1};
    return {};
}

// Home and End lead to the ends of a row, with Ctrl to those of a column.
Step pressed_end() {
    const int by = pressed(ImGuiKey_Home) ? -1 : pressed(ImGuiKey_End) ? 1 : 0;
    const bool is_of_column = ImGui::GetIO().KeyCtrl;
    return {is_of_column ? by : 0, is_of_column ? 0 : by, false, true};
}

// From a place to the neighbour, or as far as it goes.
int led_to(int place, int by, int n, bool to_end) {
    if (!to_end || by == 0) return place + by;
    return by > 0 ? n - 1 : 0;
}

// Moves the pinned cell; from the end of a row Tab goes on in the next one, arrows stay there. Stays inside the matrix.
void move_pinned(ViewContext& context, Step step) {
    const TensorCell* pinned = context.selection.pinned();
    if (pinned == nullptr) return;
    const Program& program = context.lab.program();
    const int index = program.find(pinned->tensor);
    if (index < 0) return;
    const Node& node = program.node(index);
    const MatrixExtent extent = shown_extent(node);
    const ShownPlace from = shown_place(node, pinned->cell);
    const int row = led_to(from.row, step.rows, extent.n_rows, step.to_end);
    const int col = led_to(from.col, step.cols, extent.n_cols, step.to_end);
    if (row < 0 || row >= extent.n_rows) return;
    const bool is_beside = col < 0 || col >= extent.n_cols;
    if (is_beside && !step.goes_on) return;
    const std::int64_t n_cols = extent.n_cols, last = extent.n_rows * n_cols - 1;
    const std::int64_t place = std::clamp<std::int64_t>(row * n_cols + col, 0, last);
    const ShownPlace to{static_cast<int>(place / n_cols), static_cast<int>(place % n_cols)};
    context.selection.visit({pinned->tensor, cell_at_place(node, pinned->cell, to)}, program);
    context.ui.let_keyboard_lead();
    const bool is_at_end = to.row == from.row && to.col == from.col;
    if (is_at_end && step.goes_on) context.ui.key_note = "Tab goes no further here; F6 leads on to the panels";
}

// Dear ImGui's own rule for its items, asked for here since the canvas takes no part in its navigation: what the resting
// mouse happens to lie on is not hovered, until the mouse moves.
void let_keyboard_lead(ViewContext& context) {
    UiState& ui = context.ui;
    if (mouse_acts()) ui.keyboard_leads = false;
    const bool is_covered = ui.has_dialog() || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    if (!ui.keyboard_leads || ui.keyboard_at != KeyboardPlace::canvas || is_covered) return;
    ImGuiContext& imgui = *ImGui::GetCurrentContext();
    if (imgui.NavId != 0) ImGui::FocusWindow(nullptr);
    imgui.NavHighlightItemUnderNav = imgui.NavCursorVisible = true;
    const TensorCell* pinned = context.selection.pinned();
    const Program& program = context.lab.program();
    const int node = pinned ? program.find(pinned->tensor) : -1;
    if (node < 0) return;
    ui.status = cell_text(context.lab.document(), program.node(node), pinned->cell) + " = " +
                number_text(context.lab.trace().at(node, pinned->cell));
}

bool is_letter(ImWchar character) {
    const bool is_latin = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    return is_latin || (character >= 0xC0 && character != 0xD7 && character != 0xF7 && character != 0x2212);
}

// What else is typed on a number than a number or a shortcut (which takes the note away again) is said to be none.
void note_slip(ViewContext& context) {
    const auto& typed = ImGui::GetIO().InputQueueCharacters;
    if (types_anew() && std::any_of(typed.begin(), typed.end(), is_letter))
        context.ui.key_note = "type a number; Enter edits the one that is there, Esc lets go of it";
}

// A letter that no number begins with, on a number that is yet untouched: a double click opened the field, perhaps unnoticed,
// and a shortcut was meant. It shall not cost the number. "inf" and "∞" are a mask's.
bool is_slip(const CellEditor& editor, ImWchar character) {
    constexpr ImWchar kInfinity = 0x221E;
    const bool begins_infinity = character == 'i' || character == 'I' || character == kInfinity;
    return editor.replaces_all && is_letter(character) && !begins_infinity;
}

void type_into(ViewContext& context, CellEditor& editor) {
    const ImGuiIO& io = ImGui::GetIO();
    const auto replace_all = [&] {
        if (editor.replaces_all) editor.text.clear();
        editor.replaces_all = false;
        if (!editor.error.empty()) context.ui.error.clear();
        editor.error.clear();
    };
    if (pressed(ImGuiKey_Backspace)) {
        if (editor.replaces_all)
            editor.text.clear();
        else
            erase_last_character(editor.text);
        editor.replaces_all = false;
    }
    if (pressed(ImGuiKey_Delete)) editor.text.clear();
    if (io.KeyCtrl && pressed(ImGuiKey_A)) editor.replaces_all = true;
    if (io.KeyCtrl && pressed(ImGuiKey_C)) ImGui::SetClipboardText(editor.text.c_str());
    if (io.KeyCtrl && pressed(ImGuiKey_V)) {
        const char* pasted = ImGui::GetClipboardText();
        replace_all();
        if (pasted != nullptr) editor.text += pasted;
    }
    for (ImWchar character : io.InputQueueCharacters) {
        if (character < 32 || io.KeyCtrl) continue;
        if (is_slip(editor, character)) {
            context.ui.key_note = "type a number; Esc closes the field and leaves the one that is there";
            continue;
        }
        replace_all();
        append_character(editor.text, character);
    }
    while (editor.text.size() > kLongestText) erase_last_character(editor.text);
    context.ui.status_hint = !editor.error.empty()     ? "type a number in its place · Esc restores the one before"
                             : keeps_computed(context) ? "Enter keeps it, Tab or arrows also move on · Esc restores"
                                                       : "Enter, Tab or arrows keep it and move on · Esc restores";
}

// While a field is open all keys are its own.
void handle_editor_keys(ViewContext& context) {
    CellEditor& editor = *context.ui.editor;
    if (pressed(ImGuiKey_Escape)) {
        if (!editor.error.empty()) context.ui.error.clear();
        context.ui.editor.reset();
        return;
    }
    type_into(context, editor);
    const Step step = pressed_step(true);
    if (step.rows == 0 && step.cols == 0) return;
    const TensorCell typed = editor.where;
    if (!commit_cell_editor(context)) return;
    if (keeps_computed(context)) {
        if (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter)) return; // back to what is kept
        context.selection.visit(typed, context.lab.program());
    }
    move_pinned(context, step);
}

bool types_number() {
    const auto& typed = ImGui::GetIO().InputQueueCharacters;
    return std::any_of(typed.begin(), typed.end(), begins_number);
}

// Where a number goes that is typed now.
std::optional<TensorCell> typed_cell(const ViewContext& context, const std::optional<TensorCell>& pointed_at) {
    if (pointed_at && is_given(context, *pointed_at)) return pointed_at;
    const TensorCell* pinned = context.selection.pinned();
    return pinned != nullptr && is_given(context, *pinned) ? std::optional(*pinned) : std::nullopt;
}

// False where no key asks for it, or there is nothing to type into.
bool begin_typing(ViewContext& context, const std::optional<TensorCell>& pointed_at) {
    const std::optional<TensorCell> where = typed_cell(context, pointed_at);
    const bool opens = pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter) || pressed(ImGuiKey_F2);
    if (ImGui::GetIO().KeyCtrl || !where || !(opens || types_number())) return false;
    if (!keeps_computed(context)) context.selection.visit(*where, context.lab.program());
    open_cell_editor(context, *where);
    if (types_number()) type_into(context, *context.ui.editor);
    return true;
}

// With a cell pinned and no field open: keys that begin to type or move on.
void handle_pinned_keys(ViewContext& context, const std::optional<TensorCell>& pointed_at) {
    const TensorCell pinned = *context.selection.pinned();
    const Step end = pressed_end();
    if (end.rows != 0 || end.cols != 0) return move_pinned(context, end);
    if (ImGui::GetIO().KeyCtrl) return;
    const Step step = pressed_step(false);
    if (step.rows != 0 || step.cols != 0) return move_pinned(context, step);
    if (begin_typing(context, pointed_at)) return;
    if (is_given(context, pinned)) return note_slip(context);
    const Program& program = context.lab.program();
    const int node = program.find(pinned.tensor);
    if (types_number() && node >= 0)
        context.ui.key_note = short_name(program.node(node)) + " is computed; change what it is made from";
}

// With nothing pinned: the keys that move from cell to cell begin in the chosen query's row of the first tensor.
void handle_first_key(ViewContext& context, const std::optional<TensorCell>& pointed_at) {
    if (begin_typing(context, pointed_at)) return;
    const Step step = pressed_step(false);
    const Program& program = context.lab.program();
    if ((step.rows == 0 && step.cols == 0) || ImGui::GetIO().KeyCtrl || program.nodes.empty()) return;
    const std::vector<int> nodes = nodes_on_canvas(context.selection, program);
    if (nodes.empty()) return;
    const int first = shown_node(context.selection, program, nodes.front());
    const Node& node = program.node(first);
    const Block of_head = block_of_head(program, first, context.selection.head);
    const int row = std::min(context.selection.query, node.shape.rows - 1);
    context.selection.visit({node.name, {of_head.planes.begin, row, of_head.cols.begin}}, program);
    context.ui.let_keyboard_lead();
}

// By a click beside the field, or by another cell being pinned from a list: what was typed is kept.
bool is_left(const ViewContext& context) {
    const CellEditor& editor = *context.ui.editor;
    const TensorCell* pinned = context.selection.pinned();
    const bool clicks_beside =
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !editor.field.contains(ImGui::GetIO().MousePos);
    return clicks_beside || pinned == nullptr || *pinned != editor.pinned;
}

bool is_text_field_active() {
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    return imgui.ActiveId != 0 && imgui.ActiveId == imgui.InputTextState.ID;
}

} // namespace

void handle_cell_keys(ViewContext& context) {
    std::optional<CellEditor>& editor = context.ui.editor;
    std::optional<TensorCell> pointed_at = std::exchange(context.ui.typing_target, {});
    let_keyboard_lead(context);
    if (context.ui.keyboard_leads) pointed_at.reset(); // where the mouse rests since
    if (editor && !is_given(context, editor->where)) editor.reset();
    if (editor && is_left(context)) commit_cell_editor(context);
    const bool elsewhere =
        is_text_field_active() || context.ui.takes_focus || (ImGui::GetIO().WantTextInput && !editor);
    if (elsewhere || context.ui.drag || context.ui.has_dialog()) return;
    if (context.ui.keyboard_at != KeyboardPlace::canvas && !editor) return;
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
    if (editor)
        handle_editor_keys(context);
    else if (context.selection.pinned() != nullptr)
        handle_pinned_keys(context, pointed_at);
    else
        handle_first_key(context, pointed_at);
}

} // namespace lab
