#include <cmath>
#include <limits>
#include <utility>

#include <imgui_internal.h>

#include "app/session/sections.h"
#include "app/views/canvas_strip.h"
#include "app/views/gradient_choice.h"
#include "app/views/held_setting.h"
#include "app/views/left_panel.h"
#include "app/views/matrix_view.h"
#include "app/views/phone_parts.h"
#include "app/views/reduction_choice.h"
#include "app/views/session_menu.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"
#include "app/widgets/pixels.h"
#include "app/widgets/window_flags.h"

namespace lab {

namespace {

constexpr float kSession = 104, kBadge = 22; // what the session takes on a narrow screen, where there is no bar for it

// On a narrow screen what else the bar at the top holds.
void draw_session(Column& column) {
    section_label(column.context.theme, {column.left, column.y + 30}, "SESSION");
    draw_session_menu(column.context, {column.left, column.y + 40, column.right, column.y + 68});
    if (column.context.lab.badge() != Badge::none) {
        draw_badge(column.context, {column.left + 4, column.y + 86}, column.width() - 4);
        column.y += kBadge;
    }
    float x = column.left + 12;
    for (BarIcon icon : {BarIcon::open, BarIcon::save, BarIcon::redo, BarIcon::theme, BarIcon::help}) {
        draw_bar_icon(column.context, icon, {x, column.y + 88});
        x += 44;
    }
    column.y += kSession;
}

// On a narrow screen there is no line above the canvas.
void draw_shown_section(Column& column) {
    constexpr float kLabel = 30, kControl = 36;
    section_label(column.context.theme, {column.left, column.y + kLabel}, "SECTION");
    column.y += kLabel + 8;
    draw_section_choice(column.context, {column.left - 8, column.y, column.right + 8, column.y + kControl});
    column.y += kControl;
}

// The gradient, too: where one is taken, of what; else of the chosen number.
void draw_gradient(Column& column) {
    constexpr float kLabel = 30, kControl = 36;
    section_label(column.context.theme, {column.left, column.y + kLabel}, "GRADIENT");
    column.y += kLabel + 8;
    draw_gradient_choice(column.context, {column.left, column.y, column.right, column.y + kControl});
    column.y += kControl;
}

// On a narrow screen no status bar has the choice of what points say that stand for several cells.
void draw_points(Column& column) {
    ViewContext& context = column.context;
    constexpr float kLabel = 30, kChip = 30, kBetween = 8;
    if (reduction_said(context).empty()) return;
    section_label(context.theme, {column.left, column.y + kLabel}, "POINTS SHOW");
    column.y += kLabel + 8;
    float x = column.left;
    for (const Reduction each : {Reduction::maximum, Reduction::mean}) {
        const std::string word = each == Reduction::mean ? "the mean" : "extremes";
        const float width = chip_width(context.theme, word, column.width());
        const Rect area = Rect::at({x, column.y}, {width, kChip});
        const Press press = chip(context.theme, {word.c_str(), word, area, each == context.ui.reduction});
        if (press.clicked) choose_reduction(context, each);
        x += width + kBetween;
    }
    column.y += kChip + 6;
}

void draw_folded_panel(ViewContext& context, const Rect& area) {
    const ImVec2 center{area.left + 14, area.top + 25};
    const Tip tip{.title = "Steps, settings and tokens"};
    if (icon_button(context.theme, {.id = "unfold",
                                    .icon = Icon::chevron_right,
                                    .center = center,
                                    .tip = tip,
                                    .icon_size = 15,
                                    .reach = 12})) {
        context.ui.left_panel_open = true;
    }
}

// A finger pulls the menu along unless it sets out sideways, as numbers are dragged.
void scroll_by_finger() {
    enum { kUndecided, kPulls, kGoesSideways };
    int& drag = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("drag"), kUndecided);
    if (!is_dragged_here()) {
        drag = kUndecided;
        return;
    }
    const ImVec2 way = ImGui::GetMouseDragDelta(0);
    if (drag == kUndecided) drag = std::fabs(way.y) > std::fabs(way.x) ? kPulls : kGoesSideways;
    if (drag != kPulls) return;
    ImGui::ClearActiveID(); // what the finger set out from is not pressed
    scroll_by_drag();
}

void draw_sections(ViewContext& context, const Rect& area, bool is_over_all) {
    constexpr float kPaddingRight = 16;
    constexpr float kPaddingBelow = 7, kLeastBelow = 7;
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("##sections", {area.width() - 1, area.height()}, ImGuiChildFlags_NavFlattened);
    begin_held_setting(context, area);
    const float top = ImGui::GetCursorScreenPos().y;
    Column column{context, *ImGui::GetWindowDrawList(), area.left + spacing::kPanel, area.right - kPaddingRight, top};
    if (is_over_all) scroll_by_finger();
    if (is_over_all) draw_session(column);
    if (is_over_all && n_sections(context.lab.program()) > 1) draw_shown_section(column);
    if (is_over_all) draw_gradient(column);
    if (is_over_all) draw_points(column);
    float& others = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("others"), 420); // as tall as in the last frame
    // For fingers as far apart as they may be: there the panel scrolls.
    const float room = area.bottom - kPaddingBelow - others - (column.y - top) - area.top;
    draw_steps(column, is_over_all ? std::numeric_limits<float>::max() : room);
    column.y += held_gap(context);
    const float below_steps = column.y;
    draw_settings(column);
    // Many tokens come last: thousands of lines would stand before what follows.
    constexpr std::size_t kMostTokensBetween = 100;
    const bool are_many = context.lab.document().tokens.size() > kMostTokensBetween;
    if (!are_many) draw_tokens(column);
    draw_widths(column);
    const float tokens_below = are_many ? kFirstTokens : 0;
    // What opens below it is scrolled to.
    const float now = column.y + 3 + kMoreSettingsLine + tokens_below - below_steps;
    draw_more_settings(column);
    if (are_many) draw_tokens(column);
    if (!is_setting_held(context) && std::exchange(others, now) != now) context.ui.wants_frame = true;
    const float height = end_held_setting(context, column.y + kLeastBelow - top);
    // Whether there is a bar to scroll with goes by the frame before.
    float& height_before = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("height"), height);
    if (std::exchange(height_before, height) != height) context.ui.wants_frame = true;
    ImGui::SetCursorScreenPos({area.left, top});
    ImGui::Dummy({1, height}); // so that it scrolls
    ImGui::EndChild();
}

