#pragma once

#include <vector>

#include "app/session/selection.h"
#include "app/widgets/geometry.h"
#include "engine/program.h"

namespace lab {

// Room around cells for title, labels and legend, in points at text scale 1.
struct Surroundings {
    float left = 0, above = 0, right = 0, below = 0;

    Rect around(const Rect& cells, float text_scale) const {
        return {cells.left - left * text_scale, cells.top - above * text_scale, cells.right + right * text_scale,
                cells.bottom + below * text_scale};
    }
};

// Where a node stands on the canvas, in world units (points at zoom 1).
struct PlacedNode {
    int node = 0;
    bool is_folded = false; // a titled line
    Rect cells;             // of a folded node: the line
    ImVec2 pitch;           // from cell to cell
    bool has_row_labels = false;
    bool has_col_labels = false;
    bool has_legend = false;
    Surroundings room;
};

struct CanvasLayout {
    std::vector<PlacedNode> placed; // one per node, in the program's order
    Rect bounds;                    // of everything, titles and labels included
    float text_scale = 1;           // of titles and labels, so that they can be read when all is fitted to the view
};

// What a layout is made for.
struct LayoutRequest {
    const Program& program;
    const Selection& selection;
    float row_label_width = 0;       // of the widest row label, in points at text scale 1
    std::vector<float> title_widths; // per node, in points at text scale 1
    ImVec2 view;                     // the canvas, in points
};

// From left to right by Presentation::column; within a column from top to bottom. Titles and labels grow with the whole
// so that they stay readable when it is fitted to the view, but not so far that cells become very small.
CanvasLayout lay_out(const LayoutRequest& request);

} // namespace lab
