#include "app/views/cell_drag.h"

#include <algorithm>
#include <cmath>

#include "app/session/command.h"
#include "app/views/cell_editor.h"
#include "app/views/matrix_view.h"
#include "app/views/shortcuts.h"
#include "app/widgets/controls.h"

namespace lab {

namespace {

// Points of dragging that change a number by its power of ten, or by 1 where it is small.
constexpr double kPointsPerUnit = 120;

// A float of 0.43 is 0.4300000072: what is added to it would end in such figures, and be another float than the number that is shown.
double with_figures_of_a_float(double value) {
    constexpr int kFigures = 7, kMostDecimals = 22; // of which a power of ten is exact
    if (value == 0) return value;
    const int decimals = kFigures - 1 - static_cast<int>(std::floor(std::log10(std::fabs(value))));
    const double parts = std::pow(10.0, std::clamp(decimals, 0, kMostDecimals));
    return std::fabs(value) < std::pow(10.0, kFigures) ? std::round(value * parts) / parts : value;
}

// In steps of a hundredth, which keep the numbers short; with Shift of a thousandth.
float dragged_value(const CellDrag& drag, ImVec2 mouse) {
    const float up = drag.is_sideways ? 0 : drag.start_mouse.y - mouse.y;
    const double moved = mouse.x - drag.start_mouse.x + up;
    const double start = static_cast<double>(drag.start_value);
    const double unit = std::pow(10.0, std::floor(std::log10(std::max(1.0, std::fabs(start)))));
    const double fine = drag.is_fine ? 0.1 : 1;
    const double step = 0.01 * unit * fine;
    const double steps = std::round(moved / kPointsPerUnit * unit * fine / step);
    if (steps == 0) return drag.start_value;
    return static_cast<float>(std::clamp(with_figures_of_a_float(start + steps * step), -3e38, 3e38));
}

bool is_dragged_far(ImVec2 from, ImVec2 to) {
    return std::max(std::fabs(to.x - from.x), std::fabs(to.y - from.y)) >= kDragThreshold;
}

void choose_dragged(ViewContext& context, CellDrag& drag, ImVec2 mouse) {
    if (drag.has_moved) return;
    const Program& program = context.lab.program();
    drag.has_moved = is_dragged_far(drag.start_mouse, mouse);
    if (!drag.has_moved) {
        const bool is_clicked = !drag.is_sideways && !ImGui::IsMouseDown(ImGuiMouseButton_Left);
        if (is_clicked) context.selection.visit(drag.where, program);
        return;
    }
    if (!keeps_computed(context)) return context.selection.visit(drag.where, program);
    const TensorCell& kept = *context.selection.pinned();
    drag.tells_kept = context.lab.trace().reaches(program.find(drag.where.tensor), drag.where.cell,
                                                  program.find(kept.tensor), kept.cell);
}

void change_by_drag(ViewContext& context, CellDrag& drag, float current, ImVec2 mouse) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const bool is_fine = ImGui::GetIO().KeyShift;
    if (is_fine != drag.is_fine) { // goes on from here
        drag.start_value = current;
        drag.start_mouse = mouse;
        drag.is_fine = is_fine;
    }
    const float value = takes_back_press() ? drag.value_before : dragged_value(drag, mouse);
    if (value != current)
        context.commands.push_back({SetCell{drag.where.tensor, drag.where.cell, value}, drag.gesture});
}

} // namespace

const TensorCell* dragged_cell(const UiState& ui) {
    if (ui.drag) return ui.drag->has_moved ? &ui.drag->where : nullptr;
    return ui.held && ui.held->was_dragged ? &ui.held->where : nullptr;
}

HeldCell held_here(const ViewContext& context, const TensorCell& cell, ImVec2 mouse) {
    const UiState& ui = context.ui;
    return {cell, mouse, ui.canvas.n_layouts, ui.camera.zoom, ui.head_grid.is_open};
}

void let_held_pass(ViewContext& context, ImVec2 mouse) {
    std::optional<HeldCell>& held = context.ui.held;
    if (!held) return;
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_pressed = held->was_dragged && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    const bool rests = !is_dragged_far(held->mouse, mouse) && !is_pressed && io.MouseWheel == 0 && io.MouseWheelH == 0;
    const HeldCell now = held_here(context, held->where, mouse);
    const bool is_as_it_was =
        held->n_layouts == now.n_layouts && held->zoom == now.zoom && held->is_in_grid == now.is_in_grid;
    const Program& program = context.lab.program();
    const int node = program.find(held->where.tensor);
    const bool is_there = node >= 0 && Block::all(program.node(node).shape).contains(held->where.cell);
    if (!rests || !is_as_it_was || !is_there) held.reset();
}

void begin_cell_drag(ViewContext& context, const TensorCell& here, ImVec2 mouse, bool is_sideways) {
    if (!is_given(context, here)) return;
    const float value = given_value(context, here);
    if (!std::isfinite(value)) return; // from −∞ there is nowhere to go
    context.ui.drag = CellDrag{.where = here,
                               .value_before = value,
                               .start_value = value,
                               .start_mouse = mouse,
                               .gesture = context.ui.new_gesture(),
                               .is_sideways = is_sideways,
                               .is_fine = ImGui::GetIO().KeyShift};
}

void handle_cell_drag(ViewContext& context, ImVec2 mouse) {
    let_held_pass(context, mouse);
    std::optional<CellDrag>& drag = context.ui.drag;
    // Its cell went away, by an edit from elsewhere; or the finger turned out to be half of a pinch.
    if (!drag || !is_given(context, drag->where) || !ImGui::IsMousePosValid(&mouse)) return drag.reset();
    const bool takes_back = takes_back_press();
    if (!takes_back) choose_dragged(context, *drag, mouse);
    tell_of_cell(context, drag->where);
    const float now = given_value(context, drag->where);
    if (drag->has_moved) change_by_drag(context, *drag, now, mouse);
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && !takes_back) return;
    if (drag->has_moved) {
        HeldCell& held = context.ui.held.emplace(held_here(context, drag->where, mouse));
        held.was_dragged = true;
        held.tells_kept = drag->tells_kept;
    }
    const Document& document = context.lab.document();
    if (drag->has_moved && is_asked_by_key(Action::undo))
        context.ui.tell_done("taken back: " +
                             describe(SetCell{drag->where.tensor, drag->where.cell, now}, document, document));
    if (takes_back) return context.ui.take_back_press();
    drag.reset();
}

} // namespace lab
