#include "app/views/matrix_edges.h"

#include <algorithm>

#include "app/views/legend_line.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_metrics.h"

namespace lab {

namespace {

using namespace matrix_metrics;

Rect room_below(const MatrixView& view, const MatrixEdges& edges, const Rect& clip) {
    const bool is_in_sight = legend_area(edges.cells, view.text_scale, view.is_compact).bottom <= clip.bottom;
    const bool sticks = edges.is_tall && view.has_legend && view.has_legend_below && !is_in_sight;
    return sticks ? lower_edge(edges.cells, view.text_scale, clip) : Rect();
}

} // namespace

Rect lower_edge(const Rect& cells, float text_scale, const Rect& clip) {
    const Rect below{clip.left, clip.bottom - kLegend * text_scale, clip.right, clip.bottom};
    return cells.top + kLeastSeen < below.top ? below : Rect();
}

float title_height(const MatrixView& view) {
    return ((view.is_compact ? kCompactTitle : kTitle) + (view.has_col_labels ? kColumnLabels : 0)) * view.text_scale;
}

float words_width(const MatrixView& view) { return (view.row_label_width + kRowLabelGap) * view.text_scale; }

MatrixEdges matrix_edges(const MatrixGeometry& matrix, const Rect& clip) {
    const MatrixView& view = matrix.view;
    const Rect cells = matrix.cells();
    const float above = title_height(view), beside = view.has_row_labels ? words_width(view) : 0;
    MatrixEdges edges{.cells = cells};
    edges.is_tall = view.sticks && cells.height() > clip.height();
    edges.is_wide = view.sticks && cells.width() > clip.width();
    const float top = std::min(clip.top + above + kAtEdge, cells.bottom - kLeastSeen);
    const float left = std::min(clip.left + beside + kAtEdge, cells.right - kLeastSeen);
    edges.covers_top = edges.is_tall && cells.top < top;
    const bool covers_little = cells.right - left >= left - clip.left;
    const bool keeps_words = edges.is_wide || (edges.is_tall && view.has_row_labels && covers_little);
    edges.covers_left = keeps_words && cells.left < left;
    if (edges.covers_top) edges.cells.top = top;
    if (edges.covers_left) edges.cells.left = left;
    const float begin = edges.cells.left - beside - (edges.covers_left ? kAtEdge : 0);
    edges.above = {begin, edges.cells.top - above - (edges.covers_top ? kAtEdge : 0),
                   std::min(std::max(cells.right, cells.left + view.title_room), clip.right), edges.cells.top};
    edges.beside = {begin, edges.above.top, edges.cells.left, std::min(cells.bottom, clip.bottom)};
    edges.below = room_below(view, edges, clip);
    return edges;
}

void draw_covers(const MatrixEdges& edges, const Palette& palette, ImDrawList& draw_list) {
    const ImU32 fill = palette.background.u32(), line = palette.line.u32();
    if (edges.covers_top) {
        draw_list.AddRectFilled(edges.above.min(), edges.above.max(), fill);
        const float right = std::min(edges.cells.right, edges.above.right);
        draw_list.AddLine({edges.cells.left, edges.above.bottom}, {right, edges.above.bottom}, line);
    }
    if (edges.below.height() > 0) {
        draw_list.AddRectFilled(edges.below.min(), edges.below.max(), fill);
        draw_list.AddLine(edges.below.min(), {edges.below.right, edges.below.top}, line);
    }
    if (edges.covers_left) {
        draw_list.AddRectFilled(edges.beside.min(), edges.beside.max(), fill);
        draw_list.AddLine({edges.beside.right, edges.cells.top}, edges.beside.max(), line);
    }
}

} // namespace lab
