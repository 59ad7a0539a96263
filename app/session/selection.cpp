#include "app/session/selection.h"

#include <algorithm>
#include <utility>

#include "app/session/heads.h"
#include "app/session/sections.h"
#include "app/session/trace_text.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

int nearest(int index, int n) { return std::clamp(index, 0, std::max(0, n - 1)); }

// Moves the cell to the nearest that exists, a gradient's that is gone to the number's that it was of; false if that is gone.
bool fit_cell(TensorCell& at, const Program& program) {
    int node = program.find(at.tensor);
    if (node < 0) node = program.find(name_without_gradient(at.tensor));
    if (node < 0) return false;
    at.tensor = program.node(node).name;
    const Shape& shape = program.node(node).shape;
    at.cell = {nearest(at.cell.plane, shape.planes), nearest(at.cell.row, shape.rows),
               nearest(at.cell.col, shape.cols)};
    return shape.size() > 0;
}

// What one begins with: never a forbidden weight where there is an allowed one. While it is not known which are forbidden, one that no
// mask of the usual kinds forbids.
Cell first_weight(const Trace& trace, int weights) {
    const Shape& shape = trace.program().node(weights).shape;
    if (trace.is_missing(weights)) return {0, nearest(1, shape.rows), 0};
    const Cell usual{0, nearest(1, shape.rows), nearest(2, shape.cols)};
    const auto is_allowed = [&](const std::vector<float>& row, int col) {
        return col >= 0 && !is_masked(row[static_cast<std::size_t>(col)]);
    };
    if (shape.size() == 0 || is_allowed(row_without_masked(trace, weights, 0, usual.row), usual.col)) return usual;
    for (int row = shape.rows - 1; row >= 0; --row) {
        const int strongest = extremes(row_without_masked(trace, weights, 0, row)).highest;
        if (strongest >= 0) return {0, row, strongest};
    }
    return usual;
}

// Where one begins in another program.
int section_of_weights(const Program& program) {
    for (const Node& node : program.nodes) {
        if (node.presentation.role == Role::weights) return node.section;
    }
    return 0;
}

// What a block normalises before it attends: there its section begins; −1 where it does not.
int normalised_first(const Program& program, int weights) {
    for (int i = 0; i < weights; ++i) {
        const Node& node = program.node(i);
        if (node.section != program.node(weights).section || node.is_leaf()) continue;
        return node.presentation.role == Role::hidden ? i : -1;
    }
    return -1;
}

} // namespace

const TensorCell* Selection::pinned() const { return place_ < 0 ? nullptr : &trail_[static_cast<std::size_t>(place_)]; }

void Selection::visit(const TensorCell& cell, const Program& program) {
    if (pinned() == nullptr || *pinned() != cell) {
        trail_.resize(static_cast<std::size_t>(place_) + 1);
        if (trail_.size() == kLongestTrail) trail_.erase(trail_.begin());
        trail_.push_back(cell);
        place_ = static_cast<int>(trail_.size()) - 1;
    }
    follow_pinned(program);
}

void Selection::unpin() {
    trail_.clear();
    place_ = -1;
}

void Selection::let_go() {
    unpin();
    points_at_query = false;
}

void Selection::go_back(const Program& program) {
    if (!can_go_back()) return;
    --place_;
    go_to_pinned(program);
}

void Selection::go_forward(const Program& program) {
    if (!can_go_forward()) return;
    ++place_;
    go_to_pinned(program);
}

void Selection::go_to_pinned(const Program& program) {
    const int node = pinned() == nullptr ? -1 : program.find(pinned()->tensor);
    if (node >= 0 && program.gradient(node) >= 0) shows_gradient = false; // which stands in its place
    follow_pinned(program);
}

void Selection::follow_pinned(const Program& program) {
    const int node = pinned() == nullptr ? -1 : program.find(pinned()->tensor);
    if (node < 0) return;
    const Cell cell = pinned()->cell;
    const int placed = placed_node(program, node);
    const Presentation& shown = program.node(placed).presentation;
    if (shown.row_of_query || shown.slice_by_query) {
        query = nearest(cell.row, n_queries(program));
        points_at_query = true;
    }
    const Range heads = heads_of(program, node, cell);
    if (!heads.contains(head)) head = heads.begin;
    if (!is_in_section(program, section, placed)) section = program.node(placed).section;
    if (node >= program.first_of_gradients()) shows_gradient = true;
}

void Selection::toggle_fold(const std::string& tensor) {
    if (unfolded.erase(tensor) == 0) unfolded.insert(tensor);
}

