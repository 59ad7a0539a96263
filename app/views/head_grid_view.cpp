#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/session/heads.h"
#include "app/session/labels.h"
#include "app/views/cell_drag.h"
#include "app/views/explanation_widgets.h"
#include "app/views/head_choice.h"
#include "app/views/head_grid.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_labels.h"
#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/widgets/controls.h"
#include "engine/derivation.h"

namespace lab {

namespace {

constexpr float kMargin = 24;
constexpr float kUpwards = 0.4f;    // of the room that is left, above
constexpr float kSharedLegend = 20; // below all heads
constexpr float kBelowFrame = 12;   // of the chosen one

// What the grid shows this frame.
struct Grid {
    int node = 0;
    int n_heads = 1;
    int n_cols = 1;
    HeadTiles tiles{};
    ImVec2 corner{}; // of the first tile, scrolled
};

MatrixView tile_view(const Grid& grid, int head, std::string_view title) {
    const ImVec2 at = grid.tiles.cells_at(head);
    return {.node = grid.node,
            .origin = {grid.corner.x + at.x, grid.corner.y + at.y},
            .pitch = grid.tiles.pitch,
            .has_row_labels = grid.tiles.has_words,
            .has_col_labels = grid.tiles.has_words,
            .is_compact = true,
            .row_label_width = grid.tiles.left - matrix_metrics::kRowLabelGap,
            .head = head,
            .title = title};
}

// A small ring at the right end of a tile's title: taken together with others, or not.
void draw_taking_mark(ViewContext& context, int head, ImVec2 center) {
    const Palette& palette = context.theme.palette;
    const bool is_taken = context.ui.head_grid.combined.count(head) > 0;
    const std::string id = "take" + std::to_string(head);
    const float reach = context.platform.has_coarse_pointer() ? kTouchTarget / 2 : 11;
    const Press press = press_area(id.c_str(), Rect{center.x, center.y, center.x, center.y}.grown(reach));
    show_tip(context.theme, {.title = is_taken ? "Leave this head out" : "Take this head together with others",
                             .sentence = "Their average or maximum stands beside the heads.",
                             .keys = "A"});
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const Color ink = press.hovered ? palette.text : palette.dim;
    if (is_taken)
        draw_list.AddCircleFilled(center, 7, palette.accent.u32());
    else
        draw_list.AddCircle(center, 6.5f, (press.hovered ? palette.dim : palette.line).u32(), 0, 1.2f);
    draw_icon(context.theme, draw_list, is_taken ? Icon::check : Icon::plus, center,
              is_taken ? palette.background : ink, 10);
    if (press.clicked) toggle_combined_head(context, head);
}

// Fingers do not hover, and a drag scrolls.
void point_at_cell(ViewContext& context, const MatrixView& view) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!context.platform.has_coarse_pointer()) {
        handle_matrix_mouse(context, view, mouse);
        return;
    }
    const auto cell = cell_at(context, view, mouse);
    if (!cell || !ImGui::IsMouseReleased(0) || ends_drag()) return;
    context.selection.visit({matrix_geometry(context, view).node.name, *cell}, context.lab.program());
}

// A click on a head's title chooses it; on one of its cells the cell, which chooses it too.
void draw_tile(ViewContext& context, const Grid& grid, int head) {
    constexpr float kFrame = 4, kMark = 18;
    constexpr float kBeside = 7; // so that the marks of the query's row stand within
    constexpr float kRoomForName = 80;
    const std::string name = "head " + std::to_string(head + 1);
    const float width = grid.tiles.pitch.x * static_cast<float>(grid.n_cols);
    const std::string title = width < kRoomForName ? std::to_string(head + 1) : name;
    const MatrixView view = tile_view(grid, head, title);
    const Rect cells = matrix_geometry(context, view).cells();
    const Palette& palette = context.theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float top = cells.top - grid.tiles.above;
    const float mark = context.platform.has_coarse_pointer() ? kTouchTarget / 2 + 8 : kMark;
    const Press press = press_area(name.c_str(), {cells.left, top, cells.right - mark, top + 22});
    if (press.clicked) choose_head(context, head);
    if (press.hovered) context.ui.status_hint = "click to choose " + name;
    if (ImGui::IsWindowHovered()) point_at_cell(context, view);
    draw_matrix(context, draw_list, view);
    draw_taking_mark(context, head, {cells.right - 8, top + 13});
    if (head != context.selection.head) return;
    const float words = grid.tiles.has_words ? grid.tiles.left - kFrame : 0; // within the frame
    const float below = grid.tiles.has_words ? 2 * kFrame : kFrame - 1;      // half of the last row's word
    const Rect frame{cells.left - kBeside - words, top - kFrame, cells.right + kBeside - 1, cells.bottom + below};
    draw_list.AddRect(frame.min(), frame.max(), palette.accent.u32(), 6, 0, 1.5f);
}

void draw_tiles(ViewContext& context, Grid& grid, const Rect& area) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("##heads", area.size());
    if (context.platform.has_coarse_pointer()) scroll_by_drag();
    const ImVec2 size = grid.tiles.size;
    grid.corner = ImGui::GetCursorScreenPos();
    grid.corner.x += std::max(kMargin, std::floor((area.width() - size.x) / 2));
    grid.corner.y += std::max(kMargin - 8, std::floor((area.height() - size.y) * kUpwards));
    for (int head = 0; head < grid.n_heads; ++head) draw_tile(context, grid, head);
    if (!grid.tiles.scrolls && ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0)
        context.ui.key_note = "all heads are seen whole; G leads back to the canvas, where one zooms";
    ImGui::SetCursorScreenPos(grid.corner);
    ImGui::Dummy({1, grid.tiles.scrolls ? size.y + kMargin : 1}); // so that it scrolls
    ImGui::EndChild();
    // All heads have the same colours: below the last of them, or where the page scrolls below the page.
    const float top = (grid.tiles.scrolls ? area.bottom : std::min(grid.corner.y + size.y, area.bottom)) + kBelowFrame;
    const Rect line{grid.corner.x + grid.tiles.left, top, area.right - kMargin, top + kSharedLegend};
    draw_shared_legend(matrix_frame(context, tile_view(grid, 0, {})), *ImGui::GetWindowDrawList(), line);
}

