#include <algorithm>
#include <cmath>

#include "app/session/labels.h"
#include "app/views/cell_editor.h"
#include "app/views/matrix_cells.h"
#include "app/views/query_choice.h"
#include "engine/derivation.h"

namespace lab {

namespace {

constexpr float kDragThreshold = 4; // points; less is a click

// Points of dragging that change a number by as much as it is large, or by 1 where it is small.
constexpr float kPointsPerUnit = 120;

float dragged_value(const CellDrag& drag, ImVec2 mouse) {
    const float moved = (mouse.x - drag.start_mouse.x) - (mouse.y - drag.start_mouse.y);
    const float unit = std::max(1.0f, std::fabs(drag.start_value));
    const float fine = ImGui::GetIO().KeyShift ? 0.1f : 1.0f;
    // Steps of a hundredth keep the numbers short.
    const float step = 0.01f * std::pow(10.0f, std::floor(std::log10(unit))) * fine;
    const float value = drag.start_value + std::round(moved / kPointsPerUnit * unit * fine / step) * step;
    return std::clamp(value, -3e38f, 3e38f);
}

void press(ViewContext& context, const TensorCell& here, bool is_leaf, ImVec2 mouse) {
    if (context.ui.editor && context.ui.editor->where == here) return;
    if (context.ui.editor && !commit_cell_editor(context)) return;
    const TensorCell* pinned = context.selection.pinned();
    const bool was_pinned = pinned != nullptr && *pinned == here;
    context.selection.visit(here, context.lab.program());
    if (!is_leaf) return;
    if (was_pinned && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        open_cell_editor(context, here);
        return;
    }
    const float value = context.lab.document().tensors.at(here.tensor).at(here.cell);
    context.ui.drag = CellDrag{here, value, mouse, false, context.ui.new_gesture()};
}

void drag(ViewContext& context, ImVec2 mouse) {
    CellDrag& drag = *context.ui.drag;
    const float distance = std::max(std::fabs(mouse.x - drag.start_mouse.x), std::fabs(mouse.y - drag.start_mouse.y));
    drag.has_moved = drag.has_moved || distance >= kDragThreshold;
    if (!drag.has_moved) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const float value = dragged_value(drag, mouse);
    const Tensor& tensor = context.lab.document().tensors.at(drag.where.tensor);
    if (value == tensor.at(drag.where.cell)) return;
    context.commands.push_back({SetCell{drag.where.tensor, drag.where.cell, value}, drag.gesture});
}

void say_what_is_here(ViewContext& context, const MatrixFrame& frame, const TensorCell& here) {
    const float value = context.lab.trace().at(frame.view.node, here.cell);
    context.ui.status = cell_text(context.lab.document(), frame.node, here.cell) + " = " + number_text(static_cast<double>(value));
    context.ui.status_hint = frame.node.is_leaf() ? "drag to change · Enter to type · Esc to restore" : "click to keep it";
}

// The words beside the rows choose the query.
void handle_row_labels(ViewContext& context, const MatrixFrame& frame, ImVec2 mouse) {
    if (!frame.view.has_row_labels) return;
    const Presentation& shown = frame.node.presentation;
    if (!shown.row_of_query && shown.role != Role::embedding) return;
    const Rect cells = frame.cells();
    const Rect labels{cells.left - 100 * frame.view.text_scale, cells.top, cells.left, cells.bottom};
    if (!labels.contains(mouse)) return;
    const int row = static_cast<int>((mouse.y - cells.top) / frame.view.pitch.y);
    context.ui.status = axis_label(context.lab.document(), Axis::queries, row);
    context.ui.status_hint = "click to choose this query";
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) choose_query(context, row);
}

} // namespace

std::optional<Cell> cell_at(const ViewContext& context, const MatrixView& view, ImVec2 point) {
    const MatrixFrame frame = matrix_frame(const_cast<ViewContext&>(context), view);
    if (!frame.cells().contains(point)) return std::nullopt;
    const int row = std::min(static_cast<int>((point.y - view.origin.y) / view.pitch.y), frame.extent.n_rows - 1);
    const int col = std::min(static_cast<int>((point.x - view.origin.x) / view.pitch.x), frame.extent.n_cols - 1);
    return frame.to_cell(row, col);
}

void handle_matrix_mouse(ViewContext& context, const MatrixView& view, ImVec2 mouse) {
    const MatrixFrame frame = matrix_frame(context, view);
    if (context.ui.drag) {
        if (context.ui.drag->where.tensor != frame.node.name) return;
        drag(context, mouse);
        context.selection.hovered = context.ui.drag->where;
        say_what_is_here(context, frame, context.ui.drag->where);
        if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) context.ui.drag.reset();
        return;
    }
    handle_row_labels(context, frame, mouse);
    const std::optional<Cell> cell = cell_at(context, view, mouse);
    if (!cell) return;
    const TensorCell here{frame.node.name, *cell};
    context.selection.hovered = here;
    say_what_is_here(context, frame, here);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) press(context, here, frame.node.is_leaf(), mouse);
}

} // namespace lab