namespace {

// What the keys of a program are: the rows of a past stand before all others, which are the tokens, unless they are a
// context's or were given apart and are another number.
struct Keys {
    int n_past = 0;
    bool are_tokens = true;
};

Keys keys_of(const Program& program) {
    Keys keys;
    for (const Node& node : program.nodes) {
        if (!node.is_leaf()) continue;
        const Presentation& shown = node.presentation;
        if (shown.rows == Axis::past_keys) keys.n_past = node.shape.rows;
        const bool is_given = shown.rows == Axis::new_keys || shown.rows == Axis::keys;
        if (is_given && shown.role == Role::embedding) keys.are_tokens = false;
        if (is_given && shown.role == Role::projection && node.shape.rows != n_queries(program))
            keys.are_tokens = false;
    }
    return keys;
}

} // namespace

void Selection::follow_tokens(const std::function<int(int)>& place_of, const Program& before) {
    const Keys keys = keys_of(before);
    const auto follow = [&](Axis axis, int& place) {
        if (axis == Axis::queries) place = place_of(place);
        if (!keys.are_tokens) return;
        if (axis == Axis::new_keys) place = place_of(place);
        if (axis == Axis::keys && place >= keys.n_past) place = keys.n_past + place_of(place - keys.n_past);
    };
    query = place_of(query);
    for (TensorCell& visited : trail_) {
        const int node = before.find(visited.tensor);
        if (node < 0) continue;
        const Presentation& shown = before.node(node).presentation;
        const int n_planes = before.node(node).n_planes_of_slice();
        int plane = visited.cell.plane % n_planes;
        visited.cell.plane -= plane;
        follow(shown.planes, plane);
        visited.cell.plane += plane;
        follow(shown.rows, visited.cell.row);
        follow(shown.cols, visited.cell.col);
    }
}

void Selection::fit(const Program& program) {
    if (hovered && !fit_cell(*hovered, program)) hovered.reset();
    query = nearest(query, n_queries(program));
    head = nearest(head, n_heads(program));
    section = nearest(section, n_sections(program));
    if (shown_stage) *shown_stage = nearest(*shown_stage, static_cast<int>(program.stages.size()));
    const bool had_pinned = pinned() != nullptr;
    std::vector<TensorCell> kept;
    int place = -1;
    for (int i = 0; i < static_cast<int>(trail_.size()); ++i) {
        TensorCell cell = trail_[static_cast<std::size_t>(i)];
        const bool exists = fit_cell(cell, program);
        if (exists && (kept.empty() || kept.back() != cell)) kept.push_back(cell);
        if (i == place_) place = exists ? static_cast<int>(kept.size()) - 1 : -1;
    }
    if (place < 0) kept.clear();
    trail_ = std::move(kept);
    place_ = place;
    if (had_pinned && pinned() == nullptr) section = section_of_weights(program);
}

namespace {

bool is_shown_beside(bool shows_gradient, const Program& program, int node) {
    return shows_gradient || node < program.first_of_gradients();
}

} // namespace

Viewpoint::Viewpoint(const Selection& selection)
    : query(selection.query), head(selection.head), shows_gradient(selection.shows_gradient),
      shown_stage(selection.shown_stage) {}

bool Viewpoint::tells_of(const Program& program, int node) const {
    return is_shown_beside(shows_gradient, program, node) && (!shown_stage || program.node(node).stage <= *shown_stage);
}

bool is_on_canvas(const Selection& selection, const Program& program, int node) {
    return is_shown_beside(selection.shows_gradient, program, node);
}

std::vector<int> nodes_on_canvas(const Selection& selection, const Program& program) {
    std::vector<int> nodes = nodes_of_section(program, selection.section);
    std::erase_if(nodes, [&](int node) { return !is_on_canvas(selection, program, node); });
    return nodes;
}

int shown_node(const Selection& selection, const Program& program, int node) {
    if (node >= program.first_of_gradients()) return node;
    const int gradient = selection.shows_gradient ? program.gradient(node) : -1;
    return gradient >= 0 ? gradient : node;
}

int n_queries(const Program& program) {
    for (const Node& node : program.nodes) {
        if (node.presentation.row_of_query) return node.shape.rows;
    }
    return 0;
}

Selection default_selection(const Trace& trace) {
    const Program& program = trace.program();
    Selection selection;
    selection.fit(program);
    const auto visit = [&](int node, const Cell& cell) {
        selection.visit({program.node(shown_node(selection, program, node)).name, cell}, program);
    };
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        if (program.node(i).presentation.role != Role::weights) continue;
        const Cell weight = first_weight(trace, i);
        const int normalised = normalised_first(program, i);
        if (normalised < 0)
            visit(i, weight);
        else
            visit(normalised, {0, weight.row, 0});
        break;
    }
    return selection;
}

} // namespace lab
