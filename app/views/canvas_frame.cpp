#include "app/views/canvas_frame.h"

#include "app/session/labels.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_metrics.h"
#include "app/widgets/text.h"

namespace lab {

namespace {

using namespace matrix_metrics;

// Of rows that are counted the last has the longest label.
float counted_label_width(const ViewContext& context, const Node& node) {
    const TextStyle style = semibold_text(context.theme, type_size::kLabel, {});
    return text_width(style, axis_label(context.lab.document(), row_axis(node), shown_extent(node).n_rows - 1));
}

// Where they stand at the view's edges, over cells: else others stand there, or lines that lead to it.
void name_at_edges(const ViewContext& context, const Node& node, const Rect& cells, MatrixView& view) {
    const Rect& area = context.ui.camera.area;
    if (!view.has_row_labels && row_axis(node) != Axis::none) {
        if (!are_words(row_axis(node))) view.row_label_width = counted_label_width(context, node);
        view.has_row_labels = cells.left < area.left + words_width(view) + kAtEdge;
    }
    if (view.has_col_labels || node.presentation.cols == Axis::none) return;
    MatrixView named = view;
    named.has_col_labels = true;
    view.has_col_labels = cells.height() > area.height() && cells.top < area.top + title_height(named) + kAtEdge;
}

} // namespace

MatrixView matrix_view(const ViewContext& context, const PlacedNode& placed) {
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    const Rect cells = frame.cells(placed);
    MatrixView view{.node = placed.node,
                    .origin = cells.min(),
                    .pitch = frame.pitch(placed),
                    .text_scale = frame.text_scale(),
                    .has_row_labels = placed.has_row_labels,
                    .has_col_labels = placed.has_col_labels,
                    .has_legend = placed.has_legend,
                    .sticks = true,
                    .is_compact = placed.is_compact,
                    .title_room = frame.around(placed).right - cells.left,
                    .row_label_width = context.ui.canvas.request.row_label_width};
    if (frame.is_larger_than_view(placed) && number_size(view) > 0)
        name_at_edges(context, node_of(context, placed), cells, view);
    return view;
}

float words_width_at_edge(const ViewContext& context, const PlacedNode& placed) {
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    const MatrixView view = matrix_view(context, placed);
    const bool is_near = frame.is_larger_than_view(placed) && number_size(view) > 0;
    const bool has_words = view.has_row_labels || is_near;
    return has_words && row_axis(node_of(context, placed)) != Axis::none ? words_width(view) : 0;
}

} // namespace lab
