#include "app/views/phone_touch.h"

#include <cmath>
#include <utility>

#include "app/views/cell_drag.h"
#include "app/views/cell_editor.h"
#include "app/views/explanation_widgets.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_edges.h"
#include "app/views/phone_camera.h"
#include "app/views/phone_parts.h"

namespace lab {

namespace {

bool is_second_tap() { return is_tap() && ImGui::GetIO().MouseClickedLastCount[0] == 2; }

// A tap chooses; a tap on what is chosen edits it, where it can be edited.
void tap(ViewContext& context, const TensorCell& here, bool is_leaf) {
    if (context.ui.editor && context.ui.editor->where == here) return;
    if (context.ui.editor && !commit_cell_editor(context)) return;
    if (is_leaf && context.selection.is_pinned(here)) return open_cell_editor(context, here);
    context.selection.visit(here, context.lab.program());
    context.ui.sheet_open = true;
}

// Below what stands at the view's edges, or beyond the part that is seen.
bool is_covered(const ViewContext& context, const MatrixView& view, ImVec2 point) {
    if (view.part && !view.part->contains(point)) return true;
    const Rect window = clip_of(*ImGui::GetWindowDrawList());
    const Rect clip = view.part ? window.intersection(*view.part) : window;
    const MatrixEdges edges = matrix_edges(matrix_geometry(context, view), clip);
    return !edges.cells.contains(point) || edges.below.contains(point);
}

// A given number where the page itself does not move sideways.
bool can_be_dragged_sideways(const ViewContext& context, const Camera& camera, const MatrixView& view,
                             const TensorCell& here) {
    const UiState& ui = context.ui;
    return camera.zoom <= 1 && !ui.drag && !ui.editor && !ui.paints_mask && !is_read_nearer(view) &&
           is_given(context, here);
}

} // namespace

bool is_tap() { return ImGui::IsMouseReleased(0) && !ends_drag(); }

void settle_touch(ViewContext& context) {
    constexpr float kFar = 12; // farther than a finger slips by a tap
    std::optional<TensorCell>& touched = context.ui.touched;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!touched) return;
    if (!ImGui::IsMouseDown(0) || !ImGui::IsMousePosValid(&mouse)) return touched.reset(); // a tap, or half of a pinch
    if (!is_dragged_here()) return;
    const ImVec2 way = ImGui::GetMouseDragDelta(0);
    if (std::fabs(way.y) > std::fabs(way.x)) return touched.reset(); // the page goes with it
    if (std::fabs(way.x) < kFar) return;
    constexpr bool kSideways = true;
    begin_cell_drag(context, *std::exchange(touched, {}), mouse, kSideways);
}

std::optional<TensorCell> touch_matrices(ViewContext& context, Camera& camera, const std::vector<MatrixView>& views) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    handle_cell_drag(context, mouse);
    if (const TensorCell* dragged = dragged_cell(context.ui)) return *dragged;
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return std::nullopt;
    for (const MatrixView& view : views) {
        const Node& node = matrix_geometry(context, view).node;
        const auto cell = cell_at(context, view, mouse);
        if (!cell || is_covered(context, view, mouse)) continue;
        const TensorCell here{node.name, *cell};
        const bool is_pinned = context.selection.is_pinned(here);
        const bool is_typed = context.ui.editor && context.ui.editor->where == here;
        if (ImGui::IsMouseClicked(0) && is_pinned && !is_typed) begin_cell_drag(context, here, mouse);
        if (ImGui::IsMouseClicked(0) && can_be_dragged_sideways(context, camera, view, here)) context.ui.touched = here;
        if (is_second_tap() && is_read_nearer(view))
            zoom_to_numbers(camera, mouse, view.pitch);
        else if (is_tap())
            tap(context, here, node.is_leaf());
        return context.platform.has_coarse_pointer() ? std::nullopt : std::optional(here);
    }
    return std::nullopt;
}

} // namespace lab
