#pragma once

#include "app/views/matrix_view.h"

namespace lab {

struct MatrixGeometry;

// Where title, words and legend stand: at a matrix's own edges, or, of one that is larger than the view and whose edges have left
// it, at those of the view. There they cover cells, which is why `cells` are those that are left. Words beside the rows stay in
// sight of a matrix that is only taller than the view, too, as long as they cover no more than they leave.
struct MatrixEdges {
    Rect cells;           // right and bottom edge are always the matrix's own
    bool is_tall = false; // higher than the view,
    bool is_wide = false; // wider than the view
    bool covers_top = false;
    bool covers_left = false;
    Rect above = {};  // for title and words above the columns
    Rect beside = {}; // for words beside the rows
    Rect below = {};  // for the legend of a tall one whose lower edge is out of sight, all along the view; or empty
};

// Of the title and words above columns, in points of the screen.
float title_height(const MatrixView& view);

// Of words beside rows, with what is between them and the cells, in points of the screen.
float words_width(const MatrixView& view);

// clip: the view
MatrixEdges matrix_edges(const MatrixGeometry& matrix, const Rect& clip);

// For a legend at the view's lower edge. Empty where little of the matrix is seen yet: what stands there is another's.
Rect lower_edge(const Rect& cells, float text_scale, const Rect& clip);

// What they cover.
void draw_covers(const MatrixEdges& edges, const Palette& palette, ImDrawList& draw_list);

} // namespace lab
