#include <algorithm>
#include <cmath>

#include "app/session/heads.h"
#include "app/session/trace_text.h"
#include "app/views/matrix_cells.h"
#include "engine/derivation.h"

namespace lab {

namespace {

Range visible(float first, float pitch, int n, float low, float high) {
    const int begin = static_cast<int>(std::floor((low - first) / pitch));
    const int end = static_cast<int>(std::ceil((high - first) / pitch));
    return {std::clamp(begin, 0, n), std::clamp(end, 0, n)};
}

} // namespace

float gap_between_cells(ImVec2 pitch) { return std::min(1.5f, 0.08f * std::min(pitch.x, pitch.y)); }

MatrixGeometry matrix_geometry(const ViewContext& context, const MatrixView& view) {
    const Program& program = context.lab.program();
    const int index = shown_node(context.selection, program, view.node);
    const Node& node = program.node(index);
    const Block of_head = block_of_head(program, index, view.head.value_or(context.selection.head));
    const bool is_stored = context.lab.trace().is_stored(index);
    return {view, index, node, shown_extent(node), context.selection.query, of_head.planes.begin, of_head, is_stored};
}

MatrixFrame matrix_frame(ViewContext& context, const MatrixView& view) {
    MatrixFrame frame{matrix_geometry(context, view), context, {}, {}};
    const std::optional<TensorCell> explained = explained_cell(context);
    if (explained && explained->tensor == frame.node.name && frame.shows(explained->cell))
        frame.explained = explained->cell;
    return frame;
}

MatrixExtent shown_extent(const Node& node) {
    if (node.presentation.slice_by_query) return {node.n_planes_of_slice(), node.shape.cols};
    return {node.shape.rows, node.shape.cols};
}

ShownPlace shown_place(const Node& node, Cell cell) {
    if (!node.presentation.slice_by_query) return {cell.row, cell.col};
    return {cell.plane % node.n_planes_of_slice(), cell.col};
}

Cell cell_at_place(const Node& node, Cell beside, ShownPlace place) {
    if (!node.presentation.slice_by_query) return {beside.plane, place.row, place.col};
    return {beside.plane - beside.plane % node.n_planes_of_slice() + place.row, beside.row, place.col};
}

Rect MatrixGeometry::cells() const {
    return Rect::at(view.origin, {view.pitch.x * static_cast<float>(extent.n_cols),
                                  view.pitch.y * static_cast<float>(extent.n_rows)});
}

Rect MatrixGeometry::cell_rect(int row, int col) const {
    const ImVec2 corner{view.origin.x + view.pitch.x * static_cast<float>(col),
                        view.origin.y + view.pitch.y * static_cast<float>(row)};
    const float gap = gap_between_cells(view.pitch);
    return Rect::at(corner, {view.pitch.x - gap, view.pitch.y - gap});
}

Cell MatrixGeometry::to_cell(int row, int col) const {
    if (node.presentation.slice_by_query) return {plane + row, query, col};
    return {plane, row, col};
}

Block MatrixGeometry::to_block(Range rows, Range cols) const {
    if (node.presentation.slice_by_query) return {{plane + rows.begin, plane + rows.end}, Range::at(query), cols};
    return {Range::at(plane), rows, cols};
}

bool MatrixGeometry::shows(Cell cell) const {
    if (view.combined != nullptr) return false;
    if (node.presentation.slice_by_query) return cell.row == query && of_head.planes.contains(cell.plane);
    return cell.plane == plane;
}

Range MatrixGeometry::rows_of(const Block& block) const {
    if (view.combined != nullptr) return {};
    if (node.presentation.slice_by_query) {
        const int begin = std::max(block.planes.begin, of_head.planes.begin);
        const int end = std::min(block.planes.end, of_head.planes.end);
        return block.rows.contains(query) ? Range{begin - plane, end - plane} : Range();
    }
    return block.planes.contains(plane) ? block.rows : Range();
}

int MatrixGeometry::row_of(Cell cell) const { return shown_place(node, cell).row; }

Range MatrixGeometry::visible_rows(const Rect& clip) const {
    return visible(view.origin.y, view.pitch.y, extent.n_rows, clip.top, clip.bottom);
}

Range MatrixGeometry::visible_cols(const Rect& clip) const {
    return visible(view.origin.x, view.pitch.x, extent.n_cols, clip.left, clip.right);
}

std::vector<float> MatrixGeometry::read_cells(const Trace& trace, Range rows, Range cols) const {
    const Block block = to_block(rows, cols);
    std::vector<float> cells(block.size());
    trace.source(index)->read(block, cells.data());
    mark_masked(trace, index, block, cells);
    return cells;
}

std::vector<float> MatrixFrame::read(Range rows, Range cols) const {
    const Trace& trace = context.lab.trace();
    if (view.combined != nullptr) return read_combined(trace, index, *view.combined, rows, cols);
    return read_cells(trace, rows, cols);
}

namespace {

// The least that a gradient's colours span, beside all gradients of its section: what rounding left of a slope that is
// truly 0 is no strong colour.
float least_span(const Trace& trace, const Node& gradient) {
    constexpr float kOfGreatest = 1e-6f;
    float greatest = 0;
    const auto& nodes = trace.program().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& each = nodes[i];
        if (!each.is_of_gradient() || each.is_auxiliary || each.section != gradient.section) continue;
        const float magnitude = magnitude_of(trace.extent(static_cast<int>(i)));
        if (std::isfinite(magnitude)) greatest = std::max(greatest, magnitude);
    }
    return kOfGreatest * greatest;
}

// Among so many weights a typical one is faint beside the first token's, which is 1 under a causal mask; and among so many
// rows of context vectors all are faint beside the first, which is a single value and no mean of many. Of fewer the cells have
// room for their numbers everywhere. Rows of a weight matrix are no tokens: that one stands out is less to be expected.
constexpr int kLeastToBringOut = 9, kLeastOfWeightMatrix = 64;

} // namespace

