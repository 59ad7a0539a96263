#include <algorithm>
#include <vector>

#include "app/views/canvas_frame.h"

namespace lab {

namespace {

// Sideways a curve from the cells to the labels, downwards a straight line from the cells to the title.
struct Edge {
    Rect from;
    Rect to;
    Rect around_to;
    bool is_path = false;
};

void draw_edge(ImDrawList& draw_list, const Edge& edge, Color color, float width) {
    if (edge.to.left > edge.from.right) {
        const ImVec2 a{edge.from.right + 4, edge.from.center().y}, b{edge.around_to.left - 5, edge.to.center().y};
        const float middle = (a.x + b.x) / 2;
        draw_list.AddBezierCubic(a, {middle, a.y}, {middle, b.y}, b, color.u32(), width);
    } else if (edge.around_to.top > edge.from.bottom) {
        const float x = edge.to.center().x;
        draw_list.AddLine({x, edge.from.bottom + 4}, {x, edge.around_to.top - 2}, color.u32(), width);
    }
}

// Where an operand's line ends: what is multiplied by a weight matrix comes in through that matrix.
int end_of_edge(const Program& program, int node, int operand) {
    const auto is_weight = [&](int i) {
        const Role role = program.nodes[static_cast<std::size_t>(i)].presentation.role;
        return role == Role::weight_matrix || role == Role::bias;
    };
    if (is_weight(operand)) return node;
    const auto& operands = program.nodes[static_cast<std::size_t>(node)].operands;
    const auto weight = std::find_if(operands.begin(), operands.end(), is_weight);
    return weight == operands.end() ? node : *weight;
}

bool is_path(const Node& from, const Node& to) {
    return from.presentation.row_of_query && (to.presentation.row_of_query || to.presentation.slice_by_query);
}

std::vector<Edge> shown_edges(const ViewContext& context, const CanvasFrame& frame) {
    const Program& program = context.lab.program();
    const auto placed_at = [&](int i) -> const PlacedNode& { return frame.layout.placed[static_cast<std::size_t>(i)]; };
    std::vector<Edge> edges;
    for (const PlacedNode& placed : frame.layout.placed) {
        const Node& node = node_of(context, placed);
        if (!context.selection.shows(node)) continue;
        for (int operand : node.operands) {
            const PlacedNode& from = placed_at(operand);
            const PlacedNode& to = placed_at(end_of_edge(program, placed.node, operand));
            edges.push_back(
                {frame.cells(from), frame.cells(to), frame.around(to), is_path(node_of(context, from), node)});
        }
    }
    return edges;
}

} // namespace

void draw_edges(const ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame) {
    const Palette& palette = context.theme.palette;
    const std::vector<Edge> edges = shown_edges(context, frame);
    for (const Edge& edge : edges) {
        if (!edge.is_path) draw_edge(draw_list, edge, palette.line, 1.5f);
    }
    for (const Edge& edge : edges) {
        if (edge.is_path) draw_edge(draw_list, edge, palette.accent, 1.8f);
    }
}

} // namespace lab
