#include "app/views/matrix_masked.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/controls.h"
#include "engine/kernels/elementary.h"

namespace lab {

namespace {

constexpr float kLeastHatched = 9; // of a smaller cell the strokes would run together

} // namespace

bool is_masked_weight(const MatrixGeometry& matrix, float value) {
    return matrix.node.presentation.role == Role::weights && is_masked(value);
}

void draw_masked_cell(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& cell) {
    constexpr float kBetween = 7;
    const Palette& palette = frame.context.theme.palette;
    draw_list.AddRectFilled(cell.min(), cell.max(), mix(palette.background, palette.line, 0.3f).u32(), 2);
    if (std::min(cell.width(), cell.height()) < kLeastHatched) return;
    const ImU32 color = palette.line.u32();
    // Strokes that rise to the right: x + y is the same all along one.
    const float h = cell.height();
    for (float along = kBetween; along < cell.width() + h; along += kBetween) {
        const float left = std::max(0.0f, along - h), right = std::min(cell.width(), along);
        draw_list.AddLine({cell.left + left, cell.top + along - left}, {cell.left + right, cell.top + along - right},
                          color, 1);
    }
}

void draw_rows_without_keys(const MatrixFrame& frame, ImDrawList& draw_list) {
    constexpr int kMostRows = 256; // that are looked at in a frame
    constexpr const char* kText = "no key";
    const Presentation& shown = frame.node.presentation;
    const Range rows = frame.visible_rows(clip_of(draw_list));
    if (shown.role != Role::weights || frame.view.combined != nullptr || rows.size() > kMostRows) return;
    const Theme& theme = frame.context.theme;
    const float size = std::min(type_size::kCell * frame.view.text_scale, 0.5f * frame.view.pitch.y);
    const TextStyle style = plain_text(theme, size, theme.palette.text, Align::center);
    for (int row = rows.begin; row < rows.end; ++row) {
        if (frame.context.lab.trace().notice(frame.index, frame.plane, row) != Notice::all_keys_masked) continue;
        const Rect first = frame.cell_rect(row, 0), last = frame.cell_rect(row, frame.extent.n_cols - 1);
        const Rect line{first.left, first.top, last.right, last.bottom};
        const ImVec2 center = line.center();
        const float half = text_width(style, kText) / 2 + 0.6f * size;
        draw_list.AddRect(line.min(), line.max(), theme.palette.dim.u32(), 3, 0, 1);
        if (size < type_size::kCaption * 0.75f || 2 * half > line.width()) continue;
        draw_list.AddRectFilled({center.x - half, line.top + 1}, {center.x + half, line.bottom - 1},
                                theme.palette.background.u32(), 3);
        draw_text(draw_list, style, {center.x, centered_baseline(center.y, size)}, kText);
    }
}

} // namespace lab