// Beside the rounding of gradients that are truly 0 nothing typical is to be brought out.
bool may_bend_colors(const Node& node) {
    const int least = node.presentation.role == Role::weight_matrix ? kLeastOfWeightMatrix : kLeastToBringOut;
    return node.shape.rows >= least && !node.presentation.non_negative && !node.is_of_gradient();
}

bool has_many_weights(const Node& node) {
    return node.presentation.role == Role::weights && node.shape.cols >= kLeastToBringOut;
}

// A weight matrix that is a picture has a legend as what it makes of many tokens has.
bool has_explained_colors(const Node& node) {
    return node.presentation.cols == Axis::keys || may_bend_colors(node) ||
           is_picture_of_weights(node.presentation.role, shown_extent(node));
}

ColorScale MatrixFrame::scale() const {
    const ColorSpans::Span span = context.ui.color_spans.of(context.lab.trace(), index, may_bend_colors(node));
    return scale(span.extent, span.typical);
}

ColorScale MatrixFrame::scale(const Extent& range, float typical) const {
    const float least = node.is_of_gradient() ? least_span(context.lab.trace(), node) : 0;
    const bool is_negligible = magnitude_of(range) > 0 && magnitude_of(range) < least;
    const ColorScale colors = color_scale(context.theme.palette, node.presentation.non_negative,
                                          is_negligible ? -least : range.least, is_negligible ? least : range.greatest);
    if (colors.is_signed())
        return may_bend_colors(node) ? with_typical_seen(colors, static_cast<double>(typical)) : colors;
    if (!has_many_weights(node)) return colors;
    return with_typical_seen(colors, std::max(1.0 / node.shape.cols, static_cast<double>(typical)));
}

std::optional<Rect> drawn_area(const ViewContext& context, const TensorCell& cell) {
    for (const DrawnMatrix& drawn : context.ui.drawn_matrices) {
        const MatrixView view{.node = drawn.node, .origin = drawn.origin, .pitch = drawn.pitch, .head = drawn.head};
        const MatrixGeometry frame = matrix_geometry(context, view);
        if (frame.node.name != cell.tensor || !Block::all(frame.node.shape).contains(cell.cell) ||
            !frame.shows(cell.cell))
            continue;
        const Rect rect = frame.cell_rect(frame.row_of(cell.cell), cell.cell.col);
        if (rect.overlaps(drawn.clip)) return rect.intersection(drawn.clip);
    }
    return std::nullopt;
}

} // namespace lab
