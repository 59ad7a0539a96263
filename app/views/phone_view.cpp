#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/session/labels.h"
#include "app/views/canvas_camera.h"
#include "app/views/explanation_widgets.h"
#include "app/views/head_choice.h"
#include "app/views/head_grid.h"
#include "app/views/hints.h"
#include "app/views/matrix_cells.h"
#include "app/views/ongoing.h"
#include "app/views/phone_camera.h"
#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/views/phone_touch.h"
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

// What is taken by a matrix with its title, words and legend.
Rect taken_place(const ViewContext& context, const MatrixView& view) {
    const Rect cells = matrix_geometry(context, view).cells();
    const float legend = view.has_legend ? matrix_metrics::kLegend * view.text_scale : 0;
    return {cells.left - words_width(view), cells.top - title_height(view), cells.right, cells.bottom + legend};
}

// Where nothing is scrolled or zoomed, and nothing else is said: a hint would stand over it.
void draw_hint_of_dragging(ViewContext& context, const Rect& area, const Camera& camera,
                           const std::vector<MatrixView>& views) {
    UiState& ui = context.ui;
    const bool is_quiet = ui.told_note().empty() && ui.message().empty() && !ui.phone_menu_open;
    if (!is_sideways_hint_due(context) || !is_quiet || camera.zoom > 1 || camera.origin.y > 0) return;
    std::vector<Rect> taken;
    std::string first_given;
    for (const MatrixView& view : views) {
        const Node& node = context.lab.program().node(view.node);
        taken.push_back(taken_place(context, view));
        const bool can_be_dragged = node.is_leaf() && node.presentation.role != Role::mask && !is_read_nearer(view);
        if (first_given.empty() && can_be_dragged) first_given = short_name(node);
    }
    if (!first_given.empty()) draw_sideways_hint(context, area, taken, first_given);
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
    settle_touch(context);
    float bottom = 0;
    auto placed = place_matrices(context, tab, {0, kAbove, area.width(), area.height()}, bottom);
    const ImVec2 size{area.width(), bottom + kBelow};
    Camera& camera = look_at_tab(context, tab.title, area, size);
    reveal_query(context, tab.title, placed, size);
    const auto views = seen_through(context, camera, std::move(placed));
    if (approach == Approach::to_number) zoom_to_pinned(context, camera, views);
    const std::optional<TensorCell> hovered = touch_matrices(context, camera, views);
    context.selection.hovered = hovered;
    for (const MatrixView& view : views) draw_part(context, view);
    draw_hint_of_dragging(context, area, camera, views);
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
        if (hovered) told = explained_cell(context);
    }
    draw_sheet_background(context, frame);
    ImGui::GetWindowDrawList()->PushClipRect(frame.sheet.min(), frame.sheet.max(), true); // while it is being pulled
    draw_phone_sheet(context, frame.sheet, told);
    ImGui::GetWindowDrawList()->PopClipRect();
    draw_tabs(context, tabs, frame.tabs);
    draw_message(context, frame.content);
    follow_pinned(context, phone_tabs(context.selection, context.lab.program()), chosen);
    ImGui::End();
    if (context.ui.phone_menu_open) draw_menu(context, area);
}

} // namespace lab
