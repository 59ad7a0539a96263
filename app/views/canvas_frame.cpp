#include "app/views/canvas_frame.h"

#include "app/views/matrix_cells.h"

namespace lab {

MatrixView matrix_view(const ViewContext& context, const PlacedNode& placed) {
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    const Rect cells = frame.cells(placed), &area = context.ui.camera.area;
    const Presentation& shown = node_of(context, placed).presentation;
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
    const bool leaves_view = cells.height() > area.height() || cells.width() > area.width();
    if (!leaves_view || number_size(view) == 0) return view;
    view.has_row_labels |= shown.rows != Axis::none;
    view.has_col_labels |= shown.cols != Axis::none;
    return view;
}

} // namespace lab
