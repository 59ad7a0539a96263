#include "app/views/mask_painting.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "app/session/heads.h"
#include "app/session/narration_text.h"
#include "app/session/sections.h"
#include "app/session/trace_text.h"
#include "app/views/matrix_masked.h"
#include "app/views/shortcuts.h"

namespace lab {

namespace {

bool is_between_tokens(const Presentation& shown) { return shown.rows == Axis::queries && shown.cols == Axis::keys; }

// Where the cell stands in the document's mask, which may be one for all heads; absent before there is one.
std::optional<Cell> mask_cell(const ViewContext& context, Cell cell) {
    const auto& tensors = context.lab.document().tensors;
    const auto mask = tensors.find("mask");
    if (mask == tensors.end()) return std::nullopt;
    if (mask->second.shape().planes == 1) cell.plane = 0;
    return Block::all(mask->second.shape()).contains(cell) ? std::optional(cell) : std::nullopt;
}

// "forbidden: 3 keys, in all heads"
std::string painted_text(const ViewContext& context, bool allows, int n) {
    const auto& tensors = context.lab.document().tensors;
    const auto mask = tensors.find("mask");
    const bool is_shared =
        n_heads(context.lab.program()) > 1 && (mask == tensors.end() || mask->second.shape().planes == 1);
    return (allows ? "allowed again: " : "forbidden: ") + counted_text(n, "key", "keys") +
           (is_shared ? ", in all heads" : "");
}

bool is_forbidden(const ViewContext& context, Cell cell) {
    const std::optional<Cell> at = mask_cell(context, cell);
    return at && std::isinf(context.lab.document().tensors.at("mask").at(*at));
}

// By a mask that is not painted, such as the causal one: painting does not lift it.
bool is_forbidden_anyway(const ViewContext& context, const MatrixGeometry& matrix, Cell cell) {
    const Trace& trace = context.lab.trace();
    if (is_forbidden(context, cell) || trace.is_missing(matrix.index)) return false;
    std::vector<float> value{trace.at(matrix.index, cell)};
    mark_masked(trace, matrix.index, {Range::at(cell.plane), Range::at(cell.row), Range::at(cell.col)}, value);
    return is_masked_key(matrix, value.front());
}

// From cell to cell of one matrix in a straight line: a fast mouse is looked at only where it happens to be.
std::vector<Cell> line_between(Cell from, Cell to) {
    const int rows = to.row - from.row, cols = to.col - from.col;
    const int n = std::max(std::abs(rows), std::abs(cols));
    std::vector<Cell> line;
    for (int step = 1; step <= n; ++step) {
        const double part = static_cast<double>(step) / n;
        line.push_back({to.plane, from.row + static_cast<int>(std::lround(rows * part)),
                        from.col + static_cast<int>(std::lround(cols * part))});
    }
    return line;
}

// The cells that a stroke has come over since the last frame.
std::vector<Cell> passed(MaskStroke& stroke, const MatrixGeometry& matrix, Cell cell) {
    const bool goes_on = stroke.tensor == matrix.node.name && stroke.last.plane == cell.plane;
    std::vector<Cell> cells = goes_on ? line_between(stroke.last, cell) : std::vector<Cell>{cell};
    stroke.tensor = matrix.node.name;
    stroke.last = cell;
    return cells;
}

bool is_mask_in_place(const ViewContext& context) {
    const Document& document = context.lab.document();
    return document.attention.mask != MaskKind::none && document.tensors.count("mask") > 0;
}

// The first stroke brings the mask, and with it matrices that others make way for: it is held until nothing moves under the
// mouse any more, and what it has passed is dimmed meanwhile.
void draw_held(const ViewContext& context, const MatrixGeometry& matrix) {
    const MaskStroke& stroke = *context.ui.mask_stroke;
    if (stroke.tensor != matrix.node.name) return;
    ImDrawList& draw_list = *ImGui::GetForegroundDrawList();
    for (const Cell cell : stroke.held) {
        if (!matrix.shows(cell)) continue;
        const Rect area = matrix.cell_rect(matrix.row_of(cell), cell.col);
        draw_list.AddRectFilled(area.min(), area.max(), context.theme.palette.background.u32(0.6f));
    }
}

} // namespace

bool can_paint_mask(const ViewContext& context) {
    const Program& program = context.lab.program();
    const std::vector<int> nodes = nodes_of_section(program, context.selection.section);
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](int node) { return is_between_tokens(program.node(node).presentation); });
}

void toggle_mask_painting(ViewContext& context) {
    context.ui.paints_mask = !context.ui.paints_mask;
    context.ui.mask_stroke.reset();
}

void settle_mask_stroke(ViewContext& context) {
    std::optional<MaskStroke>& stroke = context.ui.mask_stroke;
    if (stroke && is_asked_by_key(Action::undo)) {
        if (stroke->n_painted > 0)
            context.actions.push_back(Action::undo);
        else
            context.ui.tell_done("taken back: " + describe(PaintMask{{}, stroke->allows}, {}, {}));
        return context.ui.take_back_press();
    }
    if (!stroke || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
    if (!stroke->held.empty()) context.commands.push_back({PaintMask{stroke->held, stroke->allows}, stroke->gesture});
    const int n = stroke->n_painted + static_cast<int>(stroke->held.size());
    // It may be too small to be seen. A card on a phone would be in the way of the next stroke.
    if (n > 0 && !context.ui.notes_wait_for_tap) context.ui.tell_done(painted_text(context, stroke->allows, n));
    stroke.reset();
}

bool has_mask_painting(const ViewContext& context) {
    return context.ui.paints_mask || context.lab.document().attention.mask == MaskKind::tensor;
}

bool paint_mask(ViewContext& context, const MatrixGeometry& matrix, Cell cell) {
    UiState& ui = context.ui;
    if (!ui.paints_mask || !is_between_tokens(matrix.node.presentation)) return false;
    const bool is_forbidden_here = is_forbidden_anyway(context, matrix, cell);
    ui.status_hint = is_forbidden_here
                         ? "another mask forbids this key already, which painting does not change · Esc ends"
                         : "press to forbid this key, or to allow it again · Esc ends";
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        ui.mask_stroke = MaskStroke{is_forbidden(context, cell), ui.new_gesture()};
    settle_mask_stroke(context);
    if (!ui.mask_stroke) return true;
    std::vector<Cell> painted;
    for (const Cell each : passed(*ui.mask_stroke, matrix, cell)) {
        if (is_forbidden_anyway(context, matrix, each)) continue;
        const bool changes = ui.mask_stroke->allows == is_forbidden(context, each);
        if (changes || !context.lab.document().tensors.count("mask"))
            painted.push_back(mask_cell(context, each).value_or(each));
    }
    if (!is_mask_in_place(context)) {
        ui.mask_stroke->held.insert(ui.mask_stroke->held.end(), painted.begin(), painted.end());
        draw_held(context, matrix);
    } else if (!painted.empty()) {
        ui.mask_stroke->n_painted += static_cast<int>(painted.size());
        context.commands.push_back({PaintMask{painted, ui.mask_stroke->allows}, ui.mask_stroke->gesture});
    }
    return true;
}

} // namespace lab
