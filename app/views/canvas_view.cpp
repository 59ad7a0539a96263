#include <algorithm>
#include <utility>

#include "app/session/labels.h"
#include "app/views/canvas_approach.h"
#include "app/views/canvas_camera.h"
#include "app/views/canvas_contents.h"
#include "app/views/canvas_frame.h"
#include "app/views/canvas_strip.h"
#include "app/views/cell_drag.h"
#include "app/views/head_grid.h"
#include "app/views/hints.h"
#include "app/views/matrix_view.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"
#include "app/widgets/rounded.h"
#include "app/widgets/text.h"
#include "app/widgets/window_flags.h"

namespace lab {

namespace {

// Whether the explained cell, or one of those that it was made from, is of this tensor.
bool has_lit_cells(ViewContext& context, int node) {
    const auto explained = explained_cell(context);
    if (!explained) return false;
    return lit_sources(context, *explained).runs.count(node) > 0;
}

// A folded tensor: a titled line that unfolds when it is clicked.
void draw_folded(ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame, const PlacedNode& placed) {
    const Palette& palette = context.theme.palette;
    const Rect line = frame.cells(placed);
    const bool is_hovered = ImGui::IsWindowHovered() && line.contains(ImGui::GetIO().MousePos);
    const bool is_lit = has_lit_cells(context, placed.node);
    const float scale = frame.text_scale();
    const Color ink = is_hovered || is_lit ? palette.accent : palette.dim;
    fill_rounded(draw_list, line, (is_hovered ? palette.raised : palette.background).u32(), 6 * scale);
    draw_list.AddRect(line.min(), line.max(), (is_lit ? palette.accent : palette.line).u32(), 6 * scale);
    const float middle = line.center().y;
    const float x = line.left + 12 * scale;
    draw_list.AddTriangleFilled({x - 2.5f * scale, middle - 4 * scale}, {x - 2.5f * scale, middle + 4 * scale},
                                {x + 3.5f * scale, middle}, ink.u32());
    const TextStyle style{context.theme.fonts.text, type_size::kCell * scale, ink, Align::left};
    draw_text_within(draw_list, style, {x + 9 * scale, middle + 4 * scale}, short_name(node_of(context, placed)),
                     line.right - x - 16 * scale);
}

// Lines pass behind a matrix with its title and words, not through them; its legend sees to that itself.
void draw_backing(const ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame,
                  const PlacedNode& placed) {
    const ImU32 color = context.theme.palette.background.u32();
    const Rect cells = frame.cells(placed), around = frame.around(placed);
    draw_list.AddRectFilled({cells.left, around.top}, {around.right, cells.top}, color);
    draw_list.AddRectFilled({around.left, cells.top}, cells.max(), color);
}

// What is not computed yet while going step by step: its place, empty but for the name.
void draw_ghost(const ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame, const PlacedNode& placed) {
    const Palette& palette = context.theme.palette;
    const Rect cells = frame.cells(placed);
    const float size = type_size::kCell * frame.text_scale();
    const TextStyle style{context.theme.fonts.text, size, palette.faint, Align::center};
    draw_list.AddRect(cells.min(), cells.max(), palette.line.u32(0.7f), 6);
    draw_text(draw_list, style, {cells.center().x, cells.center().y + 0.35f * size},
              short_name(node_of(context, placed)));
}

// Where a click folds or unfolds: the whole line, or the name above the cells.
Rect fold_mark(const CanvasFrame& frame, const PlacedNode& placed) {
    if (placed.is_folded) return frame.cells(placed);
    constexpr float kName = 18;
    const Rect around = frame.around(placed);
    return {frame.cells(placed).left, around.top, around.right, around.top + kName * frame.text_scale()};
}

// Above the cells all of a name that may have been cut stands in the status bar.
void tell_title(ViewContext& context, const CanvasFrame& frame, ImVec2 mouse) {
    const Program& program = context.lab.program();
    for (const PlacedNode& placed : frame.layout.placed) {
        const Rect cells = frame.cells(placed), around = frame.around(placed);
        const Rect title{cells.left, around.top, around.right, cells.top};
        if (placed.is_folded || !title.contains(mouse) || !context.selection.shows(node_of(context, placed))) continue;
        const int shown = shown_node(context.selection, program, placed.node);
        const std::string formula = program.formula(shown);
        context.ui.status = program.node(shown).name + " " + program.node(shown).shape.to_text() +
                            (formula.empty() ? "" : " = " + formula);
    }
}

// True if the mouse is on a mark that folds or unfolds. It does so on release, as other clicks of the canvas count: what comes to
// lie under the pointer then has no click of its own.
bool handle_folding(ViewContext& context, const CanvasFrame& frame, ImVec2 mouse) {
    for (const PlacedNode& placed : frame.layout.placed) {
        const Node& node = node_of(context, placed);
        const bool folds = context.selection.can_toggle(node) && context.selection.shows(node);
        const Rect mark = fold_mark(frame, placed);
        if (!folds || !mark.contains(mouse)) continue;
        context.ui.status = node.name + " " + node.shape.to_text();
        context.ui.status_hint = placed.is_folded ? "click to unfold" : "click to fold";
        if (was_clicked(mark)) context.selection.toggle_fold(node.name);
        return true;
    }
    return false;
}

// True if the mouse is on a cell or on the word beside a row.
bool handle_matrices(ViewContext& context, const CanvasFrame& frame, ImVec2 mouse) {
    return std::any_of(frame.layout.placed.begin(), frame.layout.placed.end(), [&](const PlacedNode& placed) {
        return !placed.is_folded && context.selection.shows(node_of(context, placed)) &&
               handle_matrix_mouse(context, matrix_view(context, placed), mouse);
    });
}

std::vector<Rect> taken_places(const CanvasFrame& frame) {
    std::vector<Rect> places;
    for (const PlacedNode& placed : frame.layout.placed) {
        places.push_back(frame.around(placed));
        constexpr float kBeside = 8;
        if (placed.has_legend) places.push_back(frame.legend(placed).grown(kBeside)); // of a narrow matrix it is wider
    }
    return places;
}

bool is_in_one_of(const std::vector<Rect>& places, ImVec2 point) {
    return std::any_of(places.begin(), places.end(), [&](const Rect& place) { return place.contains(point); });
}

Pointing what_lies_at(const ViewContext& context, const CanvasFrame& frame, ImVec2 mouse) {
    Pointing found;
    found.n_layouts = context.ui.canvas.n_layouts;
    for (const PlacedNode& placed : frame.layout.placed) {
        if (!frame.around(placed).joined(frame.cells(placed)).contains(mouse)) continue;
        found.tensor = node_of(context, placed).name;
        const auto cell = placed.is_folded ? std::nullopt : cell_at(context, matrix_view(context, placed), mouse);
        if (!cell) continue; // words of one may reach into another
        const ShownPlace place = shown_place(node_of(context, placed), *cell);
        found.row = place.row;
        found.col = place.col;
        break;
    }
    return found;
}

// In every frame, whoever has the mouse.
void look_what_is_pointed_at(ViewContext& context, const CanvasFrame& frame, ImVec2 mouse) {
    Pointing& meant = context.ui.pointing;
    Pointing now = what_lies_at(context, frame, mouse);
    const bool rests = !mouse_acts() && meant.n_layouts > 0;
    const bool is_laid_out_anew = now.n_layouts != meant.n_layouts;
    meant.n_layouts = now.n_layouts;
    meant.is_by_chance = rests && (meant.is_by_chance || is_laid_out_anew) && !now.is_at_same_place(meant);
    if (!meant.is_by_chance) meant = std::move(now);
}

void handle_mouse(ViewContext& context, const CanvasFrame& frame) {
    Camera& camera = context.ui.camera;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    handle_wheel(context);
    if (context.ui.drag || is_in_one_of(context.ui.legends_at_foot, mouse)) return;
    if (context.ui.pointing.is_by_chance) return context.ui.held.reset();
    tell_title(context, frame, mouse);
    const bool is_on_something = handle_folding(context, frame, mouse) || handle_matrices(context, frame, mouse);
    if (is_on_something) return;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) camera.is_fitted = true;
    if (!was_clicked(camera.area)) return;
    if (!is_in_one_of(taken_places(frame), mouse)) context.selection.let_go();
}

void draw_matrices(ViewContext& context, ImDrawList& draw_list, const CanvasFrame& frame) {
    constexpr int kBehind = 0, kChannels = 3;
    constexpr MatrixChannels kMatrix{.cells = 1, .above = 2};
    draw_list.ChannelsSplit(kChannels);
    for (const PlacedNode& placed : frame.layout.placed) {
        draw_list.ChannelsSetCurrent(kBehind);
        if (!context.selection.shows(node_of(context, placed))) {
            draw_ghost(context, draw_list, frame, placed);
        } else if (placed.is_folded) {
            draw_folded(context, draw_list, frame, placed);
        } else {
            draw_backing(context, draw_list, frame, placed);
            draw_matrix(context, draw_list, matrix_view(context, placed), kMatrix);
        }
    }
    draw_list.ChannelsMerge();
}

void begin_canvas(const ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, context.theme.palette.background.u32());
    ImGui::Begin("Canvas", nullptr, kSideBySide | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
}

// What stands on the canvas of a section, seen through the camera.
void draw_section(ViewContext& context, const Rect& area) {
    constexpr ImGuiButtonFlags kButtons = ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle;
    ImGui::InvisibleButton("canvas", area.size(), kButtons);
    const bool is_hovered = ImGui::IsItemHovered(), is_held = ImGui::IsItemActive();
    const int unfolded = refresh_layout(context, area.size());
    look_at_layout(context, area, unfolded);
    const CanvasFrame frame{context.ui.canvas.layout, context.ui.camera};
    handle_cell_drag(context, ImGui::GetIO().MousePos);
    look_what_is_pointed_at(context, frame, ImGui::GetIO().MousePos);
    if (is_hovered) handle_mouse(context, frame);
    if (std::exchange(context.ui.zooms_to_numbers, false)) zoom_to_numbers(context);
    approach_pinned(context, std::exchange(context.ui.approach, Approach::none));
    if (is_held && !context.ui.holds_press()) handle_panning(context);

    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    context.ui.legends_at_foot.clear();
    draw_edges(context, draw_list, frame);
    draw_matrices(context, draw_list, frame);
    draw_hints(context, area, taken_places(frame));
    draw_scroll_controls(context, area);
    keep_canvas_place(context);
}

} // namespace

void draw_canvas(ViewContext& context, const Rect& whole) {
    const float strip = canvas_strip_height(context, whole.width());
    const Rect area{whole.left, whole.top + strip, whole.right, whole.bottom};
    if (area.width() < 1 || area.height() < 1) return;
    begin_canvas(context, area);
    if (context.ui.head_grid.is_open && grid_tensor(context) >= 0) {
        if (std::exchange(context.ui.zooms_to_numbers, false))
            context.ui.key_note = "Z zooms in on the canvas, where G leads back to";
        if (std::exchange(context.ui.approach, Approach::none) == Approach::to_number)
            context.ui.key_note = "the number is chosen; G leads back to the canvas, and Z to where it stands";
        draw_head_grid(context, area);
    } else {
        draw_section(context, area);
    }
    ImGui::End();
    ImGui::PopStyleColor();
    if (strip > 0) draw_canvas_strip(context, {whole.left, whole.top, whole.right, area.top});
}

} // namespace lab
