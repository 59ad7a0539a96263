#pragma once

#include <algorithm>
#include <string>

#include "app/views/canvas_layout.h"
#include "app/views/legend_line.h"
#include "app/views/matrix_view.h"
#include "app/views/view.h"
#include "engine/program_layout.h"

namespace lab {

// The canvas as it is looked at this frame.
struct CanvasFrame {
    const CanvasLayout& layout;
    const Camera& camera;

    float text_scale() const { return camera.text_scale(); }
    Rect cells(const PlacedNode& placed) const {
        const Rect standing = camera.to_screen(placed.cells);
        if (placed.is_folded) return standing;
        const ImVec2 wider = beyond_sides(standing.size(), text_scale());
        return {standing.left - wider.x, standing.top - wider.y, standing.right + wider.x, standing.bottom + wider.y};
    }
    bool is_larger_than_view(const PlacedNode& placed) const {
        const ImVec2 size = cells(placed).size(), view = camera.area.size();
        return size.x > view.x || size.y > view.y;
    }
    ImVec2 pitch(const PlacedNode& placed) const {
        const ImVec2 standing = camera.to_screen(placed.cells).size(), drawn = cells(placed).size();
        return {placed.pitch.x * camera.zoom * drawn.x / standing.x,
                placed.pitch.y * camera.zoom * drawn.y / standing.y};
    }
    Rect around(const PlacedNode& placed) const {
        return placed.room.around(camera.to_screen(placed.cells), text_scale());
    }
    Rect legend(const PlacedNode& placed) const { return legend_area(cells(placed), text_scale(), placed.is_compact); }
};

inline const Node& node_of(const ViewContext& context, const PlacedNode& placed) {
    return context.lab.program().node(placed.node);
}

// Where a tensor stands, or the one in whose place it is shown; null if it stands nowhere.
inline const PlacedNode* placed_tensor(const ViewContext& context, const std::string& name) {
    const Program& program = context.lab.program();
    const int node = program.find(name);
    return node < 0 ? nullptr : context.ui.canvas.layout.find(placed_node(program, node));
}

// A matrix that is not folded, as it stands there. One that is looked at from so near that it is larger than the view, with numbers of
// full size, has words at those edges of the view where its own are out of sight, be there room for them in the layout or not.
MatrixView matrix_view(const ViewContext& context, const PlacedNode& placed);

// What words beside its rows take, in points of the screen, where it is moved to the view's left edge; 0: it has none.
float words_width_at_edge(const ViewContext& context, const PlacedNode& placed);

// Which lines there are in a layout and, where something stands between their ends, how they go around it.
void lay_out_edges(const Program& program, CanvasLayout& layout);

// Lines from operands to what they feed. The chosen query's path, from its query to its context vector, is the accent.
void draw_edges(const ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame);

} // namespace lab
