#pragma once

#include <optional>
#include <string_view>

#include "app/views/head_combination.h"
#include "app/views/matrix_metrics.h"
#include "app/views/view.h"

namespace lab {

// A matrix on the screen: which node, and where its cells stand. Of a tensor with several heads one is shown, of weighted
// values the chosen query's slice.
struct MatrixView {
    int node = 0;         // whose place it is; its cells may be another's (shown_node)
    ImVec2 origin{};      // top left of the first cell, in points of the window
    ImVec2 pitch{};       // from one cell to the next, gap included
    float text_scale = 1; // of title and labels
    bool has_row_labels = false;
    bool has_col_labels = false;
    bool has_legend = false;
    bool sticks = false; // what stands at its edges stays in sight where it is larger than the view
    // Sticks, not beside the title but at the view's lower edge, where the view is narrow.
    bool has_legend_below = false;
    bool is_compact = false; // title and legend on one line each, without formula
    float title_room = 0;    // in points from the left end of the cells; 0: as much as the title takes
    float row_label_width = matrix_metrics::kMostRowLabel; // room for a word beside a row, in points at text scale 1
    std::optional<Rect> part = {};             // of the window: seen there alone; absent: wherever it stands
    std::optional<int> head = {};              // absent: the chosen one
    const HeadCombination* combined = nullptr; // several heads in its place: no cell can be pointed at
    std::string_view title = {};               // in place of name, formula and shape; or empty
};

MatrixExtent shown_extent(const Node& node);

// Where a cell stands in that matrix; and the cell that stands elsewhere in the same one, beside a cell of the same head.
struct ShownPlace {
    int row = 0;
    int col = 0;
};
ShownPlace shown_place(const Node& node, Cell cell);
Cell cell_at_place(const Node& node, Cell beside, ShownPlace place);

// Of a draw list that is split.
struct MatrixChannels {
    int cells = 0, above = 0;
};

// Title, shape, formula, labels, cells, legend; marks for what is hovered, pinned, read and changed.
//
// channels  cells have one of their own, so that those of several matrices are drawn one after another
//           without a change of shaders, and all else is above
void draw_matrix(ViewContext& context, ImDrawList& draw_list, const MatrixView& view,
                 const std::optional<MatrixChannels>& channels = {});

// Hover, click to pin, press to begin a drag (cell_drag.h); the word beside a row chooses the query. True if something of this matrix
// is under the mouse. Call inside the window that owns the canvas, when it is hovered.
bool handle_matrix_mouse(ViewContext& context, const MatrixView& view, ImVec2 mouse);

// As if the mouse lay on that cell, wherever it is.
void tell_of_cell(ViewContext& context, const TensorCell& where);

// Whether its numbers are too small to be read, but not from nearer.
bool is_read_nearer(const MatrixView& view);

// The cell under a point of the window.
std::optional<Cell> cell_at(const ViewContext& context, const MatrixView& view, ImVec2 point);

// Where a cell stood in the last frame, as much of it as could be seen; absent if nothing of it could.
std::optional<Rect> drawn_area(const ViewContext& context, const TensorCell& cell);

// What that cell was made from, to be lit.
const LitSources& lit_sources(ViewContext& context, const TensorCell& explained);

// The cell that is explained now: the hovered one, else the pinned one, else that of the panel's list. While a number is dragged, and
// until the mouse goes on, the pinned one if it follows from that.
std::optional<TensorCell> explained_cell(const ViewContext& context);

} // namespace lab
