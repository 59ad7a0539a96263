#include "app/views/canvas_camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/session/heads.h"
#include "app/views/canvas_frame.h"
#include "app/views/head_grid.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_metrics.h"
#include "app/widgets/controls.h"
#include "app/widgets/rounded.h"
#include "app/widgets/window_flags.h"

namespace lab {

namespace {

constexpr float kGreatestUsualZoom = 8;

// At which its numbers can be read.
float greatest_zoom_of(const PlacedNode& placed) {
    if (placed.is_folded) return kGreatestUsualZoom;
    return std::max(kGreatestUsualZoom, kLargestCell / std::min(placed.pitch.x, placed.pitch.y));
}

// Out to half of what the fit shows, in until every number can be read.
void set_zoom_limits(Camera& camera, const CanvasLayout& layout) {
    camera.greatest_zoom = kGreatestUsualZoom;
    for (const PlacedNode& placed : layout.placed)
        camera.greatest_zoom = std::max(camera.greatest_zoom, greatest_zoom_of(placed));
    camera.least_zoom = fitting_zoom(layout.bounds.size(), camera.area.size()) / 2;
    camera.least_fitted_zoom = layout.least_zoom;
}

bool is_long(const ViewContext& context) {
    return greatest_scroll(context.ui.camera, context.ui.canvas.layout.bounds) > 0;
}

void reveal_node(ViewContext& context, const PlacedNode& placed) {
    reveal(context.ui.camera, context.ui.canvas.layout.bounds, placed.around());
}

// The step that is shown last, then what is explained, so that both are seen where there is room.
void reveal_what_is_new(ViewContext& context) {
    KeptLayout& kept = context.ui.canvas;
    const Selection& selection = context.selection;
    if (std::exchange(kept.revealed_stage, selection.shown_stage) != selection.shown_stage) {
        for (const PlacedNode& placed : kept.layout.placed) {
            if (node_of(context, placed).stage == selection.shown_stage) reveal_node(context, placed);
        }
    }
    const TensorCell* pinned = selection.pinned();
    const std::optional<TensorCell> now = pinned == nullptr ? std::nullopt : std::optional(*pinned);
    if (std::exchange(kept.revealed, now) == now || !now) return;
    const PlacedNode* placed = placed_tensor(context, now->tensor);
    if (placed != nullptr) reveal_node(context, *placed);
}

bool is_same_size(ImVec2 a, ImVec2 b) { return a.x == b.x && a.y == b.y; }

// How far the held part has moved with its matrix.
ImVec2 moved_by(const CanvasFrame& frame, const PlacedNode& placed, const HeldPlace& held) {
    const Rect cells = frame.cells(placed);
    return {cells.left + held.part.x * cells.width() - held.point.x,
            cells.top + held.part.y * cells.height() - held.point.y};
}

// The matrix that is held stays where it was, as large as it was; in a window of another size what was held comes to its middle. Where
// all is fitted into view nothing is held.
void hold_place(ViewContext& context) {
    Camera& camera = context.ui.camera;
    const CanvasLayout& layout = context.ui.canvas.layout;
    std::optional<HeldPlace>& held = context.ui.canvas.held;
    if (held && (held->is_painted ? !context.ui.paints_mask : camera.is_fitted)) held.reset();
    if (!held || camera.is_fitted) return;
    const PlacedNode* placed = placed_tensor(context, held->tensor);
    if (placed == nullptr || placed->is_folded) return;
    const bool is_resized = !is_same_size(held->window, ImGui::GetIO().DisplaySize);
    // A camera that others moved since is not moved back.
    if (!held->is_painted && !is_resized && placed->cells == held->cells) return;
    if (is_resized) held->point = camera.area.center();
    const CanvasFrame frame{layout, camera};
    const float zoom = held->pitch / placed->pitch.x;
    const ImVec2 moved = moved_by(frame, *placed, *held);
    const bool has_moved =
        std::fabs(moved.x) > 0.5f || std::fabs(moved.y) > 0.5f || std::fabs(zoom - camera.zoom) > 1e-3f * camera.zoom;
    if (!has_moved) return;
    camera.zoom = zoom;
    const ImVec2 by = moved_by(frame, *placed, *held);
    pan(camera, {-by.x, -by.y});
}

// Fitted anew with what the first stroke brings, the matrix that is painted stays at its height, as far as there is something to scroll
// through.
void scroll_to_painted(ViewContext& context) {
    Camera& camera = context.ui.camera;
    const std::optional<HeldPlace>& held = context.ui.canvas.held;
    const PlacedNode* placed = held && held->is_painted ? placed_tensor(context, held->tensor) : nullptr;
    if (placed == nullptr || placed->is_folded || placed->cells == held->cells) return;
    camera.scrolled += moved_by({context.ui.canvas.layout, camera}, *placed, *held).y;
}

HeldPlace place_around(const ViewContext& context, const PlacedNode& placed, ImVec2 point) {
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    const Rect cells = frame.cells(placed);
    const ImVec2 part{(point.x - cells.left) / cells.width(), (point.y - cells.top) / cells.height()};
    return {node_of(context, placed).name,      point,        part,
            placed.pitch.x * frame.camera.zoom, placed.cells, ImGui::GetIO().DisplaySize};
}

// The matrix under the mouse, if there is one, while a mask is painted. A stroke may end beside the matrix, which stays where it is
// all the same.
void keep_painted_place(ViewContext& context) {
    std::optional<HeldPlace>& held = context.ui.canvas.held;
    if (held && !held->is_painted) held.reset();
    const bool is_stroke = context.ui.mask_stroke || ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (held && !is_stroke) held->tensor.clear();
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const PlacedNode& placed : frame.layout.placed) {
        if (placed.is_folded || !frame.cells(placed).contains(mouse)) continue;
        held = place_around(context, placed, mouse);
        held->is_painted = true;
    }
}

ImVec2 nearest_within(const Rect& area, ImVec2 point) {
    return {std::clamp(point.x, area.left, area.right), std::clamp(point.y, area.top, area.bottom)};
}

float distance_to(const Rect& area, ImVec2 point) {
    const ImVec2 nearest = nearest_within(area, point);
    return std::hypot(nearest.x - point.x, nearest.y - point.y);
}

// The matrix in the middle, or the nearest to it.
void keep_middle(ViewContext& context) {
    std::optional<HeldPlace>& held = context.ui.canvas.held;
    held.reset();
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    const ImVec2 middle = frame.camera.area.center();
    float least = std::numeric_limits<float>::infinity();
    for (const PlacedNode& placed : frame.layout.placed) {
        if (placed.is_folded) continue;
        const float distance = distance_to(frame.cells(placed), middle);
        if (distance >= least) continue;
        least = distance;
        held = place_around(context, placed, middle);
    }
}

// What a hand that zooms means: what it points at or, a little beside, a thin matrix, which is missed easily, or one that is larger than
// the view and whose title or words have come under the mouse. Null if nothing is there.
const PlacedNode* zoomed_into(const CanvasFrame& frame, ImVec2 point) {
    constexpr float kThin = 48, kBeside = 6;
    float least = kBeside;
    const PlacedNode* missed = nullptr;
    for (const PlacedNode& placed : frame.layout.placed) {
        const Rect cells = frame.cells(placed);
        if (cells.contains(point)) return &placed;
        if (placed.is_folded) continue;
        const bool is_covered = frame.is_larger_than_view(placed) && frame.around(placed).contains(point);
        const bool is_thin = std::min(cells.width(), cells.height()) < kThin;
        const float distance = is_covered ? 0 : is_thin ? distance_to(cells, point) : kBeside;
        if (distance >= least) continue;
        least = distance;
        missed = &placed;
    }
    return missed;
}

// Of a matrix whose words stand at the view's edge and cover cells: the nearest place beside them.
ImVec2 clear_of_words(const ViewContext& context, const PlacedNode& placed, ImVec2 point) {
    const MatrixView view = matrix_view(context, placed);
    const Rect cells = matrix_edges(matrix_geometry(context, view), context.ui.camera.area).cells;
    return {std::max(point.x, cells.left), std::max(point.y, cells.top)};
}

// After zooming in about `still`: words have grown, and may have come to stand at the view's edge. The cell that was pointed at is not
// to be under them, be it in part; where the words were pointed at, what is seen beside them stays so.
void show_cell_beside_words(ViewContext& context, const PlacedNode& placed, ImVec2 still, ImVec2 pointed) {
    const MatrixView view = matrix_view(context, placed);
    const MatrixGeometry matrix = matrix_geometry(context, view);
    const std::optional<Cell> cell = cell_at(context, view, still);
    const Rect box = cell ? matrix.cell_rect(matrix.row_of(*cell), cell->col) : Rect::at(still, {});
    const ImVec2 begin{pointed.x < still.x ? still.x : box.left, pointed.y < still.y ? still.y : box.top};
    const ImVec2 clear = clear_of_words(context, placed, begin);
    pan(context.ui.camera, {clear.x - begin.x, clear.y - begin.y});
}

// At the right end: what part of all is seen, to be dragged.
void draw_scroll_bar(ViewContext& context, const Rect& area) {
    constexpr float kReach = 14, kWidth = 6, kMargin = 4;
    Camera& camera = context.ui.camera;
    const float most = greatest_scroll(camera, context.ui.canvas.layout.bounds);
    const Rect track{area.right - kReach, area.top + kMargin, area.right, area.bottom - kMargin};
    const float per_point = track.height() / (area.height() + most); // of the bar
    const float top = track.top + camera.scrolled * per_point;
    ImGui::SetNextWindowPos(track.min());
    ImGui::SetNextWindowSize(track.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, 0);
    ImGui::Begin("##scroll", nullptr, kFloating | ImGuiWindowFlags_NoNav);
    ImGui::InvisibleButton("bar", track.size());
    if (ImGui::IsItemActive()) camera.scrolled += ImGui::GetIO().MouseDelta.y / per_point;
    const Palette& palette = context.theme.palette;
    const bool is_lit = ImGui::IsItemHovered() || ImGui::IsItemActive();
    fill_rounded(*ImGui::GetWindowDrawList(),
                 {track.right - kWidth - 3, top, track.right - 3, top + area.height() * per_point},
                 (is_lit ? palette.faint : palette.line).u32(), kWidth / 2);
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace

void look_anew(ViewContext& context) {
    context.ui.camera.is_fitted = true;
    context.ui.camera.scrolled = 0;
}

void reveal_explained(ViewContext& context) {
    context.ui.canvas.revealed.reset();
    context.ui.canvas.revealed_stage = context.selection.shown_stage;
}

void look_at_layout(ViewContext& context, const Rect& area, int unfolded) {
    Camera& camera = context.ui.camera;
    camera.area = area;
    set_zoom_limits(camera, context.ui.canvas.layout);
    hold_place(context);
    if (!camera.is_fitted) return;
    fit(camera, context.ui.canvas.layout.bounds); // first of all, so that it is known how far one has scrolled
    reveal_what_is_new(context);
    const PlacedNode* opened = context.ui.canvas.layout.find(unfolded);
    if (opened != nullptr) reveal_node(context, *opened);
    scroll_to_painted(context);
    fit(camera, context.ui.canvas.layout.bounds);
}

void keep_canvas_place(ViewContext& context) {
    if (context.ui.paints_mask) return keep_painted_place(context);
    if (!context.ui.camera.is_fitted) keep_middle(context);
}

void zoom_canvas_about(ViewContext& context, ImVec2 point, float factor) {
    constexpr float kInside = 0.5f;
    Camera& camera = context.ui.camera;
    const CanvasFrame frame{context.ui.canvas.layout, camera};
    const PlacedNode* below = zoomed_into(frame, point);
    if (below == nullptr) return zoom_about(camera, point, factor);
    const Rect before = frame.cells(*below);
    const ImVec2 meant = before.contains(point) ? point : nearest_within(before.grown(-kInside), point);
    const ImVec2 still = below->is_folded ? meant : clear_of_words(context, *below, meant);
    // Other matrices may have smaller cells, which are to be read from nearer.
    factor = std::min(factor, std::max(1.0f, greatest_zoom_of(*below) / camera.zoom));
    if (factor == 1) return;
    zoom_about(camera, still, factor);
    const Rect after = frame.cells(*below);
    const ImVec2 part{(still.x - before.left) / before.width(), (still.y - before.top) / before.height()};
    const ImVec2 moved{after.left + part.x * after.width() - still.x, after.top + part.y * after.height() - still.y};
    pan(camera, {-moved.x, -moved.y});
    if (below->is_folded || factor <= 1) return;
    const ImVec2 missed{point.x - meant.x, point.y - meant.y};
    pan(camera, missed); // under the mouse it stays at the next notch
    show_cell_beside_words(context, *below, {still.x + missed.x, still.y + missed.y}, point);
}

void handle_wheel(ViewContext& context) {
    const ImGuiIO& io = ImGui::GetIO();
    Camera& camera = context.ui.camera;
    constexpr float kPointsPerNotch = 40, kScrolledPerNotch = 60;
    if (io.MouseWheelH != 0 && !(camera.is_fitted && is_long(context)))
        pan(camera, {io.MouseWheelH * kPointsPerNotch, 0});
    if (io.MouseWheel == 0) return;
    if (!is_long(context) || io.KeyCtrl)
        zoom_canvas_about(context, io.MousePos, wheel_zoom(io.MouseWheel));
    else if (camera.is_fitted)
        camera.scrolled -= io.MouseWheel * kScrolledPerNotch;
    else
        pan(camera, {0, io.MouseWheel * kScrolledPerNotch});
}

void handle_panning(ViewContext& context) {
    const bool drags = ImGui::IsMouseDragging(ImGuiMouseButton_Left) || ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
    if (!drags) return;
    Camera& camera = context.ui.camera;
    const ImVec2 by = ImGui::GetIO().MouseDelta;
    if (camera.is_fitted && is_long(context))
        camera.scrolled -= by.y;
    else
        pan(camera, by);
}

void draw_scroll_controls(ViewContext& context, const Rect& area) {
    if (context.ui.camera.is_fitted && is_long(context)) draw_scroll_bar(context, area);
}

bool shows_part_of_canvas(const ViewContext& context) {
    const bool has_grid = context.ui.head_grid.is_open && grid_tensor(context) >= 0;
    return !context.ui.camera.is_fitted && !has_grid;
}

void fit_button(ViewContext& context, ImVec2 center, float reach) {
    const std::string_view keys = context.platform.has_coarse_pointer() ? "" : "F"; // no keyboard beside fingers
    const IconButton button{.id = "fit",
                            .icon = Icon::fit,
                            .center = center,
                            .tip = {.title = "Show everything", .keys = keys},
                            .reach = reach};
    if (icon_button(context.theme, button)) context.actions.push_back(Action::fit_view);
}

} // namespace lab
