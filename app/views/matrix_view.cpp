#include "app/views/matrix_view.h"

#include <algorithm>
#include <cmath>

#include "app/session/labels.h"
#include "app/views/cell_editor.h"
#include "app/views/matrix_cells.h"
#include "app/widgets/text.h"

namespace lab {

namespace {

constexpr double kGlowSeconds = 0.7;

std::string shape_text(const MatrixFrame& frame) {
    return std::to_string(frame.extent.n_rows) + "×" + std::to_string(frame.extent.n_cols);
}

// Name, and below it the formula with the shape at the right end.
void draw_title(const MatrixFrame& frame, ImDrawList& draw_list) {
    const float scale = frame.view.text_scale;
    if (scale * type_size::kText < 5) return;
    const Theme& theme = frame.context.theme;
    const Rect cells = frame.cells();
    const float above = frame.view.has_col_labels ? 12.0f : 0.0f;
    const float baseline = cells.top - (9 + above) * scale;
    const TextStyle name{theme.fonts.text_semibold, type_size::kText * scale, theme.palette.text, Align::left};
    draw_text(draw_list, name, {cells.left, baseline - 15 * scale}, frame.node.name);
    const TextStyle shape{theme.fonts.numbers, type_size::kCaption * scale, theme.palette.faint, Align::right};
    const TextStyle formula{theme.fonts.text_italic, type_size::kCell * scale, theme.palette.dim, Align::left};
    const float shape_width = text_width(shape, shape_text(frame)) + 6 * scale;
    // A narrow matrix has its shape beyond its right edge rather than on its formula.
    const Program& program = frame.context.lab.program();
    std::string text = program.formula(frame.view.node);
    const float room = cells.width() - shape_width;
    if (text_width(formula, text) > room) text = program.short_formula(frame.view.node);
    const float width = draw_text(draw_list, formula, {cells.left, baseline}, text);
    const float right = std::max(cells.right - 1.5f, cells.left + (width > 0 ? width : 0) + shape_width);
    draw_text(draw_list, shape, {right, baseline}, shape_text(frame));
}

// Every how many labels there is room for one.
int label_stride(float pitch, float size) { return std::max(1, static_cast<int>(std::ceil(size * 1.25f / pitch))); }

Axis row_axis(const Node& node) {
    return node.presentation.slice_by_query ? node.presentation.planes : node.presentation.rows;
}

bool is_explained(const MatrixFrame& frame, int row, int col) {
    const auto cell = explained_cell(frame.context);
    return cell && cell->tensor == frame.node.name && (row < 0 || frame.row_of(cell->cell) == row) &&
           (col < 0 || cell->cell.col == col);
}

void draw_row_labels(const MatrixFrame& frame, ImDrawList& draw_list) {
    const Theme& theme = frame.context.theme;
    const float size = type_size::kControl * frame.view.text_scale;
    const int stride = label_stride(frame.view.pitch.y, size);
    const ImVec2 top = draw_list.GetClipRectMin(), bottom = draw_list.GetClipRectMax();
    const Range rows = frame.visible_rows({top.x, top.y, bottom.x, bottom.y});
    const bool marks_query = frame.node.presentation.row_of_query || frame.node.presentation.role == Role::embedding;
    for (int row = rows.begin; row < rows.end; ++row) {
        const bool is_query = marks_query && row == frame.context.selection.query;
        const bool is_chosen = is_query || is_explained(frame, row, -1);
        const bool collides = stride > 1 && marks_query && std::abs(row - frame.context.selection.query) < stride;
        if (!is_chosen && (row % stride != 0 || collides)) continue;
        const TextStyle style{is_chosen ? theme.fonts.text_semibold : theme.fonts.text, size,
                              is_chosen ? theme.palette.accent : theme.palette.dim, Align::right};
        const Rect rect = frame.cell_rect(row, 0);
        draw_text_within(draw_list, style, {rect.left - 8 * frame.view.text_scale, rect.center().y + size * 0.35f},
                         axis_label(frame.context.lab.document(), row_axis(frame.node), row),
                         110 * frame.view.text_scale);
    }
}

void draw_col_labels(const MatrixFrame& frame, ImDrawList& draw_list) {
    const Theme& theme = frame.context.theme;
    const float size = type_size::kCaption * std::min(frame.view.text_scale, 1.2f);
    const bool has_room = frame.view.pitch.x >= size * 2.2f;
    for (int col = 0; col < frame.extent.n_cols; ++col) {
        const bool is_chosen = is_explained(frame, -1, col);
        if (!has_room && !is_chosen) continue;
        const TextStyle style{is_chosen ? theme.fonts.text_semibold : theme.fonts.text, size,
                              is_chosen ? theme.palette.accent : theme.palette.dim, Align::center};
        const Rect rect = frame.cell_rect(0, col);
        const std::string label = axis_label(frame.context.lab.document(), frame.node.presentation.cols, col);
        draw_text_within(draw_list, style, {rect.center().x, frame.view.origin.y - 6 * frame.view.text_scale}, label,
                         has_room ? frame.view.pitch.x + 1 : 200);
    }
}

// The colours from end to end with the values that they stand for.
void draw_legend(const MatrixFrame& frame, ImDrawList& draw_list) {
    const float scale = frame.view.text_scale;
    if (scale * type_size::kCaption < 6) return;
    const Theme& theme = frame.context.theme;
    const ColorScale colors = frame.scale();
    const Rect cells = frame.cells();
    const Rect bar = Rect::at({cells.left, cells.bottom + 6 * scale}, {70 * scale, 5 * scale});
    constexpr int kPieces = 24;
    const float piece = bar.width() / kPieces;
    for (int i = 0; i < kPieces; ++i) {
        const Color low = colors.ramp.at(static_cast<float>(i) / kPieces);
        const Color high = colors.ramp.at(static_cast<float>(i + 1) / kPieces);
        const float x = bar.left + piece * static_cast<float>(i);
        draw_list.AddRectFilledMultiColor({x, bar.top}, {x + piece, bar.bottom}, low.u32(), high.u32(), high.u32(),
                                          low.u32());
    }
    TextStyle style{theme.fonts.numbers, type_size::kCaption * scale, theme.palette.faint, Align::left};
    const float baseline = bar.bottom + 11 * scale;
    const auto end_text = [](float value) { // three figures
        const float magnitude = std::fabs(value);
        const bool is_whole = value == std::floor(value);
        return number_text(static_cast<double>(value), is_whole || magnitude >= 100 ? 0
                                                       : magnitude >= 10            ? 1
                                                       : magnitude >= 1             ? 2
                                                                                    : 3);
    };
    draw_text(draw_list, style, {bar.left, baseline}, end_text(colors.least));
    style.align = Align::right;
    draw_text(draw_list, style, {bar.right + 10 * scale, baseline}, end_text(colors.greatest));
}

void outline(const MatrixFrame& frame, ImDrawList& draw_list, int row, int col, float width, float offset) {
    Rect rect = frame.cell_rect(row, col);
    const float least = 4; // of a cell smaller than that the mark would be all that is seen
    if (rect.width() < least) rect.right = rect.left + least;
    if (rect.height() < least) rect.bottom = rect.top + least;
    rect = rect.grown(offset);
    draw_list.AddRect(rect.min(), rect.max(), frame.context.theme.palette.accent.u32(),
                      std::min(4.0f, rect.height() / 4), 0, width);
}

// The explained cell, and the cells that it was made from.
void draw_marks(const MatrixFrame& frame, ImDrawList& draw_list) {
    const auto explained = explained_cell(frame.context);
    if (!explained) return;
    const Program& program = frame.context.lab.program();
    const int node = program.find(explained->tensor);
    if (node < 0) return;
    if (node != frame.view.node) {
        const auto& operands = program.nodes[static_cast<std::size_t>(node)].operands;
        if (std::find(operands.begin(), operands.end(), frame.view.node) == operands.end()) return;
        for (const CellRef& source : sources(frame.context.lab.trace().derive(node, explained->cell))) {
            if (source.tensor != frame.view.node || !frame.shows(source.cell)) continue;
            outline(frame, draw_list, frame.row_of(source.cell), source.cell.col, 1.5f, 0.75f);
        }
        return;
    }
    if (frame.shows(explained->cell))
        outline(frame, draw_list, frame.row_of(explained->cell), explained->cell.col, 2.5f, 1.5f);
}

// What changed a moment ago shines and settles.
void draw_glow(const MatrixFrame& frame, ImDrawList& draw_list) {
    const auto found = frame.context.ui.glows.find(frame.node.name);
    if (found == frame.context.ui.glows.end()) return;
    const double age = frame.context.platform.now_s() - found->second.start_s;
    if (age > kGlowSeconds) {
        frame.context.ui.glows.erase(found);
        return;
    }
    frame.context.ui.wants_frame = true;
    const float strength = static_cast<float>(1 - age / kGlowSeconds);
    const ImU32 color = frame.context.theme.palette.text.u32(0.55f * strength * strength);
    for (const Block& block : found->second.cells.blocks()) {
        if (frame.node.presentation.slice_by_query && !block.rows.contains(frame.context.selection.query)) continue;
        const Range rows = frame.node.presentation.slice_by_query ? block.planes : block.rows;
        const Rect first = frame.cell_rect(rows.begin, block.cols.begin);
        const Rect last = frame.cell_rect(rows.end - 1, block.cols.end - 1);
        draw_list.AddRect(first.min(), last.max(), color, 3, 0, 2.0f);
    }
}

} // namespace

std::optional<TensorCell> explained_cell(const ViewContext& context) {
    if (context.selection.hovered) return context.selection.hovered;
    const TensorCell* pinned = context.selection.pinned();
    return pinned != nullptr ? std::optional(*pinned) : std::nullopt;
}

void draw_matrix(ViewContext& context, ImDrawList& draw_list, const MatrixView& view) {
    const MatrixFrame frame = matrix_frame(context, view);
    const ImVec2 clip_min = draw_list.GetClipRectMin(), clip_max = draw_list.GetClipRectMax();
    context.ui.drawn_matrices.push_back(
        {view.node, view.origin, view.pitch, {clip_min.x, clip_min.y, clip_max.x, clip_max.y}});
    draw_title(frame, draw_list);
    if (view.has_row_labels) draw_row_labels(frame, draw_list);
    if (view.has_col_labels) draw_col_labels(frame, draw_list);
    draw_cells(frame, draw_list);
    if (view.has_legend) draw_legend(frame, draw_list);
    draw_glow(frame, draw_list);
    draw_marks(frame, draw_list);
    draw_cell_editor(frame, draw_list);
}

} // namespace lab
