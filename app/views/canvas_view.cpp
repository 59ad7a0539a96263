#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/session/labels.h"
#include "app/views/canvas_layout.h"
#include "app/views/hints.h"
#include "app/views/matrix_view.h"
#include "app/views/views.h"
#include "app/widgets/text.h"

namespace lab {

namespace {

constexpr float kLeastZoom = 0.02f;
constexpr float kGreatestZoom = 8.0f;
constexpr float kLargestTextScale = 1.3f; // titles do not grow without end when zooming in

// The layout as it is looked at this frame.
struct CanvasFrame {
    CanvasLayout layout;
    Rect area;
    Camera camera;

    ImVec2 to_screen(ImVec2 world) const {
        return {area.left + (world.x - camera.origin.x) * camera.zoom, area.top + (world.y - camera.origin.y) * camera.zoom};
    }
    Rect to_screen(const Rect& world) const {
        const ImVec2 min = to_screen(world.min()), max = to_screen(world.max());
        return {min.x, min.y, max.x, max.y};
    }
    float text_scale() const { return std::min(layout.text_scale * camera.zoom, kLargestTextScale); }
    MatrixView view_of(const PlacedNode& placed) const {
        return {placed.node,
                to_screen(placed.cells.min()),
                {placed.pitch.x * camera.zoom, placed.pitch.y * camera.zoom},
                text_scale(),
                placed.has_row_labels,
                placed.has_col_labels,
                placed.has_legend};
    }
};

const Node& node_of(const ViewContext& context, const PlacedNode& placed) {
    return context.lab.program().nodes[static_cast<std::size_t>(placed.node)];
}

float widest_row_label(const ViewContext& context) {
    const TextStyle style{context.theme.fonts.text, type_size::kControl, {}, Align::left};
    constexpr float kMost = 110;
    float widest = 24;
    for (const std::string& token : context.lab.document().tokens) widest = std::max(widest, text_width(style, token));
    return std::min(widest, kMost);
}

void fit_camera(Camera& camera, const CanvasLayout& layout, const Rect& area) {
    camera.zoom = fitting_zoom(layout, area.size());
    const ImVec2 middle = layout.bounds.center();
    camera.origin = {middle.x - area.width() / 2 / camera.zoom, middle.y - area.height() / 2 / camera.zoom};
    // Whole points keep text and cells crisp.
    camera.origin.x = std::round(camera.origin.x * camera.zoom) / camera.zoom;
    camera.origin.y = std::round(camera.origin.y * camera.zoom) / camera.zoom;
}

void zoom_about(Camera& camera, const Rect& area, ImVec2 point, float factor) {
    const float zoom = std::clamp(camera.zoom * factor, kLeastZoom, kGreatestZoom);
    const ImVec2 local{point.x - area.left, point.y - area.top};
    camera.origin.x += local.x / camera.zoom - local.x / zoom;
    camera.origin.y += local.y / camera.zoom - local.y / zoom;
    camera.zoom = zoom;
    camera.is_fitted = false;
}

void pan(Camera& camera, ImVec2 by) {
    camera.origin.x -= by.x / camera.zoom;
    camera.origin.y -= by.y / camera.zoom;
    camera.is_fitted = false;
}

// The wheel zooms about the mouse; with Shift, or sideways, it pans.
void handle_wheel(ViewContext& context, const Rect& area) {
    const ImGuiIO& io = ImGui::GetIO();
    constexpr float kPointsPerNotch = 40;
    if (io.MouseWheelH != 0) pan(context.ui.camera, {io.MouseWheelH * kPointsPerNotch, 0});
    if (io.MouseWheel != 0) zoom_about(context.ui.camera, area, io.MousePos, std::exp(io.MouseWheel * 0.12f));
}

// What a line joins: the cells, and what stands around them (labels to the left, the title above).
struct EdgeEnd {
    Rect cells;
    Rect around;
};

EdgeEnd edge_end(const CanvasFrame& frame, const PlacedNode& placed, float label_width) {
    const Rect cells = frame.to_screen(placed.cells);
    Rect around = cells;
    const float scale = frame.text_scale();
    if (placed.has_row_labels && !placed.is_folded) around.left -= (label_width + 10) * scale;
    if (!placed.is_folded) around.top -= (placed.has_col_labels ? 52 : 40) * scale;
    if (placed.has_legend) around.bottom += 20 * scale;
    return {cells, around};
}

// A line from an operand to what it feeds: sideways a curve, downwards straight.
void draw_edge(ImDrawList& draw_list, const EdgeEnd& from, const EdgeEnd& to, Color color, float width) {
    if (to.cells.left > from.cells.right) {
        const ImVec2 a{from.cells.right + 4, from.cells.center().y}, b{to.around.left - 5, to.cells.center().y};
        const float middle = (a.x + b.x) / 2;
        draw_list.AddBezierCubic(a, {middle, a.y}, {middle, b.y}, b, color.u32(), width);
    } else if (to.around.top > from.cells.bottom) {
        const float x = to.cells.center().x;
        draw_list.AddLine({x, from.cells.bottom + 4}, {x, to.around.top - 2}, color.u32(), width);
    }
}

// Where an operand's line ends: what is multiplied by a weight matrix comes in through that matrix.
int end_of_edge(const Program& program, int node, int operand) {
    const auto is_weight = [&](int i) {
        const Role role = program.nodes[static_cast<std::size_t>(i)].presentation.role;
        return role == Role::weight_matrix || role == Role::bias;
    };
    if (is_weight(operand)) return node;
    const auto& operands = program.nodes[static_cast<std::size_t>(node)].operands;
    const auto weight = std::find_if(operands.begin(), operands.end(), is_weight);
    return weight == operands.end() ? node : *weight;
}

// Lines carry the chosen query's path in the accent: from its query to its scores, weights and context vector.
void draw_edges(ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame) {
    const Program& program = context.lab.program();
    const float label_width = widest_row_label(context);
    std::vector<std::function<void()>> accented; // over the others
    for (const PlacedNode& placed : frame.layout.placed) {
        const Node& node = node_of(context, placed);
        if (!context.selection.shows(node)) continue;
        for (int operand : node.operands) {
            const PlacedNode* from = frame.layout.find(operand);
            const PlacedNode* to = frame.layout.find(end_of_edge(program, placed.node, operand));
            const EdgeEnd start = edge_end(frame, *from, label_width), end = edge_end(frame, *to, label_width);
            const Presentation& read = node_of(context, *from).presentation;
            const bool is_path = read.row_of_query && (node.presentation.row_of_query || node.presentation.slice_by_query);
            const Palette& palette = context.theme.palette;
            if (is_path) accented.push_back([&, start, end] { draw_edge(draw_list, start, end, palette.accent, 1.8f); });
            else draw_edge(draw_list, start, end, palette.line, 1.5f);
        }
    }
    for (const auto& draw : accented) draw();
}

// A folded tensor: a titled line that unfolds when it is clicked.
void draw_folded(ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame, const PlacedNode& placed,
                 bool is_hovered) {
    const Palette& palette = context.theme.palette;
    const Node& node = node_of(context, placed);
    const Rect line = frame.to_screen(placed.cells);
    const float scale = frame.text_scale();
    const Color ink = is_hovered ? palette.accent : palette.dim;
    draw_list.AddRectFilled(line.min(), line.max(), (is_hovered ? palette.raised : palette.background).u32(), 6 * scale);
    draw_list.AddRect(line.min(), line.max(), palette.line.u32(), 6 * scale);
    const float middle = line.center().y;
    const float x = line.left + 12 * scale;
    draw_list.AddTriangleFilled({x - 2.5f * scale, middle - 4 * scale}, {x - 2.5f * scale, middle + 4 * scale},
                                {x + 3.5f * scale, middle}, ink.u32());
    const TextStyle style{context.theme.fonts.text, type_size::kCell * scale, ink, Align::left};
    draw_text_within(draw_list, style, {x + 9 * scale, middle + 4 * scale}, node.name, line.right - x - 16 * scale);
}

// What is not computed yet while going step by step: its place, empty.
void draw_ghost(ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame, const PlacedNode& placed) {
    const Rect cells = frame.to_screen(placed.cells);
    draw_list.AddRect(cells.min(), cells.max(), context.theme.palette.line.u32(0.7f), 6);
}

bool is_above_fold_mark(const CanvasFrame& frame, const PlacedNode& placed, ImVec2 mouse) {
    const float scale = frame.text_scale();
    const Rect cells = frame.to_screen(placed.cells);
    const Rect title{cells.left, cells.top - 50 * scale, cells.right, cells.top - 22 * scale};
    return title.contains(mouse);
}

// Clicks on titles of what folds.
bool handle_folding(ViewContext& context, const CanvasFrame& frame, ImVec2 mouse) {
    for (const PlacedNode& placed : frame.layout.placed) {
        const Node& node = node_of(context, placed);
        if (!node.presentation.folded || !context.selection.shows(node)) continue;
        const bool is_over = placed.is_folded ? frame.to_screen(placed.cells).contains(mouse)
                                              : is_above_fold_mark(frame, placed, mouse);
        if (!is_over) continue;
        context.ui.status = node.name + " " + node.shape.to_text();
        context.ui.status_hint = placed.is_folded ? "click to unfold" : "click to fold";
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.selection.toggle_fold(node.name);
        return true;
    }
    return false;
}

void handle_mouse(ViewContext& context, const CanvasFrame& frame) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    handle_wheel(context, frame.area);
    if (!handle_folding(context, frame, mouse)) {
        for (const PlacedNode& placed : frame.layout.placed) {
            if (placed.is_folded || !context.selection.shows(node_of(context, placed))) continue;
            handle_matrix_mouse(context, frame.view_of(placed), mouse);
        }
    }
    const bool is_empty_space = !context.selection.hovered && !context.ui.drag;
    if (is_empty_space && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) context.ui.camera.is_fitted = true;
}

// Dragging anything that is not an editable cell pans.
void handle_panning(ViewContext& context) {
    if (context.ui.drag) return;
    const bool drags = ImGui::IsMouseDragging(ImGuiMouseButton_Left) || ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
    if (ImGui::IsItemActive() && drags) pan(context.ui.camera, ImGui::GetIO().MouseDelta);
}

void draw_matrices(ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const PlacedNode& placed : frame.layout.placed) {
        if (!context.selection.shows(node_of(context, placed))) draw_ghost(context, draw_list, frame, placed);
        else if (placed.is_folded) {
            const bool is_hovered = ImGui::IsWindowHovered() && frame.to_screen(placed.cells).contains(mouse);
            draw_folded(context, draw_list, frame, placed, is_hovered);
        } else draw_matrix(context, draw_list, frame.view_of(placed));
    }
}

} // namespace

void draw_canvas(ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, context.theme.palette.background.u32());
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                                        ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin("Canvas", nullptr, kFlags);
    ImGui::InvisibleButton("canvas", area.size(), ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    const bool is_hovered = ImGui::IsItemHovered();

    CanvasFrame frame{lay_out({context.lab.program(), context.selection, widest_row_label(context), area.size()}), area,
                      context.ui.camera};
    if (context.ui.camera.is_fitted) fit_camera(context.ui.camera, frame.layout, area);
    frame.camera = context.ui.camera;
    if (is_hovered || context.ui.drag) handle_mouse(context, frame);
    handle_panning(context);
    frame.camera = context.ui.camera;

    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    draw_edges(context, draw_list, frame);
    draw_matrices(context, draw_list, frame);
    draw_hints(context, area);
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace lab
