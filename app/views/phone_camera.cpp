#include "app/views/phone_camera.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/session/query_rows.h"
#include "app/views/matrix_metrics.h"
#include "app/views/phone_parts.h"

namespace lab {

namespace {

// Nothing beyond what is laid out is looked at; whole points keep text and cells crisp.
void keep_within(Camera& camera, ImVec2 size) {
    const auto kept = [&](float origin, float whole, float seen) {
        const float within = std::clamp(origin, 0.0f, std::max(0.0f, whole - seen / camera.zoom));
        return std::round(within * camera.zoom) / camera.zoom;
    };
    camera.origin = {kept(camera.origin.x, size.x, camera.area.width()),
                     kept(camera.origin.y, size.y, camera.area.height())};
}

void move_by_hand(Camera& camera) {
    constexpr float kScrolledPerNotch = 60;
    const ImGuiIO& io = ImGui::GetIO();
    if (is_dragged_here()) pan(camera, io.MouseDelta);
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return;
    if (io.KeyCtrl && io.MouseWheel != 0)
        zoom_about(camera, io.MousePos, wheel_zoom(io.MouseWheel));
    else
        pan(camera, {io.MouseWheelH * kScrolledPerNotch, io.MouseWheel * kScrolledPerNotch});
}

// Words above columns that have no room at zoom 1 have it as soon as that for the title has grown by as much.
bool has_room_for_columns(const Camera& camera) {
    using namespace matrix_metrics;
    return kTitle * camera.zoom >= (kTitle + kColumnLabels) * camera.text_scale();
}

} // namespace

Camera& look_at_tab(ViewContext& context, const std::string& tab, const Rect& area, ImVec2 size) {
    Camera& camera = context.ui.phone_cameras[tab];
    camera.area = area;
    camera.least_zoom = 1;
    if (!context.ui.holds_press() && !context.ui.touched) move_by_hand(camera);
    keep_within(camera, size);
    return camera;
}

void reveal_query(ViewContext& context, const std::string& tab, const std::vector<MatrixView>& placed, ImVec2 size) {
    constexpr float kFromEdge = 24;
    const int query = context.selection.query;
    const auto seen_before = context.ui.phone_queries.try_emplace(tab, context.ui.opened_query).first;
    if (std::exchange(seen_before->second, query) == query) return;
    Camera& camera = context.ui.phone_cameras[tab];
    for (const MatrixView& view : placed) {
        const Node& node = context.lab.program().node(view.node);
        const std::optional<int> row =
            words_choose_query(node) ? row_of_query(context.lab.document(), node, query) : std::nullopt;
        if (!row) continue;
        const float y = view.origin.y + (static_cast<float>(*row) + 0.5f) * view.pitch.y;
        const float seen = camera.area.height() / camera.zoom, from_edge = kFromEdge / camera.zoom;
        if (y < camera.origin.y + from_edge || y > camera.origin.y + seen - from_edge) camera.origin.y = y - seen / 2;
        return keep_within(camera, size);
    }
}

std::vector<MatrixView> seen_through(const ViewContext& context, Camera& camera, std::vector<MatrixView> placed) {
    float least_pitch = kLargestCell;
    for (MatrixView& view : placed) {
        const Node& node = context.lab.program().node(view.node);
        const MatrixExtent extent = shown_extent(node);
        const ImVec2 pitch = view.pitch;
        view.origin = camera.to_screen(view.origin);
        view.pitch = {pitch.x * camera.zoom, pitch.y * camera.zoom};
        if (view.part) view.part = camera.to_screen(*view.part);
        view.text_scale = camera.text_scale();
        view.title_room *= camera.zoom;
        view.sticks = true;
        view.has_col_labels |= has_room_for_columns(camera) && node.presentation.cols != Axis::none;
        const Rect cells = Rect::at(view.origin, {view.pitch.x * static_cast<float>(extent.n_cols),
                                                  view.pitch.y * static_cast<float>(extent.n_rows)});
        if (cells.overlaps(camera.area)) least_pitch = std::min({least_pitch, pitch.x, pitch.y});
    }
    camera.greatest_zoom = kLargestCell / least_pitch;
    return placed;
}

void zoom_to_numbers(Camera& camera, ImVec2 point, ImVec2 pitch) {
    constexpr ImVec2 read = matrix_metrics::kReadPitch;
    zoom_about(camera, point, std::max({read.x / pitch.x, read.y / pitch.y, 1.0f}));
}

bool pinch_tab(UiState& ui, ImVec2 point, ImVec2 by, float scale) {
    for (auto& [tab, camera] : ui.phone_cameras) {
        if (ui.phone_menu_open || !camera.area.contains(point)) continue;
        zoom_about(camera, point, scale);
        pan(camera, by);
        return true;
    }
    return false;
}

void fit_tabs(UiState& ui) {
    for (auto& [tab, camera] : ui.phone_cameras) zoom_about(camera, camera.area.center(), 1 / camera.zoom);
}

} // namespace lab