void draw_edge(const ViewContext& context, const Rect& area) {
    ImGui::GetWindowDrawList()->AddRectFilled({area.right - 1, area.top}, area.max(), context.theme.palette.line.u32());
}

// On a narrow screen it lies over everything else, so it may come to the front.
void draw_left_menu(ViewContext& context, const Rect& area) {
    ImGui::Begin("##left menu", nullptr, kFixed | ImGuiWindowFlags_NoScrollWithMouse);
    draw_edge(context, area);
    draw_sections(context, area, true);
    ImGui::End();
}

LeftPanelContents contents_of(const ViewContext& context, const Rect& area) {
    const UiState& ui = context.ui;
    return {.form = context.lab.form(),
            .explained = explained_cell(context),
            .query = context.selection.query,
            .section = context.selection.section,
            .shown_stage = context.selection.shown_stage,
            .shows_gradient = context.selection.shows_gradient,
            .area = area,
            .is_dark = ui.is_dark,
            .pixels_per_point = pixels_per_point(),
            .glyphs = ImGui::GetIO().Fonts->TexData->UniqueID,
            .is_open = ui.left_panel_open,
            .has_more_settings = ui.more_settings_open,
            .paints_mask = ui.paints_mask,
            .open_groups = ui.open_groups,
            .renamed_token = ui.renamed_token};
}

void draw_panel_content(ViewContext& context, const Rect& area) {
    draw_edge(context, area);
    if (context.ui.left_panel_open)
        draw_sections(context, area, false);
    else
        draw_folded_panel(context, area);
}

// Numbers of tensors do not stand in it: while they are edited, or what follows from them is computed, it stays as it is.
void draw_beside_canvas(ViewContext& context, const Rect& area) {
    UiState& ui = context.ui;
    KeptLeftPanel& kept = ui.kept_left_panel;
    LeftPanelContents now = contents_of(context, area);
    const bool is_as_drawn = kept.drawn == now && !is_setting_held(context);
    if (kept.window.begin("##left panel", kSideBySide | ImGuiWindowFlags_NoScrollWithMouse, is_as_drawn)) {
        const bool others_want_frame = std::exchange(ui.wants_frame, false);
        draw_panel_content(context, area);
        if (ui.wants_frame) kept.window.draw_again();
        ui.wants_frame = ui.wants_frame || others_want_frame;
        kept.drawn = std::move(now);
    }
    ImGui::End();
}

} // namespace

void draw_left_panel(ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    if (context.ui.phone_menu_open)
        draw_left_menu(context, area);
    else
        draw_beside_canvas(context, area);
}

} // namespace lab
