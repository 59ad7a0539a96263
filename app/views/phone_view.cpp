#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/views/canvas_camera.h"
#include "app/views/cell_editor.h"
#include "app/views/explanation_widgets.h"
#include "app/views/head_choice.h"
#include "app/views/head_grid.h"
#include "app/views/hints.h"
#include "app/views/matrix_cells.h"
#include "app/views/ongoing.h"
#include "app/views/phone_camera.h"
#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/views/views.h"
#include "app/widgets/rounded.h"
#include "app/widgets/window_flags.h"
#include "engine/program_layout.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

constexpr float kTitleLeft = 46; // in the top bar, beside the menu's button

// In the top bar, which is always in sight: how far it is along its lower edge, and below the title what it is.
void draw_ongoing(const ViewContext& context, const Rect& bar) {
    constexpr float kThick = 3, kAboveEdge = 6;
    const std::optional<Ongoing> now = ongoing(context);
    if (!now) return;
    const Palette& palette = context.theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float end = bar.left + static_cast<float>(now->part) * bar.width();
    draw_list.AddRectFilled({bar.left, bar.bottom - kThick}, {end, bar.bottom}, palette.dim.u32());
    draw_text(draw_list, plain_text(context.theme, type_size::kCaption, palette.dim),
              {bar.left + kTitleLeft, bar.bottom - kAboveEdge}, now->text);
}

void draw_phone_top_bar(ViewContext& context, const Rect& area) {
    const Palette& palette = context.theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    draw_list.AddRectFilled(area.min(), area.max(), palette.panel.u32());
    draw_list.AddRectFilled({area.left, area.bottom - 1}, area.max(), palette.line.u32());
    const float middle = area.center().y;
    const auto button = [&](const char* id, Icon icon, float x, bool is_enabled = true) {
        return icon_button(context.theme, {id, icon, {x, middle}, {}, is_enabled, 18, 20});
    };
    if (button("menu", Icon::menu, area.left + 25)) context.ui.phone_menu_open = true;
    const TextStyle style = semibold_text(context.theme, 15, palette.text);
    const float room = area.width() - kTitleLeft - 96;
    const std::string& title = context.lab.title();
    const bool fits = text_width(style, title) <= room;
    draw_text_within(draw_list, style, {area.left + kTitleLeft, middle + 6}, fits ? title : short_title(title), room);
    draw_ongoing(context, area);
    if (button("undo", Icon::undo, area.right - 69, context.lab.can_undo())) context.actions.push_back(Action::undo);
    if (button("save", Icon::save, area.right - 29)) context.actions.push_back(Action::save);
}

bool is_tap() { return ImGui::IsMouseReleased(0) && !ends_drag(); }
bool is_second_tap() { return is_tap() && ImGui::GetIO().MouseClickedLastCount[0] == 2; }

// A tap chooses; a tap on what is chosen edits it, where it can be edited.
void tap(ViewContext& context, const TensorCell& here, bool is_leaf) {
    if (context.ui.editor && context.ui.editor->where == here) return;
    if (context.ui.editor && !commit_cell_editor(context)) return;
    const TensorCell* pinned = context.selection.pinned();
    if (is_leaf && pinned && *pinned == here) return open_cell_editor(context, here);
    context.selection.visit(here, context.lab.program());
    context.ui.sheet_open = true;
}

// Below what stands at the view's edges, or beyond the part that is seen.
bool is_covered(const ViewContext& context, const MatrixView& view, ImVec2 point) {
    if (view.part && !view.part->contains(point)) return true;
    const Rect window = clip_of(*ImGui::GetWindowDrawList());
    const Rect clip = view.part ? window.intersection(*view.part) : window;
    const MatrixEdges edges = matrix_edges(matrix_geometry(context, view), clip);
    return !edges.cells.contains(point) || edges.below.contains(point);
}

// Whether the press goes on sideways from now on, where the page does not move: farther than a finger slips by a tap, and not after
// it has moved the page.
bool turns_sideways(const Camera& camera) {
    constexpr float kFar = 12;
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 from = io.MouseClickedPos[0];
    const float x = io.MousePos.x - from.x, y = io.MousePos.y - from.y, x_before = x - io.MouseDelta.x;
    const bool is_farthest = io.MouseDragMaxDistanceSqr[0] <= x * x + y * y + 1;
    return camera.zoom <= 1 && is_dragged_here() && is_farthest && std::fabs(x) >= kFar && std::fabs(x_before) < kFar &&
           std::fabs(x) > 2 * std::fabs(y);
}

