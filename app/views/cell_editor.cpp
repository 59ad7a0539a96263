#include "app/views/cell_editor.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "app/widgets/rounded.h"
#include "app/widgets/text.h"
#include "engine/formats/number_text.h"

namespace lab {

namespace {

constexpr const char* kSpace = " \t\r\n";

void replace_each(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) {
        text.replace(at, from.size(), to);
    }
}

// A float32, written with a point or a comma, a hyphen or a true minus. "−∞" or "-inf" where that has a meaning.
std::optional<float> parse_number(std::string text, bool may_be_infinite) {
    replace_each(text, "−", "-");
    replace_each(text, "∞", "inf");
    replace_each(text, ",", ".");
    text.erase(0, text.find_first_not_of(kSpace));
    text.erase(text.find_last_not_of(kSpace) + 1);
    if (text.empty()) return std::nullopt;
    char* end = nullptr;
    const float value = std::strtof(text.c_str(), &end);
    const bool says_infinite = may_be_infinite && (text == "inf" || text == "-inf");
    if (end != text.c_str() + text.size() || (!std::isfinite(value) && !says_infinite)) return std::nullopt;
    return value;
}

// A mask is added to scores: −∞ takes a key away.
bool may_be_infinite(const ViewContext& context, const TensorCell& where) {
    const Program& program = context.lab.program();
    const int node = program.find(where.tensor);
    return node >= 0 && program.node(node).presentation.role == Role::mask;
}

} // namespace

bool is_given(const ViewContext& context, const TensorCell& where) {
    const auto& tensors = context.lab.document().tensors;
    const auto found = tensors.find(where.tensor);
    return context.lab.program().find(where.tensor) >= 0 && found != tensors.end() &&
           Block::all(found->second.shape()).contains(where.cell);
}

float given_value(const ViewContext& context, const TensorCell& where) {
    return context.lab.document().tensors.at(where.tensor).at(where.cell);
}

bool keeps_computed(const ViewContext& context) {
    const TensorCell* pinned = context.selection.pinned();
    return pinned != nullptr && !is_given(context, *pinned) && context.lab.program().find(pinned->tensor) >= 0;
}

void open_cell_editor(ViewContext& context, const TensorCell& cell) {
    if (!is_given(context, cell)) return;
    const TensorCell* pinned = context.selection.pinned();
    CellEditor& editor = context.ui.editor.emplace();
    editor.where = cell;
    editor.text = shortest_text(given_value(context, cell));
    editor.replaces_all = true;
    editor.pinned = pinned != nullptr ? *pinned : cell;
}

bool commit_cell_editor(ViewContext& context) {
    CellEditor& editor = *context.ui.editor;
    // What is as it was stays, be it no number.
    const bool is_touched =
        is_given(context, editor.where) && editor.text != shortest_text(given_value(context, editor.where));
    const auto value = parse_number(editor.text, may_be_infinite(context, editor.where));
    if (is_touched && !value) {
        const bool has_infinity = may_be_infinite(context, editor.where);
        editor.error =
            "\"" + editor.text + "\" is not a number from −3.4e38 to 3.4e38" + (has_infinity ? ", nor −∞" : "");
        context.ui.error = editor.error;
        return false;
    }
    if (is_touched && *value != given_value(context, editor.where)) {
        context.commands.push_back({SetCell{editor.where.tensor, editor.where.cell, *value}, 0});
    }
    context.ui.error.clear();
    context.ui.editor.reset();
    return true;
}

void draw_cell_editor(const MatrixFrame& frame, ImDrawList& draw_list) {
    std::optional<CellEditor>& editor = frame.context.ui.editor;
    if (!editor || editor->where.tensor != frame.node.name) return;
    const Palette& palette = frame.context.theme.palette;
    const float size = std::max(number_size(frame.view), type_size::kCell);
    const TextStyle style{frame.context.theme.fonts.numbers, size, palette.text, Align::left};
    const float width = text_width(style, editor->text);
    Rect rect = frame.cell_rect(frame.row_of(editor->where.cell), editor->where.cell.col).grown(1);
    rect.right = std::max(rect.right, rect.left + width + 16);
    rect.bottom = std::max(rect.bottom, rect.top + size * 1.9f);
    editor->field = rect;
    const Color border = editor->error.empty() ? palette.text : palette.error;
    fill_rounded(draw_list, rect, palette.panel.u32(), 4);
    draw_list.AddRect(rect.min(), rect.max(), border.u32(), 4, 0, 1.5f);
    const float middle = rect.center().y, caret = rect.left + 7 + width;
    if (editor->replaces_all) {
        fill_rounded(draw_list, {rect.left + 5, middle - size * 0.7f, caret, middle + size * 0.7f},
                     palette.accent.u32(0.35f), 2);
    }
    draw_text(draw_list, style, {rect.left + 6, middle + size * 0.35f}, editor->text);
    draw_list.AddLine({caret, middle - size * 0.6f}, {caret, middle + size * 0.6f}, palette.text.u32(), 1.2f);
}

} // namespace lab
