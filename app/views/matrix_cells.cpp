#include "app/views/matrix_cells.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/session/heads.h"
#include "app/session/trace_text.h"
#include "app/views/matrix_masked.h"
#include "app/views/matrix_metrics.h"
#include "app/widgets/heatmap_texture.h"
#include "app/widgets/text.h"
#include "engine/derivation.h"

namespace lab {

namespace {

constexpr ImVec2 kPitch = matrix_metrics::kPitch; // at which numbers have the size kCell
constexpr float kLeastNumber = 8.5f;              // smaller numbers are not drawn
constexpr float kGreatestNumber = 22;
constexpr float kLeastCell = 9;               // of smaller cells a picture is drawn
constexpr std::size_t kMostDrawnCells = 4000; // of more, too
constexpr std::size_t kMostRoundedCells = 1200;

Range visible(float first, float pitch, int n, float low, float high) {
    const int begin = static_cast<int>(std::floor((low - first) / pitch));
    const int end = static_cast<int>(std::ceil((high - first) / pitch));
    return {std::clamp(begin, 0, n), std::clamp(end, 0, n)};
}

float gap(const MatrixView& view) { return std::min(1.5f, 0.08f * std::min(view.pitch.x, view.pitch.y)); }

// As many decimals as there is room for and the numbers need, two at most until there is room for four.
int decimals_that_fit(const MatrixFrame& frame, const std::vector<float>& cells, float size) {
    const float figure = text_width({frame.context.theme.fonts.numbers, size, {}, Align::left}, "0");
    float greatest = 0;
    bool all_whole = true, has_signs = false;
    for (float value : cells) {
        if (!std::isfinite(value)) continue;
        greatest = std::max(greatest, std::fabs(value));
        all_whole = all_whole && value == std::floor(value);
        has_signs = has_signs || value < 0;
    }
    if (all_whole) return 0;
    const int n_whole = 1 + (greatest >= 10);
    const int n_figures = static_cast<int>((frame.view.pitch.x - 4) / figure);
    const int n_left = n_figures - n_whole - 1 - (has_signs ? 1 : 0); // after the point
    const bool is_near = n_left >= 5 && size >= type_size::kCell;     // not where only the figures have become small
    return std::clamp(n_left, 0, is_near ? 4 : 2);
}

std::string cell_number(float value, int decimals) {
    if (std::isnan(value)) return "NaN";
    if (std::fabs(value) >= 1e5f && std::isfinite(value)) return short_exponent_text(value);
    if (value != 0 && std::fabs(value) < 0.5f * std::pow(10.0f, static_cast<float>(-decimals)))
        return (value < 0 ? "−" : "") + number_text(0, decimals);
    return number_text(static_cast<double>(value), decimals);
}

// With fewer decimals, or in the end as a sign for "a number", where there is no room: one large number does not take
// the others' decimals away, nor does it cover them.
std::string fitting_number(float value, int decimals, float max_width, const TextStyle& style) {
    for (; decimals >= 0; --decimals) {
        const std::string text = cell_number(value, decimals);
        if (text_width(style, text) <= max_width) return text;
    }
    return "…";
}

void draw_numbered_cells(const MatrixFrame& frame, ImDrawList& draw_list, Range rows, Range cols) {
    const Palette& palette = frame.context.theme.palette;
    const std::vector<float> cells = frame.read(rows, cols);
    const ColorScale scale = frame.scale();
    const float size = number_size(frame.view);
    const int decimals = size > 0 ? decimals_that_fit(frame, cells, size) : 0;
    const float rounding = cells.size() <= kMostRoundedCells ? std::min(3.0f, 0.12f * frame.view.pitch.y) : 0;
    TextStyle style{frame.context.theme.fonts.numbers, size, {}, Align::center};
    std::size_t i = 0;
    for (int row = rows.begin; row < rows.end; ++row) {
        for (int col = cols.begin; col < cols.end; ++col, ++i) {
            const Rect rect = frame.cell_rect(row, col);
            if (is_masked_weight(frame, cells[i])) {
                draw_masked_cell(frame, draw_list, rect);
                continue;
            }
            Color fill = cell_color(cells[i], scale, palette);
            if (frame.is_dimmed(row, col)) fill = dimmed(fill, palette);
            draw_list.AddRectFilled(rect.min(), rect.max(), fill.u32(), rounding);
            if (size == 0) continue;
            style.color = ink_on(fill);
            draw_text(draw_list, style, {rect.center().x, rect.center().y + size * 0.35f},
                      fitting_number(cells[i], decimals, rect.width() - 2, style));
        }
    }
}

// Each head has a picture of its own: in the grid all stand side by side.
std::string picture_name(const MatrixFrame& frame) {
    if (frame.view.combined != nullptr) return frame.node.name + " " + frame.view.combined->title();
    return frame.node.name + (frame.plane > 0 ? " " + std::to_string(frame.plane) : "");
}

// Over a picture, what is_dimmed tells of single cells: all but the rows of the chosen query and what is the head's.
void draw_veil(const MatrixFrame& frame, ImDrawList& draw_list) {
    if (frame.node.presentation.slice_by_query) return;
    const Rect rect = frame.cells();
    Range rows = frame.of_head.rows, cols = frame.of_head.cols;
    if (frame.node.presentation.row_of_query) rows = Range::at(frame.query);
    const Rect first = frame.cell_rect(rows.begin, cols.begin), end = frame.cell_rect(rows.end, cols.end);
    const Rect clear{first.left, first.top, std::min(end.left, rect.right), std::min(end.top, rect.bottom)};
    const ImU32 veil = frame.context.theme.palette.background.u32(kDimming);
    const auto cover = [&](const Rect& part) {
        if (part.width() > 0 && part.height() > 0) draw_list.AddRectFilled(part.min(), part.max(), veil);
    };
    cover({rect.left, rect.top, rect.right, clear.top});
    cover({rect.left, clear.top, clear.left, clear.bottom});
    cover({clear.right, clear.top, rect.right, clear.bottom});
    cover({rect.left, clear.bottom, rect.right, rect.bottom});
}

// The whole matrix as one picture, made anew when document, theme or query change.
void draw_picture(const MatrixFrame& frame, ImDrawList& draw_list) {
    ViewContext& context = frame.context;
    const Presentation& shown = frame.node.presentation;
    std::unique_ptr<HeatmapTexture>& heatmap = context.ui.heatmaps[picture_name(frame)];
    if (heatmap == nullptr) heatmap = std::make_unique<HeatmapTexture>();
    const HeatmapTexture::Key key{context.lab.revision(), shown.slice_by_query ? frame.query : 0, frame.extent.n_rows,
                                  frame.extent.n_cols, context.theme.palette.is_dark};
    if (!heatmap->shows(key)) {
        const std::vector<float> cells = frame.read({0, frame.extent.n_rows}, {0, frame.extent.n_cols});
        heatmap->set(key, cells, frame.scale(), context.theme.palette);
    }
    heatmap->mark_drawn();
    const Rect rect = frame.cells();
    if (const auto sample_nearest = context.platform.sample_nearest()) {
        draw_list.AddCallback(sample_nearest, heatmap->texture());
    }
    draw_list.AddImage(heatmap->texture()->GetTexRef(), rect.min(), rect.max());
    draw_veil(frame, draw_list);
}

} // namespace

std::string short_exponent_text(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", static_cast<double>(std::fabs(value)));
    std::string short_text(text);
    short_text.erase(std::remove(short_text.begin(), short_text.end(), '+'), short_text.end());
    return (value < 0 ? "−" : "") + short_text;
}

void give_up_unseen_pictures(UiState& ui) {
    for (auto& [tensor, heatmap] : ui.heatmaps) {
        if (!heatmap->is_drawn()) heatmap->release();
    }
    std::erase_if(ui.heatmaps, [](const auto& each) { return each.second->is_gone(); });
}

MatrixGeometry matrix_geometry(const ViewContext& context, const MatrixView& view) {
    const Program& program = context.lab.program();
    const int index = shown_node(context.selection, program, view.node);
    const Node& node = program.node(index);
    const Block of_head = block_of_head(program, index, view.head.value_or(context.selection.head));
    return {view, index, node, shown_extent(node), context.selection.query, of_head.planes.begin, of_head};
}

MatrixFrame matrix_frame(ViewContext& context, const MatrixView& view) {
    MatrixFrame frame{matrix_geometry(context, view), context, {}};
    const std::optional<TensorCell> explained = explained_cell(context);
    if (explained && explained->tensor == frame.node.name && frame.shows(explained->cell))
        frame.explained = explained->cell;
    return frame;
}

MatrixExtent shown_extent(const Node& node) {
    if (node.presentation.slice_by_query) return {node.n_planes_of_slice(), node.shape.cols};
    return {node.shape.rows, node.shape.cols};
}

Rect MatrixGeometry::cells() const {
    return Rect::at(view.origin, {view.pitch.x * static_cast<float>(extent.n_cols),
                                  view.pitch.y * static_cast<float>(extent.n_rows)});
}

Rect MatrixGeometry::cell_rect(int row, int col) const {
    const ImVec2 corner{view.origin.x + view.pitch.x * static_cast<float>(col),
                        view.origin.y + view.pitch.y * static_cast<float>(row)};
    return Rect::at(corner, {view.pitch.x - gap(view), view.pitch.y - gap(view)});
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

int MatrixGeometry::row_of(Cell cell) const { return node.presentation.slice_by_query ? cell.plane - plane : cell.row; }

Range MatrixGeometry::visible_rows(const Rect& clip) const {
    return visible(view.origin.y, view.pitch.y, extent.n_rows, clip.top, clip.bottom);
}

Range MatrixGeometry::visible_cols(const Rect& clip) const {
    return visible(view.origin.x, view.pitch.x, extent.n_cols, clip.left, clip.right);
}

std::vector<float> MatrixFrame::read(Range rows, Range cols) const {
    const Trace& trace = context.lab.trace();
    if (view.combined != nullptr) return read_combined(trace, index, *view.combined, rows, cols);
    const Block block = to_block(rows, cols);
    std::vector<float> cells(block.size());
    trace.source(index)->read(block, cells.data());
    mark_masked(trace, index, block, cells);
    return cells;
}

ColorScale MatrixFrame::scale() const {
    const Trace::Extent range = context.lab.trace().extent(index);
    return color_scale(context.theme.palette, node.presentation.non_negative, range.least, range.greatest);
}

bool MatrixGeometry::is_dimmed(int row, int col) const {
    if (node.presentation.slice_by_query) return false;
    const bool is_others_query = node.presentation.row_of_query && row != query;
    return is_others_query || !of_head.rows.contains(row) || !of_head.cols.contains(col);
}

float number_size(const MatrixView& view) {
    const float size = type_size::kCell * std::min(view.pitch.x / kPitch.x, view.pitch.y / kPitch.y);
    // The scores' cells are a little narrower in the design and carry the same figures.
    const float lenient = view.pitch.x < kPitch.x ? size * 1.1f : size;
    return lenient < kLeastNumber ? 0 : std::min(lenient, kGreatestNumber);
}

Rect clip_of(const ImDrawList& draw_list) {
    const ImVec2 min = draw_list.GetClipRectMin(), max = draw_list.GetClipRectMax();
    return {min.x, min.y, max.x, max.y};
}

bool is_picture(const MatrixGeometry& matrix, const Rect& clip) {
    const Range rows = matrix.visible_rows(clip), cols = matrix.visible_cols(clip);
    const std::size_t n = static_cast<std::size_t>(rows.size()) * static_cast<std::size_t>(cols.size());
    return std::min(matrix.view.pitch.x, matrix.view.pitch.y) < kLeastCell || n > kMostDrawnCells;
}

void draw_cells(const MatrixFrame& frame, ImDrawList& draw_list) {
    const Rect clip = clip_of(draw_list);
    const Range rows = frame.visible_rows(clip), cols = frame.visible_cols(clip);
    if (rows.empty() || cols.empty()) return;
    if (is_picture(frame, clip))
        draw_picture(frame, draw_list);
    else
        draw_numbered_cells(frame, draw_list, rows, cols);
    draw_rows_without_keys(frame, draw_list);
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