// Changes the given number that the press began on, which need not have been chosen.
void drag_sideways(ViewContext& context, const Camera& camera, const std::vector<MatrixView>& views) {
    if (context.ui.holds_press() || context.ui.editor || context.ui.paints_mask || !turns_sideways(camera)) return;
    const ImVec2 from = ImGui::GetIO().MouseClickedPos[0];
    for (const MatrixView& view : views) {
        const auto cell = cell_at(context, view, from);
        if (!cell || is_covered(context, view, from) || is_read_nearer(view)) continue;
        return begin_cell_drag(context, {matrix_geometry(context, view).node.name, *cell}, ImGui::GetIO().MousePos);
    }
}

// The cell under the pointer. Fingers do not hover, and they drag the page; only a drag that begins on the chosen
// number, or goes sideways from a given one where the page does not, changes it. A second tap where numbers are too small to be read
// zooms in on them.
std::optional<TensorCell> touch_matrices(ViewContext& context, Camera& camera, const std::vector<MatrixView>& views) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool was_dragged = context.ui.drag && context.ui.drag->has_moved;
    drag_sideways(context, camera, views);
    handle_cell_drag(context, mouse);
    if (was_dragged || !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return std::nullopt;
    for (const MatrixView& view : views) {
        const Node& node = matrix_geometry(context, view).node;
        const auto cell = cell_at(context, view, mouse);
        if (!cell || is_covered(context, view, mouse)) continue;
        const TensorCell here{node.name, *cell};
        const bool is_pinned = context.selection.pinned() && *context.selection.pinned() == here;
        const bool is_typed = context.ui.editor && context.ui.editor->where == here;
        if (ImGui::IsMouseClicked(0) && is_pinned && !is_typed) begin_cell_drag(context, here, mouse);
        if (is_second_tap() && is_read_nearer(view))
            zoom_to_numbers(camera, mouse, view.pitch);
        else if (is_tap())
            tap(context, here, node.is_leaf());
        return context.platform.has_coarse_pointer() ? std::nullopt : std::optional(here);
    }
    return std::nullopt;
}

// Where all heads are asked for, and the tab has a tensor of several: its heads side by side.
bool draw_all_heads(ViewContext& context, const PhoneTab& tab, const Rect& area) {
    if (!context.ui.head_grid.is_open) return false;
    const std::vector<int> all = grid_tensors(context);
    const auto first = std::find_first_of(tab.nodes.begin(), tab.nodes.end(), all.begin(), all.end());
    if (first == tab.nodes.end()) return false;
    context.ui.head_grid.tensor = name_in_block(context.lab.program().node(*first).name);
    draw_head_grid(context, area);
    return true;
}

// Where no legend stands at the lower edge.
Rect above_legend(const Rect& area, const Camera& camera) {
    return {area.left, area.top, area.right, area.bottom - matrix_metrics::kLegend * camera.text_scale()};
}

// In the lower right corner, where one has zoomed in.
void draw_fit_button(ViewContext& context, const Rect& area) {
    constexpr float kSide = 36, kMargin = 12;
    const Rect card = Rect::at({area.right - kMargin - kSide, area.bottom - kMargin - kSide}, {kSide, kSide});
    ImGui::SetNextWindowPos(card.min());
    ImGui::SetNextWindowSize(card.size());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8);
    ImGui::Begin("##fit", nullptr, kFloating | ImGuiWindowFlags_NoNav);
    fit_button(context, card.center(), 16);
    ImGui::End();
    ImGui::PopStyleVar();
}

void draw_part(ViewContext& context, const MatrixView& view) {
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    if (!view.part) return draw_matrix(context, draw_list, view);
    draw_list.PushClipRect(view.part->min(), view.part->max(), true);
    draw_matrix(context, draw_list, view);
    draw_list.PopClipRect();
}

// What is taken by matrices, their titles, words and legends; empty where none of them is given.
std::vector<Rect> given_places(const ViewContext& context, const std::vector<MatrixView>& views) {
    std::vector<Rect> places;
    bool is_given = false;
    for (const MatrixView& view : views) {
        const MatrixGeometry matrix = matrix_geometry(context, view);
        const Rect cells = matrix.cells();
        is_given = is_given || (matrix.node.is_leaf() && !is_read_nearer(view));
        places.push_back({cells.left - words_width(view), cells.top - title_height(view), cells.right,
                          cells.bottom + (view.has_legend ? matrix_metrics::kLegend * view.text_scale : 0)});
    }
    return is_given ? places : std::vector<Rect>();
}