HeadCombination combination(ViewContext& context, int n) {
    HeadGrid& grid = context.ui.head_grid;
    std::erase_if(grid.combined, [&](int head) { return head >= n; });
    return {{grid.combined.begin(), grid.combined.end()}, grid.is_maximum};
}

void draw_kind_choice(ViewContext& context, ImVec2 corner) {
    bool& is_maximum = context.ui.head_grid.is_maximum;
    for (const bool kind : {false, true}) {
        const char* text = kind ? "maximum" : "average";
        const Rect area = Rect::at(corner, {chip_width(context.theme, text, 120), 22});
        if (chip(context.theme, {text, text, area, is_maximum == kind}).clicked) is_maximum = kind;
        corner.x = area.right + 6;
    }
    const TextButton none{.id = "none", .text = "take none", .baseline = {corner.x + 10, corner.y + 15}};
    if (text_button(context.theme, none)) context.ui.head_grid.combined.clear();
}

// "average over heads 1, 3 of attention_weights[journey, starts] = 0.2199"
void say_what_is_combined(ViewContext& context, const MatrixView& view) {
    const MatrixGeometry matrix = matrix_geometry(context, view);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered() || !matrix.cells().contains(mouse)) return;
    const int row = std::min(static_cast<int>((mouse.y - view.origin.y) / view.pitch.y), matrix.extent.n_rows - 1);
    const int col = std::min(static_cast<int>((mouse.x - view.origin.x) / view.pitch.x), matrix.extent.n_cols - 1);
    const float value =
        read_combined(context.lab.trace(), matrix.index, *view.combined, Range::at(row), Range::at(col)).front();
    const Document& document = context.lab.document();
    const Presentation& shown = matrix.node.presentation;
    context.ui.status = view.combined->title() + " of " + matrix.node.name + "[" +
                        told_label(document, shown.rows, row) + ", " + told_label(document, shown.cols, col) +
                        "] = " + number_text(static_cast<double>(value));
}

void draw_combined(ViewContext& context, int node, const HeadCombination& combined, const Rect& area) {
    constexpr float kChoice = 40, kTitle = 26 + matrix_metrics::kColumnLabels, kLegend = 28, kMostPitch = 1.0f;
    const Node& subject = context.lab.program().node(node);
    const float labels = row_label_width(context) + matrix_metrics::kRowLabelGap;
    const float width = area.width() - labels, height = area.height() - kChoice - kTitle - kLegend;
    const float x = std::min(kMostPitch * matrix_metrics::kPitch.x, width / static_cast<float>(subject.shape.cols));
    const float y = std::min(kMostPitch * matrix_metrics::kPitch.y, height / static_cast<float>(subject.shape.rows));
    const std::string title = combined.title();
    const ImVec2 corner{area.left + labels, area.top + kChoice + kTitle};
    const MatrixView view{.node = node,
                          .origin = corner,
                          .pitch = {std::min(x, 2.2f * y), std::min(y, 2.2f * x)},
                          .has_row_labels = true,
                          .has_col_labels = true,
                          .has_legend = true,
                          .is_compact = true,
                          .row_label_width = labels - matrix_metrics::kRowLabelGap,
                          .combined = &combined,
                          .title = title};
    draw_kind_choice(context, {corner.x, area.top});
    say_what_is_combined(context, view);
    draw_matrix(context, *ImGui::GetWindowDrawList(), view);
}

// Where the heads and what they come to together stand: beside one another, or below where it is narrow.
struct Halves {
    Rect heads, combined;
};
Halves halves_of(const Rect& area, bool has_combined) {
    constexpr float kNarrow = 560, kShare = 0.4f, kShareBelow = 0.6f, kMost = 440;
    if (!has_combined) return {area, {}};
    if (area.width() < kNarrow) {
        const float y = area.bottom - kShareBelow * area.height();
        return {{area.left, area.top, area.right, y}, {area.left, y, area.right, area.bottom}};
    }
    const float x = area.right - std::min(kMost, kShare * area.width());
    return {{area.left, area.top, x, area.bottom}, {x, area.top, area.right, area.bottom}};
}

} // namespace

void draw_head_grid(ViewContext& context, const Rect& area) {
    const int node = grid_tensor(context);
    if (node < 0) return;
    let_held_pass(context, ImGui::GetIO().MousePos);
    const Node& subject = context.lab.program().node(node);
    Grid grid{.node = node, .n_heads = n_heads(context.lab.program()), .n_cols = subject.shape.cols};
    const HeadCombination combined = combination(context, grid.n_heads);
    Halves halves = halves_of(area, !combined.heads.empty());
    halves.heads.bottom -= kSharedLegend;
    const ImVec2 room{halves.heads.width() - 2 * kMargin, halves.heads.height() - 2 * kMargin + 8};
    grid.tiles = lay_out_heads({grid.n_heads, subject.shape.rows, subject.shape.cols, room, row_label_width(context)});
    draw_tiles(context, grid, halves.heads);
    if (!combined.heads.empty()) draw_combined(context, node, combined, halves.combined.grown(-kMargin + 4));
}

} // namespace lab
