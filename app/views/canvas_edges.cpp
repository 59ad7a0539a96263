#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "app/views/canvas_frame.h"

namespace lab {

namespace {

// Sideways a line from the cells to the labels, which bends where there is nothing: between the columns. Downwards a
// straight line from the cells, beside a legend, to the title.
struct Edge {
    Rect from;
    Rect to;
    Rect around_to;
    float gap_left = 0, gap_right = 0; // in x, before the column that the line ends in
    float legend_right = 0;            // of what the line comes from
    bool goes_down = false;            // to another line of the picture
    bool is_path = false;
};

void draw_sideways(ImDrawList& draw_list, const Edge& edge, ImU32 color, float width) {
    constexpr float kLeastBend = 12;
    const ImVec2 begin{edge.from.right + 4, edge.from.center().y}, end{edge.around_to.left - 5, edge.to.center().y};
    ImVec2 a{std::max(begin.x, edge.gap_left), begin.y}, b{std::min(end.x, edge.gap_right), end.y};
    if (b.x - a.x < kLeastBend) {
        a.x = begin.x;
        b.x = end.x;
    }
    const float middle = (a.x + b.x) / 2;
    draw_list.PathLineTo(begin);
    if (a.x > begin.x) draw_list.PathLineTo(a); // points that coincide would thicken the line
    if (std::fabs(b.y - a.y) >= 1) draw_list.PathBezierCubicCurveTo({middle, a.y}, {middle, b.y}, b);
    if (end.x > b.x || std::fabs(b.y - a.y) < 1) draw_list.PathLineTo(end);
    draw_list.PathStroke(color, 0, width);
}

// From below the cells, or their legend's end, to the title.
void draw_downwards(ImDrawList& draw_list, const Edge& edge, ImU32 color, float width) {
    constexpr float kBesideTitle = 12;
    const ImVec2 begin{std::max(edge.from.center().x, edge.legend_right), edge.from.bottom + 3};
    const ImVec2 end{edge.to.left + kBesideTitle, edge.around_to.top - 1};
    const float bend = std::min(0.5f * (end.y - begin.y), 60.0f);
    draw_list.AddBezierCubic(begin, {begin.x, begin.y + bend}, {end.x, end.y - bend}, end, color, width);
}

void draw_edge(ImDrawList& draw_list, const Edge& edge, Color color, float width) {
    if (edge.goes_down) {
        draw_downwards(draw_list, edge, color.u32(), width);
    } else if (edge.to.left > edge.from.right) {
        draw_sideways(draw_list, edge, color.u32(), width);
    } else if (edge.around_to.top > edge.from.bottom) {
        const float x = std::max(edge.to.center().x, edge.legend_right);
        draw_list.AddLine({x, edge.from.bottom + 4}, {x, edge.around_to.top - 2}, color.u32(), width);
    }
}

// Where an operand's line ends: what is multiplied by a weight matrix comes in through that matrix.
int end_of_edge(const Program& program, int node, int operand) {
    const auto is_weight = [&](int i) {
        const Role role = program.node(i).presentation.role;
        return role == Role::weight_matrix || role == Role::bias;
    };
    if (is_weight(operand)) return node;
    const auto& operands = program.node(node).operands;
    const auto weight = std::find_if(operands.begin(), operands.end(), is_weight);
    return weight == operands.end() ? node : *weight;
}

bool is_path(const Node& from, const Node& to) {
    return from.presentation.row_of_query && (to.presentation.row_of_query || to.presentation.slice_by_query);
}

// Where columns begin and end, labels and titles included.
struct ColumnEnds {
    float left = std::numeric_limits<float>::max(), right = std::numeric_limits<float>::lowest();
};
std::map<int, ColumnEnds> column_ends(const CanvasFrame& frame) {
    std::map<int, ColumnEnds> columns;
    for (const PlacedNode& placed : frame.layout.placed) {
        ColumnEnds& ends = columns[placed.column];
        ends.left = std::min(ends.left, frame.around(placed).left);
        ends.right = std::max(ends.right, frame.around(placed).right);
    }
    return columns;
}

std::vector<Edge> shown_edges(const ViewContext& context, const CanvasFrame& frame) {
    constexpr float kBesideLegend = 6;
    const Program& program = context.lab.program();
    std::map<int, ColumnEnds> columns = column_ends(frame);
    std::vector<Edge> edges;
    for (const PlacedNode& placed : frame.layout.placed) {
        const Node& node = node_of(context, placed);
        if (!context.selection.shows(node)) continue;
        for (int operand : node.operands) {
            const PlacedNode* operand_place = frame.layout.find(operand);
            const PlacedNode* end = frame.layout.find(end_of_edge(program, placed.node, operand));
            if (operand_place == nullptr || end == nullptr) continue; // what made a guest stands elsewhere
            const PlacedNode &from = *operand_place, &to = *end;
            edges.push_back({.from = frame.cells(from),
                             .to = frame.cells(to),
                             .around_to = frame.around(to),
                             .gap_left = columns[to.column - 1].right + 4,
                             .gap_right = columns[to.column].left - 5,
                             .legend_right = from.has_legend ? frame.legend(from).right + kBesideLegend : 0,
                             .goes_down = to.shelf > from.shelf,
                             .is_path = is_path(node_of(context, from), node)});
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
