#include "app/views/matrix_emphasis.h"

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr float kLeastBracketed = 8; // points: of lower rows a bracket would be a dot
constexpr float kThick = 2;
constexpr float kFoot = 2.5f; // how far a bracket's ends reach towards the cells: the words beside rows stand close

// At the end of a row whose cells begin at `x`; inwards: 1 at the left end, −1 at the right.
void draw_bracket(ImDrawList& draw_list, const Rect& row, float x, float inwards, ImU32 color) {
    const float edge = x - inwards * (kFoot + kThick / 2);
    draw_list.PathLineTo({edge + inwards * kFoot, row.top + kThick / 2});
    draw_list.PathLineTo({edge, row.top + kThick / 2});
    draw_list.PathLineTo({edge, row.bottom - kThick / 2});
    draw_list.PathLineTo({edge + inwards * kFoot, row.bottom - kThick / 2});
    draw_list.PathStroke(color, 0, kThick);
}

void draw_arrow(ImDrawList& draw_list, ImVec2 tip, float inwards, ImU32 color) {
    constexpr float kLong = 5, kHalf = 4;
    const float back = tip.x - inwards * kLong;
    draw_list.AddTriangleFilled({back, tip.y - inwards * kHalf}, tip, {back, tip.y + inwards * kHalf}, color);
}

} // namespace

// Of a box smaller than the mark only the mark would be seen; larger than its cells it stays within the matrix, whose legend stands below.
void outline_cells(const MatrixFrame& frame, ImDrawList& draw_list, Range rows, Range cols, float width, float offset,
                   std::optional<Color> color) {
    constexpr float kLeast = 4;
    const Rect first = frame.cell_rect(rows.begin, cols.begin), last = frame.cell_rect(rows.end - 1, cols.end - 1);
    const Rect all = frame.cells();
    const auto within = [](float begin, float end, float end_of_all) {
        const float grown = std::max(end, begin + kLeast), back = std::max(0.0f, grown - std::max(end, end_of_all));
        return std::pair(begin - back, grown - back);
    };
    const auto [left, right] = within(first.left, last.right, all.right);
    const auto [top, bottom] = within(first.top, last.bottom, all.bottom);
    const Rect rect = Rect{left, top, right, bottom}.grown(offset);
    draw_list.AddRect(rect.min(), rect.max(), color.value_or(frame.context.theme.palette.accent).u32(),
                      std::min(4.0f, rect.height() / 4), 0, width);
}

void draw_head_frame(const MatrixFrame& frame, ImDrawList& draw_list) {
    const Block all = Block::all(frame.node.shape);
    const bool is_part = frame.of_head.rows != all.rows || frame.of_head.cols != all.cols;
    if (is_part) outline_cells(frame, draw_list, frame.of_head.rows, frame.of_head.cols, 1.5f, 2.5f);
}

void draw_query_row(const MatrixFrame& frame, ImDrawList& draw_list) {
    constexpr float kGap = 0.5f; // to the cells
    const Presentation& shown = frame.node.presentation;
    const bool has_row = shown.row_of_query && !shown.slice_by_query && frame.query < frame.extent.n_rows;
    if (!has_row || frame.extent.n_rows == 1 || !frame.context.selection.points_at_query) return;
    const Rect first = frame.cell_rect(frame.query, 0), last = frame.cell_rect(frame.query, frame.extent.n_cols - 1);
    const Rect row{first.left - kGap, first.top, last.right + kGap, first.bottom};
    const ImU32 color = frame.context.theme.palette.accent.u32();
    for (const float inwards : {1.0f, -1.0f}) {
        const float x = inwards > 0 ? row.left : row.right;
        if (row.height() < kLeastBracketed)
            draw_arrow(draw_list, {x, row.center().y}, inwards, color);
        else
            draw_bracket(draw_list, row, x, inwards, color);
    }
}

} // namespace lab
