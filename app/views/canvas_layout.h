#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/session/selection.h"
#include "app/views/matrix_view.h"
#include "app/widgets/geometry.h"
#include "engine/program.h"

namespace lab {

// Where a node stands on the canvas, in world units (points at zoom 1).
struct PlacedNode {
    int node = 0;
    bool is_folded = false; // a titled line
    Rect cells;             // of a folded node: the line
    ImVec2 pitch;           // from cell to cell
    bool has_row_labels = false;
    bool has_col_labels = false;
    bool has_legend = false;
};

struct CanvasLayout {
    std::vector<PlacedNode> placed; // in the program's order
    Rect bounds;                    // of everything, titles and labels included
    float text_scale = 1;           // of titles and labels, so that they can be read when all is fitted to the view

    const PlacedNode* find(int node) const;
};

// What a layout is made for.
struct LayoutRequest {
    const Program& program;
    const Selection& selection;
    float row_label_width = 0; // of the widest row label, in points at text scale 1
    ImVec2 view;               // the canvas, in points
};

// From left to right by Presentation::column; within a column from top to bottom. Titles and labels grow with the whole
// so that they stay readable when it is fitted to the view.
CanvasLayout lay_out(const LayoutRequest& request);

// The zoom at which the layout just fits, and not more than kLargestFit.
float fitting_zoom(const CanvasLayout& layout, ImVec2 view);
constexpr float kLargestFit = 1.6f;

} // namespace lab
