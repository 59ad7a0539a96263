#include "app/views/canvas_approach.h"

#include <algorithm>
#include <optional>

#include "app/views/canvas_camera.h"
#include "app/views/canvas_frame.h"
#include "app/views/cell_drag.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_metrics.h"

namespace lab {

namespace {

using matrix_metrics::kReadPitch;

constexpr float kBeside = 8; // between what is brought into view and the view's edge

// What the zoom is to be multiplied by so that the matrix' numbers can just be read.
float factor_to_numbers(const ViewContext& context, const PlacedNode& placed) {
    return std::max(kReadPitch.x / placed.pitch.x, kReadPitch.y / placed.pitch.y) / context.ui.camera.zoom;
}

Rect cell_rect(const ViewContext& context, const PlacedNode& placed, Cell cell) {
    const MatrixView view = matrix_view(context, placed);
    const MatrixGeometry matrix = matrix_geometry(context, view);
    return matrix.cell_rect(matrix.row_of(cell), cell.col);
}

// Moves the canvas so that a column stands beside the words of its rows, and with it, where there is room, all columns.
void show_columns_around(ViewContext& context, const PlacedNode& placed, int col) {
    constexpr float kBesideWords = 0.1f;
    Camera& camera = context.ui.camera;
    const CanvasFrame frame{context.ui.canvas.layout, camera};
    const float words = words_width_at_edge(context, placed);
    const Rect cells = frame.cells(placed);
    const float pitch = frame.pitch(placed).x;
    const bool are_all = cells.width() <= camera.area.width() - words;
    const float left = are_all ? cells.left : cells.left + static_cast<float>(col) * pitch;
    const float width = are_all ? cells.width() : pitch;
    const float at_words = camera.area.left + words, beside = kBesideWords * pitch;
    const float to = std::max(std::min(left, camera.area.right - width - beside), at_words + beside);
    // Words that stand nowhere but at the view's edge begin there.
    const float most = at_words + matrix_metrics::kAtEdge - 1;
    const float from_edge = placed.has_row_labels ? 0 : std::max(0.0f, cells.left + to - left - most);
    pan(camera, {to - left - from_edge, 0});
}

// Puts the cell at a point of the window, zooms until its number can just be read, and leaves it beside its row's word.
void zoom_to_cell(ViewContext& context, const PlacedNode& placed, Cell cell, ImVec2 point) {
    const ImVec2 center = cell_rect(context, placed, cell).center();
    pan(context.ui.camera, {point.x - center.x, point.y - center.y});
    zoom_canvas_about(context, point, factor_to_numbers(context, placed));
    show_columns_around(context, placed, cell.col);
}

// From where `begin` and `end` are to where both are within; of what is longer than that the beginning.
float shift_into(float begin, float end, float least, float greatest) {
    const float shifted = std::min(0.0f, greatest - end);
    return std::max(shifted, least - begin);
}

// From where `begin` and `end` are to where nothing between `least` and `greatest` is empty, if they are as far apart.
float shift_to_fill(float begin, float end, float least, float greatest) {
    if (end - begin <= greatest - least) return 0;
    return begin > least ? least - begin : std::max(0.0f, greatest - end);
}

// Of a matrix that is larger than the view, whose first or last cells came into the middle: else half of the view would be empty.
void fill_view(ViewContext& context, const PlacedNode& placed) {
    Camera& camera = context.ui.camera;
    const CanvasFrame frame{context.ui.canvas.layout, camera};
    const Rect cells = frame.cells(placed), within = camera.area.grown(-kBeside);
    const float left = within.left + words_width_at_edge(context, placed);
    const float top = within.top + title_height(matrix_view(context, placed));
    pan(camera, {shift_to_fill(cells.left, cells.right, left, within.right),
                 shift_to_fill(cells.top, cells.bottom, top, within.bottom)});
}

// Of a folded tensor.
void show_line(Camera& camera, const PlacedNode& placed) {
    const Rect line = camera.to_screen(placed.cells), within = camera.area.grown(-kBeside);
    pan(camera, {shift_into(line.left, line.right, within.left, within.right),
                 shift_into(line.top, line.bottom, within.top, within.bottom)});
}

// By as little as shows the cell beside its row's word and below its column's; what is far off comes into the middle.
void bring_into_view(ViewContext& context, const PlacedNode& placed, Cell cell) {
    Camera& camera = context.ui.camera;
    Rect box = cell_rect(context, placed, cell);
    const float far = 2 * std::max(box.width(), box.height());
    if (!box.overlaps(camera.area.grown(far))) {
        const ImVec2 middle = camera.area.center();
        pan(camera, {middle.x - box.center().x, middle.y - box.center().y});
        fill_view(context, placed);
        box = cell_rect(context, placed, cell);
    }
    const float above = title_height(matrix_view(context, placed));
    const Rect within = camera.area.grown(-kBeside);
    pan(camera, {shift_into(box.left, box.right, within.left + words_width_at_edge(context, placed), within.right),
                 shift_into(box.top, box.bottom, within.top + above, within.bottom)});
}

} // namespace

void zoom_to_numbers(ViewContext& context) {
    const std::optional<TensorCell>& hovered = context.selection.hovered;
    std::optional<TensorCell> cell = hovered ? hovered : context.ui.lit_by_list;
    if (!cell) cell = explained_cell(context);
    const PlacedNode* placed = cell ? placed_tensor(context, cell->tensor) : nullptr;
    if (placed == nullptr || placed->is_folded)
        return void(context.ui.key_note = "Z zooms in on the number under the pointer, or the one that was clicked");
    if (factor_to_numbers(context, *placed) <= 1)
        return void(context.ui.key_note = "these numbers can be read; F shows everything");
    const Camera& camera = context.ui.camera;
    const ImVec2 mouse = ImGui::GetIO().MousePos; // elsewhere where a list's line points at the cell
    const bool is_under_mouse = hovered && camera.area.contains(mouse);
    zoom_to_cell(context, *placed, cell->cell, is_under_mouse ? mouse : camera.area.center());
    if (is_under_mouse) context.ui.held = held_here(context, *cell, mouse); // beside the words it may stand elsewhere
}

void approach_pinned(ViewContext& context, Approach approach) {
    const TensorCell* pinned = context.selection.pinned();
    if (approach == Approach::none || pinned == nullptr) return;
    const PlacedNode* placed = placed_tensor(context, pinned->tensor);
    if (placed == nullptr) return;
    Camera& camera = context.ui.camera;
    if (approach == Approach::to_number && !placed->is_folded && is_read_nearer(matrix_view(context, *placed))) {
        zoom_to_cell(context, *placed, pinned->cell, camera.area.center());
        return fill_view(context, *placed);
    }
    if (camera.is_fitted) return;
    if (placed->is_folded) return show_line(camera, *placed);
    const ImVec2 size = cell_rect(context, *placed, pinned->cell).size();
    if (size.x > camera.area.width() || size.y > camera.area.height())
        zoom_to_cell(context, *placed, pinned->cell, camera.area.center());
    bring_into_view(context, *placed, pinned->cell);
}

} // namespace lab
