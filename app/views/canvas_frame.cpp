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

bool is_read_from_near(const ViewContext& context, const MatrixView& view, ImVec2 cells) {
    const ImVec2 area = context.ui.camera.area.size();
    return number_size(view) > 0 && (cells.x > area.x || cells.y > area.y);
}

// Where they stand at the view's edges, over cells: else others stand there, or lines that lead to it.
void name_at_edges(const ViewContext& context, const Node& node, const Rect& cells, MatrixView& view) {
    const Rect& area = context.ui.camera.area;
    const float title = view.is_compact ? kCompactTitle : kTitle;
    if (!view.has_row_labels && row_axis(node) != Axis::none) {
        if (!are_words(row_axis(node))) view.row_label_width = counted_label_width(context, node);
        view.has_row_labels = cells.left < area.left + words_width(view) + kAtEdge;
    }
    const float above = (title + kColumnLabels) * view.text_scale + kAtEdge;
    const bool is_at_top = cells.height() > area.height() && cells.top < area.top + above;
    view.has_col_labels |= is_at_top && node.presentation.cols != Axis::none;
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
    if (is_read_from_near(context, view, cells.size())) name_at_edges(context, node_of(context, placed), cells, view);
    return view;
}

float words_width_at_edge(const ViewContext& context, const PlacedNode& placed) {
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    const MatrixView view = matrix_view(context, placed);
    const bool has_words = view.has_row_labels || is_read_from_near(context, view, frame.cells(placed).size());
    return has_words && row_axis(node_of(context, placed)) != Axis::none ? words_width(view) : 0;
}

} // namespace lab