// The pinned number was asked for, and is to be read from the next frame on.
void zoom_to_pinned(ViewContext& context, Camera& camera, const std::vector<MatrixView>& views) {
    const TensorCell* pinned = context.selection.pinned();
    if (pinned == nullptr) return;
    for (const MatrixView& view : views) {
        const MatrixGeometry matrix = matrix_geometry(context, view);
        if (matrix.node.name != pinned->tensor || !is_read_nearer(view)) continue;
        const ImVec2 at = matrix.cell_rect(matrix.row_of(pinned->cell), pinned->cell.col).center();
        const ImVec2 middle = camera.area.center();
        pan(camera, {middle.x - at.x, middle.y - at.y});
        zoom_to_numbers(camera, middle, view.pitch);
        context.ui.wants_frame = true;
        return;
    }
}

std::optional<TensorCell> draw_matrices(ViewContext& context, const PhoneTab& tab, const Rect& area) {
    const Approach approach = std::exchange(context.ui.approach, Approach::none);
    if (draw_all_heads(context, tab, area)) return std::nullopt;
    ImGui::SetCursorScreenPos(area.min());
    constexpr float kAbove = 12, kBelow = 24;
    constexpr ImGuiWindowFlags kMovedByCamera = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::BeginChild("##matrices", area.size(), ImGuiChildFlags_None, kMovedByCamera);
    float bottom = 0;
    auto placed = place_matrices(context, tab, {0, kAbove, area.width(), area.height()}, bottom);
    const ImVec2 size{area.width(), bottom + kBelow};
    Camera& camera = look_at_tab(context, tab.title, area, size);
    reveal_query(context, tab.title, placed, size);
    const auto views = seen_through(context, camera, std::move(placed));
    if (approach == Approach::to_number) zoom_to_pinned(context, camera, views);
    const std::optional<TensorCell> hovered = touch_matrices(context, camera, views);
    if (hovered || area.contains(ImGui::GetIO().MousePos)) context.selection.hovered = hovered;
    for (const MatrixView& view : views) draw_part(context, view);
    if (camera.zoom <= 1) draw_drag_hint(context, area, given_places(context, views));
    // What has gone below the strip of tokens ends at a line.
    const ImU32 line = context.theme.palette.line.u32();
    if (camera.origin.y > 0) ImGui::GetWindowDrawList()->AddLine(area.min(), {area.right, area.top}, line);
    if (camera.zoom > 1 && !context.ui.phone_menu_open) draw_fit_button(context, above_legend(area, camera));
    ImGui::EndChild();
    return hovered;
}

void draw_tabs(ViewContext& context, const std::vector<PhoneTab>& tabs, const Rect& area) {
    const Theme& theme = context.theme;
    const float width = area.width() / static_cast<float>(std::max<std::size_t>(1, tabs.size()));
    for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
        const Rect place = Rect::at({area.left + static_cast<float>(i) * width, area.top}, {width, area.height()});
        ImGui::SetCursorScreenPos(place.min());
        ImGui::PushID(i);
        if (ImGui::InvisibleButton("##tab", place.size())) context.ui.phone_tab = i;
        ImGui::PopID();
        const bool is_chosen = i == context.ui.phone_tab;
        const TextStyle style = is_chosen ? semibold_text(theme, 12.5f, theme.palette.accent, Align::center)
                                          : plain_text(theme, 12.5f, theme.palette.dim, Align::center);
        draw_text(*ImGui::GetWindowDrawList(), style, {place.center().x, place.top + 26},
                  tabs[static_cast<std::size_t>(i)].title);
    }
}

// Follows what is explained to the tab that shows it, when that is another than before.
void follow_pinned(ViewContext& context, const std::vector<PhoneTab>& tabs, const std::optional<TensorCell>& before) {
    const TensorCell* pinned = context.selection.pinned();
    const bool is_new = pinned && (!before || *before != *pinned);
    const Program& program = context.lab.program();
    const int node = is_new ? program.find(pinned->tensor) : -1;
    const int tab = node < 0 ? -1 : tab_of(tabs, placed_node(program, node), context.ui.phone_tab);
    if (tab >= 0) context.ui.phone_tab = tab;
}

