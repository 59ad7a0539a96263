#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/session/labels.h"
#include "app/views/left_panel.h"
#include "app/views/query_choice.h"
#include "app/widgets/fields.h"
#include "app/widgets/menu.h"

namespace lab {

namespace {

constexpr float kHeight = 22;
constexpr float kPitch = 28; // from one line of chips to the next
constexpr float kGap = 6;

// Where every token's chip stands, and after them the one that adds a token.
struct ChipLayout {
    std::vector<std::string> words;
    std::vector<Rect> areas; // one more than words
    float bottom = 0;
};

ChipLayout lay_out(const Column& column) {
    constexpr float kFieldWidth = 84; // of a word being typed
    const ViewContext& context = column.context;
    const float right = column.right + 4;
    ChipLayout layout;
    ImVec2 corner{column.left, column.y};
    const auto place = [&](float width) {
        if (corner.x > column.left && corner.x + width > right) corner = {column.left, corner.y + kPitch};
        layout.areas.push_back(Rect::at(corner, {width, kHeight}));
        corner.x += width + kGap;
    };
    const int n = n_queries(context.lab.program());
    for (int i = 0; i < n; ++i) {
        layout.words.push_back(axis_label(context.lab.document(), Axis::queries, i));
        place(context.ui.renamed_token == i ? kFieldWidth
                                            : chip_width(context.theme, layout.words.back(), right - column.left));
    }
    place(context.ui.renamed_token == n ? kFieldWidth : 22);
    layout.bottom = corner.y + kHeight;
    return layout;
}

void begin_rename(UiState& ui, int token, std::string word) {
    ui.renamed_token = token;
    ui.renamed_text = std::move(word);
    ui.takes_focus = ui.wants_frame = true;
}

void remove_token(ViewContext& context, int token) { context.commands.push_back({RemoveToken{token}}); }

// A word being typed: of a token, or of one that is added.
void draw_word_field(ViewContext& context, const Rect& area, int token, const ChipLayout& layout) {
    UiState& ui = context.ui;
    const bool takes_focus = std::exchange(ui.takes_focus, false);
    ui.wants_frame |= takes_focus;
    const TextEntry entry = text_field(
        context.theme, {.id = "##word", .area = area, .hint = "word", .takes_focus = takes_focus}, ui.renamed_text);
    if (!entry.left) return;
    const int n = static_cast<int>(layout.words.size());
    const std::string word = ui.renamed_text;
    if (token == n && !word.empty()) context.commands.push_back({AddToken{n, word}});
    if (token < n && !word.empty() && word != layout.words[static_cast<std::size_t>(token)]) {
        context.commands.push_back({RenameToken{token, word}});
    }
    ui.renamed_token.reset();
}

void draw_token_menu(ViewContext& context, const Rect& area, int token, const std::string& word) {
    if (!begin_menu(context.theme, {"menu", area, 170})) return;
    if (menu_entry(context.theme, {.title = "Rename"})) begin_rename(context.ui, token, word);
    if (menu_entry(context.theme, {.title = "Remove", .keys = "Del"})) remove_token(context, token);
    end_menu();
}

bool presses_delete(const ViewContext& context) {
    const bool is_taken = ImGui::GetIO().WantTextInput || context.ui.has_dialog() || context.ui.editor;
    return !is_taken && ImGui::IsKeyPressed(ImGuiKey_Delete, false);
}

// After a click on a token, until one elsewhere or a key that moves on among the numbers, Delete means the chosen one.
void remove_chosen(ViewContext& context) {
    UiState& ui = context.ui;
    const bool is_left = ImGui::IsMouseClicked(0) || ui.keyboard_leads || ui.keyboard_at != KeyboardPlace::canvas;
    if (is_left) ui.keys_on_tokens = false;
    if (ui.keys_on_tokens && presses_delete(context)) remove_token(context, context.selection.query);
}

// A small cross at the chip's corner while the pointer is on the chip.
void draw_cross(ViewContext& context, const ChipLayout& layout, int token) {
    constexpr float kRadius = 7, kReach = 10;
    const Palette& palette = context.theme.palette;
    const Rect& area = layout.areas[static_cast<std::size_t>(token)];
    const ImVec2 center{area.right - 1, area.top};
    const Rect corner = Rect{center.x, center.y, center.x, center.y}.grown(kReach);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool is_on_chip = std::any_of(layout.areas.begin(), layout.areas.end(),
                                        [&](const Rect& chip_area) { return chip_area.contains(mouse); });
    const bool is_near = area.contains(mouse) || (corner.contains(mouse) && !is_on_chip);
    if (!is_near || !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
        ImGui::IsMouseDragging(0))
        return;
    const Press press = press_area("remove", corner);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    draw_list.AddCircleFilled(center, kRadius, palette.panel.u32());
    draw_list.AddCircleFilled(center, kRadius - 1, (press.hovered ? palette.accent : palette.line).u32());
    draw_icon(draw_list, Icon::close, center, press.hovered ? palette.background : palette.text, 9);
    show_tip(context.theme, {.title = "Remove"});
    if (press.clicked) remove_token(context, token);
}

// Before which chip something let go at this point would land.
int place_at(const ChipLayout& layout, ImVec2 point) {
    int place = 0;
    for (const Rect& area : layout.areas) {
        const bool is_before =
            point.y < area.top - kGap / 2 || (point.y < area.bottom + kGap / 2 && point.x < area.center().x);
        if (is_before) break;
        ++place;
    }
    return std::min(place, static_cast<int>(layout.words.size()));
}

// The last control is the token's chip: dragged, it takes another place.
void drag_token(ViewContext& context, const ChipLayout& layout, int token) {
    constexpr float kReach = 12; // less is a click
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_held = ImGui::IsItemActive() && ImGui::IsMouseDragging(0, kReach);
    const bool is_dropped =
        ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] > kReach * kReach;
    if ((!is_held && !is_dropped) || context.platform.has_coarse_pointer()) return;
    const int place = place_at(layout, io.MousePos);
    const int to = place > token ? place - 1 : place;
    if (is_dropped && to != token) context.commands.push_back({MoveToken{token, to}});
    if (!is_held) return;
    const Rect& next = layout.areas[static_cast<std::size_t>(place)];
    const float x = next.left - kGap / 2;
    ImGui::GetForegroundDrawList()->AddRectFilled({x - 1, next.top}, {x + 1, next.bottom},
                                                  context.theme.palette.accent.u32());
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

void draw_token(ViewContext& context, const ChipLayout& layout, int token) {
    const std::string& word = layout.words[static_cast<std::size_t>(token)];
    const Rect& area = layout.areas[static_cast<std::size_t>(token)];
    ImGui::PushID(token);
    if (context.ui.renamed_token == token) {
        draw_word_field(context, area, token, layout);
        return ImGui::PopID();
    }
    ImGui::SetNextItemAllowOverlap();
    const Press press = chip(context.theme, {"chip", word, area, token == context.selection.query});
    const bool keys_here = ImGui::IsItemFocused() && context.ui.keyboard_at == KeyboardPlace::left_panel;
    if (press.clicked) choose_query(context, token);
    context.ui.keys_on_tokens |= press.clicked;
    if (press.hovered && ImGui::IsMouseDoubleClicked(0)) begin_rename(context.ui, token, word);
    if (press.hovered && ImGui::IsMouseClicked(1)) open_menu("menu");
    if (keys_here && presses_delete(context)) remove_token(context, token);
    drag_token(context, layout, token);
    if (layout.words.size() > 1) draw_cross(context, layout, token);
    draw_token_menu(context, area, token, word);
    ImGui::PopID();
}

void draw_add(ViewContext& context, const ChipLayout& layout) {
    const int n = static_cast<int>(layout.words.size());
    const Rect& area = layout.areas.back();
    if (context.ui.renamed_token == n) return draw_word_field(context, area, n, layout);
    if (chip(context.theme, {"add", "+", area, false}).clicked) begin_rename(context.ui, n, {});
    show_tip(context.theme, {.title = "Add a token"});
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

} // namespace

void draw_tokens(Column& column) {
    ViewContext& context = column.context;
    ImGui::PushID("tokens");
    section_label(context.theme, {column.left, column.y + 28}, "TOKENS");
    const TextButton sentence{.id = "sentence",
                              .text = "New sentence…",
                              .baseline = {column.right, column.y + 28},
                              .align = Align::right,
                              .tip = {.title = "Type a sentence; its words become the tokens"}};
    if (text_button(context.theme, sentence)) context.ui.sentence_dialog = joined(context.lab.document().tokens);
    column.y += 40;
    remove_chosen(context);
    const ChipLayout layout = lay_out(column);
    for (int token = 0; token < static_cast<int>(layout.words.size()); ++token) draw_token(context, layout, token);
    draw_add(context, layout);
    column.y = layout.bottom;
    ImGui::PopID();
}

} // namespace lab
