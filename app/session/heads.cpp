#include "app/session/heads.h"

#include <algorithm>

#include "app/session/sections.h"
#include "engine/step.h"

namespace lab {

namespace {

// Of how many planes' columns this tensor's are, side by side: joined_contexts of context_vectors. 1: of none.
int n_joined(const Program& program, const Node& node) {
    if (node.shape.planes > 1) return 1;
    for (int operand : node.operands) {
        const Shape& read = program.node(operand).shape;
        const bool is_context = program.node(operand).presentation.role == Role::context;
        if (is_context && read.planes > 1 && read.planes * read.cols == node.shape.cols) return read.planes;
    }
    return 1;
}

bool is_parameter(const Node& node) {
    return node.presentation.role == Role::weight_matrix || node.presentation.role == Role::bias;
}

// How many heads' columns stand side by side in queries, keys or values that this step reads; 1: none.
int n_beside(const Program& program, const Node& reader, int index) {
    const Node& node = program.node(index);
    const Role role = reader.presentation.role;
    const int n_planes = reader.shape.planes;
    if (node.shape.planes > 1 || n_planes < 2 || reader.operands.size() < 2) return 1;
    if (role == Role::context && reader.operands[1] == index) return node.shape.cols / std::max(1, reader.shape.cols);
    const Node& first = program.node(reader.operands[0]);
    if (role != Role::scores || first.presentation.role == Role::scores) return 1;
    if (reader.operands[0] == index) return n_planes;
    const int d_k = first.shape.cols / (first.shape.planes > 1 ? 1 : n_planes);
    return node.shape.cols / std::max(1, d_k);
}

// The same of queries, keys and values that reach their reader through other projections (rotated, after a past), and of
// the parameters that make them.
int n_cut(const Program& program, int index) {
    const Node& node = program.node(index);
    const bool is_inputs = node.presentation.role == Role::embedding;
    for (int consumer : program.consumers(index)) {
        const Node& made = program.node(consumer);
        if (!has_place(made)) continue;
        if (const int n = is_parameter(node) ? 1 : n_beside(program, made, index); n > 1) return n;
        if (made.presentation.role != Role::projection || is_inputs) continue;
        const bool is_cut = made.shape.planes > 1 && made.shape.planes * made.shape.cols == node.shape.cols;
        if (is_parameter(node) && is_cut) return made.shape.planes;
        if (made.shape.planes == 1 && made.shape.cols == node.shape.cols) return n_cut(program, consumer);
    }
    return 1;
}

// Rows that stand against the joined columns of another operand: W_output against joined_contexts.
int n_row_parts(const Program& program, int index, const Node& node) {
    for (int consumer : program.consumers(index)) {
        for (int operand : program.node(consumer).operands) {
            const Node& beside = program.node(operand);
            if (operand != index && beside.shape.cols == node.shape.rows && n_joined(program, beside) > 1)
                return n_joined(program, beside);
        }
    }
    return 1;
}

HeadLayout layout_along(HeadsAlong along, int n_parts) {
    return n_parts > 1 ? HeadLayout{along, n_parts} : HeadLayout();
}

Range part_of(int extent, int n_parts, int part) { return {extent / n_parts * part, extent / n_parts * (part + 1)}; }

} // namespace

int n_heads(const Program& program) {
    for (const Node& node : program.nodes) {
        if (node.presentation.role == Role::weights) return node.shape.planes;
    }
    return 1;
}

int placed_node(const Program& program, int node) {
    const int of = program.node(node).gradient_of;
    return of >= 0 ? of : node;
}

namespace {

HeadLayout layout_of(const Program& program, int index) {
    const int placed = placed_node(program, index);
    const Node& node = program.node(placed);
    const Presentation& shown = node.presentation;
    if (shown.slice_by_query) return {};
    if (node.shape.planes > 1) return {HeadsAlong::planes, node.shape.planes};
    if (shown.rows == Axis::heads) return layout_along(HeadsAlong::rows, node.shape.rows);
    if (shown.cols == Axis::heads) return layout_along(HeadsAlong::cols, node.shape.cols);
    if (const int n = n_joined(program, node); n > 1) return {HeadsAlong::cols, n};
    const bool makes_heads = is_parameter(node) || shown.role == Role::projection || shown.role == Role::embedding;
    if (!makes_heads) return {};
    if (const int n = n_cut(program, placed); n > 1) return {HeadsAlong::cols, n};
    if (shown.role == Role::weight_matrix) return layout_along(HeadsAlong::rows, n_row_parts(program, placed, node));
    return {};
}

} // namespace

HeadLayout head_layout(const Program& program, int index) {
    const int n = n_heads(program);
    if (n < 2) return {};
    const HeadLayout found = layout_of(program, index);
    return n % found.n_parts == 0 ? found : HeadLayout();
}

Block block_of_head(const Program& program, int index, int head) {
    const Shape& shape = program.node(index).shape;
    const HeadLayout layout = head_layout(program, index);
    const int part = shared_plane(head, layout.n_parts, n_heads(program));
    Block block = Block::all(shape);
    switch (layout.along) {
    case HeadsAlong::planes: block.planes = Range::at(part); break;
    case HeadsAlong::rows: block.rows = part_of(shape.rows, layout.n_parts, part); break;
    case HeadsAlong::cols: block.cols = part_of(shape.cols, layout.n_parts, part); break;
    case HeadsAlong::nothing: break;
    }
    return block;
}

Range heads_of(const Program& program, int index, Cell cell) {
    const Shape& shape = program.node(index).shape;
    const HeadLayout layout = head_layout(program, index);
    const int n = n_heads(program);
    const auto part = [&] {
        switch (layout.along) {
        case HeadsAlong::planes: return cell.plane;
        case HeadsAlong::rows: return cell.row / (shape.rows / layout.n_parts);
        case HeadsAlong::cols: return cell.col / (shape.cols / layout.n_parts);
        case HeadsAlong::nothing: break;
        }
        return 0;
    }();
    return reading_planes(Range::at(part), layout.n_parts, n);
}

Cell cell_of_head(const Program& program, int index, Cell cell, int head) {
    const Range now = heads_of(program, index, cell);
    if (now.contains(head)) return cell;
    const Block from = block_of_head(program, index, now.begin), to = block_of_head(program, index, head);
    return {cell.plane + to.planes.begin - from.planes.begin, cell.row + to.rows.begin - from.rows.begin,
            cell.col + to.cols.begin - from.cols.begin};
}

} // namespace lab
