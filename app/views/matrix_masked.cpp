#include "app/views/matrix_masked.h"

#include <algorithm>
#include <cmath>

#include "app/session/trace_text.h"
#include "app/widgets/cell_colors.h"
#include "app/widgets/controls.h"
#include "app/widgets/rounded.h"
#include "engine/kernels/elementary.h"

namespace lab {

namespace {

void draw_infinity(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& cell) {
    constexpr const char* kText = "−∞";
    const float size = number_size(frame.view);
    if (size == 0 || frame.node.presentation.role == Role::weights) return;
    const Theme& theme = frame.context.theme;
    const TextStyle style{theme.fonts.numbers, size, theme.palette.text, Align::center};
    const ImVec2 center = cell.center();
    const float half = text_width(style, kText) / 2 + 2;
    fill_rounded(draw_list, {center.x - half, center.y - 0.5f * size, center.x + half, center.y + 0.5f * size},
                 theme.palette.background.u32(), 2);
    draw_text(draw_list, style, {center.x, center.y + size * 0.35f}, kText);
}

} // namespace

bool is_masked_key(const MatrixGeometry& matrix, float value) {
    const Role role = matrix.node.presentation.role;
    return is_masked(value) && (role == Role::weights || role == Role::scores || role == Role::mask);
}

float hatch_step(const Rect& cell) {
    constexpr float kMost = 6, kPerCell = 3;
    return std::min(std::min(cell.width(), cell.height()) / kPerCell, kMost);
}

bool has_room_for_hatching(ImVec2 cell) {
    constexpr float kLeast = 16;
    return std::min(cell.x, cell.y) >= kLeast;
}

bool shows_masked_alike(ImVec2 pitch) {
    const float gap = gap_between_cells(pitch);
    return !has_room_for_hatching({pitch.x - gap, pitch.y - gap});
}

bool has_masked_alike(const Program& program, int node, ImVec2 pitch) {
    return shows_masked_alike(pitch) && may_have_masked_keys(program, node);
}

void draw_hatching(const Palette& palette, ImDrawList& draw_list, const Rect& cell) {
    fill_rounded(draw_list, cell, palette.background.u32(), 2);
    const ImU32 color = hatch_color(palette).u32();
    const float between = hatch_step(cell);
    // Strokes that rise to the right: x + y is the same all along one.
    const float h = cell.height();
    for (float along = between; along < cell.width() + h; along += between) {
        const float left = std::max(0.0f, along - h), right = std::min(cell.width(), along);
        draw_list.AddLine({cell.left + left, cell.top + along - left}, {cell.left + right, cell.top + along - right},
                          color, 1);
    }
}

void draw_masked_cell(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& cell) {
    const Palette& palette = frame.context.theme.palette;
    if (has_room_for_hatching(cell.size()))
        draw_hatching(palette, draw_list, cell);
    else
        fill_rounded(draw_list, cell, masked_color(palette).u32(), 2);
    draw_infinity(frame, draw_list, cell);
}

void draw_rows_without_keys(const MatrixFrame& frame, ImDrawList& draw_list) {
    constexpr int kMostRows = 256; // that are looked at in a frame
    constexpr const char* kText = "no key";
    const Presentation& shown = frame.node.presentation;
    const Range rows = frame.visible_rows(clip_of(draw_list));
    const Trace& trace = frame.context.lab.trace();
    if (shown.role != Role::weights || frame.view.combined != nullptr || rows.size() > kMostRows) return;
    if (trace.have_keys(frame.index, frame.plane, rows)) return;
    const Theme& theme = frame.context.theme;
    const float size = std::min(type_size::kCell * frame.view.text_scale, 0.5f * frame.view.pitch.y);
    const TextStyle style = plain_text(theme, size, theme.palette.text, Align::center);
    for (int row = rows.begin; row < rows.end; ++row) {
        if (!trace.has_all_keys_masked(frame.index, frame.plane, row)) continue;
        const Rect first = frame.cell_rect(row, 0), last = frame.cell_rect(row, frame.extent.n_cols - 1);
        const Rect line{first.left, first.top, last.right, last.bottom};
        const ImVec2 center = line.center();
        const float half = text_width(style, kText) / 2 + 0.6f * size;
        draw_list.AddRect(line.min(), line.max(), theme.palette.dim.u32(), 3, 0, 1);
        if (size < type_size::kCaption * 0.75f || 2 * half > line.width()) continue;
        fill_rounded(draw_list, {center.x - half, line.top + 1, center.x + half, line.bottom - 1},
                     theme.palette.background.u32(), 3);
        draw_text(draw_list, style, {center.x, centered_baseline(center.y, size)}, kText);
    }
}

} // namespace lab