void draw_sheet_background(ViewContext& context, const PhoneFrame& frame) {
    const Palette& palette = context.theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    if (frame.is_upright) {
        draw_list.AddRectFilled(frame.sheet.min(), frame.tabs.max(), palette.panel.u32(), 16,
                                ImDrawFlags_RoundCornersTop);
        return;
    }
    draw_list.AddRectFilled(frame.sheet.min(), frame.sheet.max(), palette.panel.u32(), 16,
                            ImDrawFlags_RoundCornersLeft);
    draw_list.AddRectFilled(frame.tabs.min(), frame.tabs.max(), palette.panel.u32());
}

// What a key or undo is told, else what went wrong, over the end of the content: the one until any tap, the other until one on it or the
// next success.
void draw_message(ViewContext& context, const Rect& content) {
    constexpr float kMargin = 12, kPadding = 12, kLine = 20;
    UiState& ui = context.ui;
    const bool is_note = !ui.told_note().empty(), is_error = !is_note && !ui.error.empty();
    std::string& told = is_note ? ui.told_note() : ui.message();
    if (told.empty()) return;
    const Palette& palette = context.theme.palette;
    const TextStyle style = plain_text(context.theme, type_size::kText, is_error ? palette.error : palette.text);
    const float width = content.width() - 2 * (kMargin + kPadding);
    const float height = wrapped_height(style, told, kLine, width) + 2 * kPadding - 4;
    const Rect card{content.left + kMargin, content.bottom - kMargin - height, content.right - kMargin,
                    content.bottom - kMargin};
    ImGui::SetCursorScreenPos(card.min());
    ImGui::BeginChild("##error", card.size()); // above the matrices
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    fill_rounded(draw_list, card, context.theme.palette.raised.u32(), 8);
    Column column{context, draw_list, card.left + kPadding, card.right - kPadding, card.top + kPadding - 2};
    draw_wrapped(column, style, told, kLine);
    if (is_tap() && (is_note || ImGui::IsWindowHovered())) told.clear();
    ImGui::EndChild();
}

// Steps, settings and tokens over everything else; a tap beside them closes them.
void draw_menu(ViewContext& context, const Rect& area) {
    const float width = std::min(spacing::kLeftPanel + 96, area.width() - 60);
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, 115));
    ImGui::Begin("##dimmed", nullptr, kFixed);
    ImGui::PopStyleColor();
    const Rect panel{area.left, area.top, area.left + width, area.bottom};
    const bool is_beside = !panel.contains(ImGui::GetIO().MousePos);
    if (ImGui::IsWindowHovered() && is_beside && is_tap()) context.ui.phone_menu_open = false;
    ImGui::End();
    draw_left_panel(context, panel);
}

} // namespace

void draw_phone(ViewContext& context, const Rect& area) {
    const auto tabs = phone_tabs(context.selection, context.lab.program());
    const TensorCell* pinned = context.selection.pinned();
    const std::optional<TensorCell> chosen = pinned ? std::optional(*pinned) : std::nullopt;
    if (context.ui.approach == Approach::to_number || context.ui.phone_tab < 0)
        follow_pinned(context, tabs, std::nullopt);
    context.ui.phone_tab = std::clamp(context.ui.phone_tab, 0, std::max(0, static_cast<int>(tabs.size()) - 1));
    const PhoneSheet sheet{context.ui.sheet_open, phone_sheet_height(context, area.width(), chosen),
                           context.ui.sheet_pulled};
    const PhoneFrame frame = phone_frame(area, sheet, has_head_choice(context));

    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, context.theme.palette.background.u32());
    ImGui::Begin("##phone", nullptr, kSideBySide | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleColor();
    draw_phone_top_bar(context, frame.top_bar);
    draw_token_chips(context, frame.chips);
    if (frame.heads.height() > 0) draw_head_pills(context, frame.heads);
    std::optional<TensorCell> told = chosen;
    if (!tabs.empty()) {
        const auto hovered =
            draw_matrices(context, tabs[static_cast<std::size_t>(context.ui.phone_tab)], frame.content);
        if (hovered) told = hovered;
    }
    draw_sheet_background(context, frame);
    if (!frame.content.contains(ImGui::GetIO().MousePos)) context.selection.hovered.reset(); // the sheet's own now
    ImGui::GetWindowDrawList()->PushClipRect(frame.sheet.min(), frame.sheet.max(), true);    // while it is being pulled
    draw_phone_sheet(context, frame.sheet, told);
    ImGui::GetWindowDrawList()->PopClipRect();
    draw_tabs(context, tabs, frame.tabs);
    draw_message(context, frame.content);
    follow_pinned(context, phone_tabs(context.selection, context.lab.program()), chosen);
    ImGui::End();
    if (context.ui.phone_menu_open) draw_menu(context, area);
}

} // namespace lab
