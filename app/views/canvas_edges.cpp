#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "app/views/canvas_frame.h"
#include "app/views/canvas_routes.h"
#include "app/views/matrix_masked.h"
#include "app/views/matrix_picture.h"

namespace lab {

namespace {

// In points of the window. Sideways a line from the cells to the labels, which bends where there is nothing: between the
// columns.
struct SidewaysLine {
    Rect from, to;
    Rect around_to;
    float gap_left = 0, gap_right = 0; // in x, before the column that the line ends in
};

void draw_sideways(ImDrawList& draw_list, const SidewaysLine& edge, ImU32 color, float width) {
    constexpr float kLeastBend = 6;
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

// From corner to corner, the corners rounded.
void draw_around(ImDrawList& draw_list, const std::vector<ImVec2>& points, ImU32 color, float width) {
    constexpr float kRadius = 7;
    const auto towards = [](ImVec2 from, ImVec2 to, float most) {
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        const float share = length > 0 ? std::min(most, length / 2) / length : 0;
        return ImVec2{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    };
    draw_list.PathLineTo(points.front());
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        draw_list.PathLineTo(towards(points[i], points[i - 1], kRadius));
        draw_list.PathBezierQuadraticCurveTo(points[i], towards(points[i], points[i + 1], kRadius));
    }
    draw_list.PathLineTo(points.back());
    draw_list.PathStroke(color, 0, width);
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

bool is_path(const Selection& selection, const Node& from, const Node& to) {
    return selection.points_at_query && from.presentation.row_of_query &&
           (to.presentation.row_of_query || to.presentation.slice_by_query);
}

// Where columns begin and end, labels and titles included.
struct ColumnEnds {
    float left = std::numeric_limits<float>::max(), right = std::numeric_limits<float>::lowest();
};
template <typename Around> std::map<int, ColumnEnds> column_ends(const CanvasLayout& layout, const Around& around) {
    std::map<int, ColumnEnds> columns;
    for (const PlacedNode& placed : layout.placed) {
        ColumnEnds& ends = columns[placed.column];
        ends.left = std::min(ends.left, around(placed).left);
        ends.right = std::max(ends.right, around(placed).right);
    }
    return columns;
}

// From where on nothing stands below a matrix at this place: its legend's numbers, and beside them what a point says where it is
// that of many cells, and which colour masked ones have.
float end_of_words(const ViewContext& context, const CanvasFrame& frame, const PlacedNode& placed, float x) {
    constexpr float kBelow = 4, kBesideLegend = 6;
    const ImVec2 pitch = frame.pitch(placed);
    const bool says_more = shows_several_cells(pitch, shown_extent(node_of(context, placed)), least_texel()) ||
                           has_masked_alike(context.lab.program(), placed.node, pitch);
    const bool is_free = !placed.has_legend || (!says_more && x > frame.legend(placed).right + kBesideLegend);
    return is_free ? frame.cells(placed).bottom + kBelow : frame.around(placed).bottom + kBelow / 2;
}

std::vector<CanvasEdge> edges_of(const Program& program, const CanvasLayout& layout) {
    std::vector<CanvasEdge> edges;
    for (const PlacedNode& placed : layout.placed) {
        for (int operand : program.node(placed.node).operands) {
            const CanvasEdge edge{placed.node, operand, end_of_edge(program, placed.node, operand)};
            const bool is_there = layout.find(edge.from) != nullptr && layout.find(edge.to) != nullptr;
            const bool is_new = std::find(edges.begin(), edges.end(), edge) == edges.end();
            if (is_there && is_new) edges.push_back(edge); // what made a guest stands elsewhere
        }
    }
    return edges;
}

bool is_beside(const Rect& from, const Rect& to) { return to.left > from.right; }

// Lines around what stands between the ends of an edge, in world units.
class Ways {
  public:
    explicit Ways(const CanvasLayout& layout)
        : layout_(layout), columns_(column_ends(layout, [](const PlacedNode& placed) { return placed.around(); })) {}

    // Whether a straight line, or one that bends before the last column, would run over something.
    bool is_needed(const PlacedNode& from, const PlacedNode& to) {
        if (from.shelf != to.shelf) return true;
        if (is_beside(from.cells, to.cells)) {
            const float y = from.cells.center().y, end_y = to.cells.center().y;
            const float bend = columns_[to.column - 1].right;
            return stands_in({from.cells.right, y, std::max(bend, from.cells.right), y}, from, to) ||
                   stands_in({columns_[to.column].left, end_y, to.around().left, end_y}, from, to);
        }
        const float x = to.cells.center().x;
        return to.around().top < from.cells.bottom || stands_in({x, from.cells.bottom, x, to.around().top}, from, to);
    }

    // From below to above, else from side to side. `n_before`: other lines that come in from above.
    RouteRequest request(const PlacedNode& from, const PlacedNode& to, int n_before) const {
        constexpr float kFirst = 12, kNext = 14, kBesideLegend = 6, kFromEdge = 4, kAtSides = 80;
        RouteRequest made;
        made.source = from.node;
        const Rect begin = from.around(), end = to.around();
        const float detour = from.shelf == to.shelf ? 0 : kAtSides;
        const float right = from.cells.center().y, left = to.cells.center().y;
        made.begins = {{{from.cells.right + 4, right}, {begin.right + kRouteClearance, right}, false, detour}};
        const float first = to.cells.left + kFirst, last = std::max(first, to.cells.right - kFirst);
        std::vector<float> tops{std::min(first + kNext * static_cast<float>(n_before), last)};
        const Rect legend = legend_area(from.cells, 1, from.is_compact);
        const float below = std::max(from.cells.center().x, from.has_legend ? legend.right + kBesideLegend : 0.0f);
        if (below <= from.cells.right - kFromEdge) {
            made.begins.push_back({{below, from.cells.bottom + 3}, {below, begin.bottom + kRouteClearance}});
            if (n_before == 0 && below >= first && below <= last) tops.push_back(below); // straight down
        }
        for (const float x : tops) made.ends.push_back({{x, end.top - 1}, {x, end.top - kRouteClearance}});
        made.ends.push_back({{end.left - 2, left}, {end.left - kRouteClearance, left}, false, detour});
        return made;
    }

  private:
    // A folded line is passed behind.
    bool stands_in(const Rect& line, const PlacedNode& from, const PlacedNode& to) const {
        return std::any_of(layout_.placed.begin(), layout_.placed.end(), [&](const PlacedNode& each) {
            const bool is_in_the_way =
                each.node != from.node && each.node != to.node && (!each.is_folded || is_beside(from.cells, to.cells));
            return is_in_the_way && each.around().overlaps(line.grown(0.5f));
        });
    }

    const CanvasLayout& layout_;
    std::map<int, ColumnEnds> columns_;
};

} // namespace

void lay_out_edges(const Program& program, CanvasLayout& layout) {
    std::vector<CanvasEdge> edges = edges_of(program, layout);
    if (edges == layout.edges && layout.lines.size() == edges.size()) return;
    Ways ways(layout);
    std::vector<Rect> obstacles;
    for (const PlacedNode& placed : layout.placed) obstacles.push_back(placed.around());
    std::vector<RouteRequest> requests;
    std::vector<std::size_t> requested; // edges
    std::map<int, int> n_into;          // by node
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const PlacedNode &from = *layout.find(edges[i].from), &to = *layout.find(edges[i].to);
        if (!ways.is_needed(from, to)) continue;
        requests.push_back(ways.request(from, to, n_into[to.node]++));
        requested.push_back(i);
    }
    const std::vector<std::vector<ImVec2>> lines = route_lines(obstacles, requests);
    layout.lines.assign(edges.size(), {});
    for (std::size_t i = 0; i < lines.size(); ++i) layout.lines[requested[i]] = lines[i];
    layout.edges = std::move(edges);
}

void draw_edges(const ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame) {
    const Palette& palette = context.theme.palette;
    std::map<int, ColumnEnds> columns =
        column_ends(frame.layout, [&](const PlacedNode& placed) { return frame.around(placed); });
    const auto draw = [&](std::size_t i, Color color, float width) {
        const CanvasEdge& edge = frame.layout.edges[i];
        std::vector<ImVec2> line = frame.layout.lines[i];
        const PlacedNode &from = *frame.layout.find(edge.from), &to = *frame.layout.find(edge.to);
        const Rect begin = frame.cells(from), end = frame.cells(to), around_end = frame.around(to);
        if (!line.empty()) {
            for (ImVec2& point : line) point = frame.camera.to_screen(point);
            draw_around(draw_list, line, color.u32(), width);
        } else if (is_beside(begin, end)) {
            draw_sideways(draw_list,
                          {begin, end, around_end, columns[to.column - 1].right + 4, columns[to.column].left - 5},
                          color.u32(), width);
        } else if (around_end.top > begin.bottom) {
            const float x = end.center().x;
            draw_list.AddLine({x, end_of_words(context, frame, from, x)}, {x, around_end.top - 2}, color.u32(), width);
        }
    };
    for (const bool is_of_path : {false, true}) { // the path on top
        for (std::size_t i = 0; i < frame.layout.edges.size(); ++i) {
            const CanvasEdge& edge = frame.layout.edges[i];
            const Program& program = context.lab.program();
            const Node& made = program.node(edge.node);
            if (!context.selection.shows(made) ||
                is_path(context.selection, program.node(edge.from), made) != is_of_path)
                continue;
            draw(i, is_of_path ? palette.accent : palette.line, is_of_path ? 1.8f : 1.5f);
        }
    }
}

} // namespace lab
