#include "app/views/step_choice.h"

#include <algorithm>

#include "app/session/heads.h"
#include "app/session/sections.h"

namespace lab {

namespace {

// The queries of projections, else the last tensor that is computed, else the one that is given. Gradients, and what is there for them,
// are of the steps that they go back through.
int main_node(const Program& program, int stage) {
    int main = -1;
    for (int i = 0; i < program.first_of_gradients(); ++i) {
        const Node& node = program.node(i);
        if (node.stage != stage || !has_place(node)) continue;
        if (node.presentation.role == Role::projection) return i;
        if (main < 0 || !node.is_leaf()) main = i;
    }
    return main;
}

enum class ChoiceKind { query, key, dimension, other };

ChoiceKind kind_of(Axis axis) {
    switch (axis) {
    case Axis::queries: return ChoiceKind::query;
    case Axis::keys: return ChoiceKind::key;
    case Axis::input_dimensions:
    case Axis::key_dimensions:
    case Axis::value_dimensions:
    case Axis::model_dimensions:
    case Axis::hidden_dimensions: return ChoiceKind::dimension;
    default: break;
    }
    return ChoiceKind::other;
}

// Which key or dimension the visited cells were of, the last one first.
std::optional<int> last_place(const Program& program, const Selection& selection, ChoiceKind wanted) {
    for (int i = selection.place(); i >= 0; --i) {
        const TensorCell& visited = selection.trail()[static_cast<std::size_t>(i)];
        const int node = program.find(visited.tensor);
        if (node < 0) continue;
        const Presentation& shown = program.node(node).presentation;
        const int n_planes = program.node(node).n_planes_of_slice();
        if (kind_of(shown.cols) == wanted) return visited.cell.col;
        if (kind_of(shown.rows) == wanted) return visited.cell.row;
        if (kind_of(shown.planes) == wanted) return visited.cell.plane % n_planes;
    }
    return {};
}

int place_along(const Program& program, const Selection& selection, Axis axis, int n) {
    const ChoiceKind kind = kind_of(axis);
    if (kind == ChoiceKind::other) return 0;
    const int unseen = kind == ChoiceKind::dimension ? 0 : selection.query;
    const int place =
        kind == ChoiceKind::query ? selection.query : last_place(program, selection, kind).value_or(unseen);
    return std::clamp(place, 0, n - 1);
}

} // namespace

std::optional<TensorCell> cell_of_step(const Program& program, const Selection& selection, int stage) {
    const TensorCell* pinned = selection.pinned();
    const int at = pinned ? program.find(pinned->tensor) : -1;
    if (at >= 0 && program.node(at).stage == stage) return *pinned;
    const int main = main_node(program, stage);
    if (main < 0 || program.node(main).shape.n_cells() == 0) return {};
    const Node& node = program.node(main);
    const auto along = [&](Axis axis, int n) { return place_along(program, selection, axis, n); };
    const Presentation& shown = node.presentation;
    const Cell cell{along(shown.planes, node.shape.planes), along(shown.rows, node.shape.rows),
                    along(shown.cols, node.shape.cols)};
    const int seen = shown_node(selection, program, main); // its gradient, where that stands in its place
    return TensorCell{program.node(seen).name, cell_of_head(program, main, cell, selection.head)};
}

void choose_step(ViewContext& context, std::optional<int> stage) {
    context.selection.shown_stage = stage;
    if (!stage) return;
    const Program& program = context.lab.program();
    context.selection.section = section_of_stage(program, *stage);
    if (const auto cell = cell_of_step(program, context.selection, *stage)) context.selection.visit(*cell, program);
}

} // namespace lab
