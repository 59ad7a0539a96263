#include "engine/program_layout.h"

#include <algorithm>

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

int n_heads_of(const Program& program) {
    for (const Node& node : program.nodes) {
        if (node.presentation.role == Role::weights) return node.shape.planes;
    }
    return 1;
}

HeadLayout layout_of(const Program& program, int index) {
    const int placed = placed_node(program, index);
    const Node& node = program.node(placed);
    const Presentation& shown = node.presentation;
    if (shown.slice_by_query) return layout_along(HeadsAlong::planes, shown.n_sliced_heads);
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

std::vector<int> nodes_of_section(const Program& program, int section) {
    const bool is_only = program.sections.size() <= 1;
    std::vector<bool> stands(program.nodes.size(), is_only);
    for (std::size_t i = 0; i < stands.size(); ++i) {
        const Node& node = program.nodes[i];
        if (node.section != section || !has_place(node)) continue;
        stands[i] = true;
        for (int operand : node.operands) stands[static_cast<std::size_t>(operand)] = true;
    }
    std::vector<int> found;
    for (std::size_t i = 0; i < stands.size(); ++i) {
        if (stands[i] && has_place(program.nodes[i])) found.push_back(static_cast<int>(i));
    }
    return found;
}

// A stage without tensors stands where the next one does.
int section_of_stage(const Program& program, int stage) {
    int section = 0;
    for (const Node& node : program.nodes) {
        if (!has_place(node)) continue;
        section = node.section;
        if (node.stage >= stage) break;
    }
    return section;
}

} // namespace

bool has_place(const Node& node) { return !node.is_auxiliary && !node.is_of_gradient(); }

int placed_node(const Program& program, int node) {
    const int of = program.node(node).gradient_of;
    return of >= 0 ? of : node;
}

void lay_out(Program& program) {
    program.n_heads = n_heads_of(program);
    for (std::size_t i = 0; i < program.nodes.size() && program.n_heads > 1; ++i) {
        const HeadLayout found = layout_of(program, static_cast<int>(i));
        program.nodes[i].heads = program.n_heads % found.n_parts == 0 ? found : HeadLayout();
    }
    program.nodes_of_sections.clear();
    for (std::size_t section = 0; section < std::max<std::size_t>(1, program.sections.size()); ++section)
        program.nodes_of_sections.push_back(nodes_of_section(program, static_cast<int>(section)));
    for (std::size_t stage = 0; stage < program.stages.size(); ++stage)
        program.stages[stage].section = section_of_stage(program, static_cast<int>(stage));
}

} // namespace lab
