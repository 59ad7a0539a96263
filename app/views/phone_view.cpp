#include <algorithm>
#include <optional>
#include <string>

#include "app/session/heads.h"
#include "app/views/cell_editor.h"
#include "app/views/explanation_widgets.h"
#include "app/views/head_choice.h"
#include "app/views/phone_layout.h"
#include "app/views/phone_parts.h"
#include "app/views/query_choice.h"
#include "app/views/views.h"

namespace lab {

void scroll_by_drag() {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 corner = ImGui::GetWindowPos();
    const bool began_here = Rect::at(corner, ImGui::GetWindowSize()).contains(io.MouseClickedPos[0]);
    if (!began_here || !ImGui::IsMouseDragging(0) || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) return;
    ImGui::SetScrollX(ImGui::GetScrollX() - io.MouseDelta.x);
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseDelta.y);
}

void draw_scroll_signs(const Theme& theme, const Rect& area, Color background, float whole_until) {
    constexpr float kWidth = 44, kChevron = 18;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const ImU32 solid = background.u32(), clear = background.u32(0);
    const auto draw_sign = [&](float left, float right, ImU32 begin, ImU32 end, Icon icon, float x) {
        draw_list.AddRectFilledMultiColor({left, area.top}, {right, area.bottom}, begin, end, end, begin);
        draw_icon(draw_list, icon, {x, area.center().y + 1}, theme.palette.dim, 14);
    };
    if (ImGui::GetScrollX() > 1)
        draw_sign(area.left, area.left + kWidth, solid, clear, Icon::chevron_left, area.left + 10);
    if (ImGui::GetScrollX() >= ImGui::GetScrollMaxX() - 1) return;
    const float fades_from =
        whole_until <= area.right - kChevron ? std::max(whole_until, area.right - kWidth) : area.right - kWidth;
    draw_sign(fades_from, area.right, clear, solid, Icon::chevron_right, area.right - 10);
}

Pill draw_pill(ViewContext& context, ImVec2 corner, std::string_view text, std::string_view id, bool is_chosen) {
    constexpr float kHeight = 28, kMostText = 150;
    const Palette& palette = context.theme.palette;
    const TextStyle style =
        is_chosen ? semibold_text(context.theme, 12, palette.background) : plain_text(context.theme, 12, palette.text);
    const float text_w = std::min(text_width(style, text), kMostText);
    const Rect area = Rect::at(corner, {text_w + 16 + 4, kHeight});
    ImGui::SetCursorScreenPos({area.left, area.center().y - kTouchTarget / 2});
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool clicked = ImGui::InvisibleButton("##pill", {area.width(), kTouchTarget}) && !ends_drag();
    ImGui::PopID();
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    draw_list.AddRectFilled(area.min(), area.max(), (is_chosen ? palette.accent : palette.raised).u32(), kHeight / 2);
    draw_text_within(draw_list, style, {area.center().x - text_w / 2, area.top + 18.5f}, text, kMostText);
    return {clicked, area.right};
}

std::string short_title(const std::string& title) {
    constexpr std::string_view kWith = " with ";
    const std::size_t with = title.find(kWith);
    if (with == std::string::npos) return title;
    std::string tail = title.substr(with + kWith.size());
    const bool is_code = tail.substr(0, tail.find(' ')).find_first_of("._") != std::string::npos;
    if (!is_code && !tail.empty() && tail[0] >= 'a' && tail[0] <= 'z') tail[0] = static_cast<char>(tail[0] - 'a' + 'A');
    return tail;
}

namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

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
    const float room = area.width() - 46 - 96;
    const std::string& title = context.lab.title();
    const bool fits = text_width(style, title) <= room;
    draw_text_within(draw_list, style, {area.left + 46, middle + 6}, fits ? title : short_title(title), room);
    if (button("undo", Icon::undo, area.right - 69, context.lab.can_undo())) context.actions.push_back(Action::undo);
    if (button("save", Icon::save, area.right - 29)) context.actions.push_back(Action::save);
}

// A strip of pills that scrolls sideways; returns where the first one stands.
ImVec2 begin_pills(const char* id, const Rect& area) {
    ImGui::SetCursorScreenPos(area.min());
    constexpr ImGuiWindowFlags kRow = ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollbar;
    ImGui::BeginChild(id, area.size(), ImGuiChildFlags_None, kRow);
    scroll_by_drag();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    return {corner.x + 16, corner.y + area.height() / 2 - 14 + 1};
}

void end_pills(const ViewContext& context, const Rect& area, float right) {
    ImGui::SetCursorScreenPos({right, area.top});
    ImGui::Dummy({11, 1});
    draw_scroll_signs(context.theme, area, context.theme.palette.background);
    ImGui::EndChild();
}

void draw_head_pills(ViewContext& context, const Rect& area) {
    ImVec2 corner = begin_pills("##head pills", area);
    corner.y -= 8; // closer to the tokens
    const TextStyle style = plain_text(context.theme, 12, context.theme.palette.dim);
    corner.x += draw_text(*ImGui::GetWindowDrawList(), style, {corner.x, corner.y + 18.5f}, "Head") + 10;
    for (int head = 0; head < n_heads(context.lab.program()); ++head) {
        const std::string number = std::to_string(head + 1);
        const Pill pill = draw_pill(context, corner, number, "head" + number, head == context.selection.head);
        if (pill.clicked) choose_head(context, head);
        corner.x = pill.right + 5;
    }
    end_pills(context, area, corner.x);
}

void draw_token_chips(ViewContext& context, const Rect& area) {
    ImVec2 corner = begin_pills("##tokens", area);
    const int n = n_queries(context.lab.program());
    for (int i = 0; i < n; ++i) {
        const std::string word = axis_label(context.lab.document(), Axis::queries, i);
        const Pill pill = draw_pill(context, corner, word, "token" + std::to_string(i), i == context.selection.query);
        if (pill.clicked) choose_query(context, i);
        corner.x = pill.right + 5;
    }
    end_pills(context, area, corner.x);
}

bool is_tap() { return ImGui::IsMouseReleased(0) && !ends_drag(); }

// A tap chooses; a tap on what is chosen edits it, where it can be edited.
void tap(ViewContext& context, const TensorCell& here, bool is_leaf) {
    if (context.ui.editor && context.ui.editor->where == here) return;
    if (context.ui.editor && !commit_cell_editor(context)) return;
    const TensorCell* pinned = context.selection.pinned();
    if (is_leaf && pinned && *pinned == here) return open_cell_editor(context, here);
    context.selection.visit(here, context.lab.program());
    context.ui.sheet_open = true;
}

// The cell under the pointer. Fingers do not hover, and they drag the page; only a drag that begins on the chosen
// number changes it.
std::optional<TensorCell> touch_matrices(ViewContext& context, const std::vector<MatrixView>& views) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool was_dragged = context.ui.drag && context.ui.drag->has_moved;
    handle_cell_drag(context, mouse);
    if (was_dragged || !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return std::nullopt;
    for (const MatrixView& view : views) {
        const Node& node = context.lab.program().node(view.node);
        const auto cell = cell_at(context, view, mouse);
        if (!cell) continue;
        const TensorCell here{node.name, *cell};
        const bool is_pinned = context.selection.pinned() && *context.selection.pinned() == here;
        const bool is_typed = context.ui.editor && context.ui.editor->where == here;
        if (ImGui::IsMouseClicked(0) && is_pinned && !is_typed) begin_cell_drag(context, here, mouse);
        if (is_tap()) tap(context, here, node.is_leaf());
        return context.platform.has_coarse_pointer() ? std::nullopt : std::optional(here);
    }
    return std::nullopt;
}

std::optional<TensorCell> draw_matrices(ViewContext& context, const PhoneTab& tab, const Rect& area) {
    ImGui::SetCursorScreenPos(area.min());
    const std::string id = "##matrices " + tab.title; // so that every tab keeps its own place
    ImGui::BeginChild(id.c_str(), area.size(), ImGuiChildFlags_None, ImGuiWindowFlags_NoScrollbar);
    if (!context.ui.drag) scroll_by_drag();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float bottom = 0;
    const auto views = place_matrices(context, tab, {area.left, corner.y + 12, area.right, area.bottom}, bottom);
    const std::optional<TensorCell> hovered = touch_matrices(context, views);
    if (hovered || area.contains(ImGui::GetIO().MousePos)) context.selection.hovered = hovered;
    for (const MatrixView& view : views) draw_matrix(context, *ImGui::GetWindowDrawList(), view);
    ImGui::SetCursorScreenPos({area.left, bottom});
    ImGui::Dummy({1, 24});
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
    const int tab = is_new ? tab_of(tabs, context.lab.program().find(pinned->tensor), context.ui.phone_tab) : -1;
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

// What went wrong, over the end of the content, until a tap or the next success takes it away.
void draw_message(ViewContext& context, const Rect& content) {
    constexpr float kMargin = 12, kPadding = 12, kLine = 20;
    UiState& ui = context.ui;
    std::string& message = ui.message();
    if (message.empty()) return;
    const Palette& palette = context.theme.palette;
    const TextStyle style =
        plain_text(context.theme, type_size::kText, ui.error.empty() ? palette.text : palette.error);
    const float width = content.width() - 2 * (kMargin + kPadding);
    const float height = wrapped_height(style, message, kLine, width) + 2 * kPadding - 4;
    const Rect card{content.left + kMargin, content.bottom - kMargin - height, content.right - kMargin,
                    content.bottom - kMargin};
    ImGui::SetCursorScreenPos(card.min());
    ImGui::BeginChild("##error", card.size()); // above the matrices
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    draw_list.AddRectFilled(card.min(), card.max(), context.theme.palette.raised.u32(), 8);
    Column column{context, draw_list, card.left + kPadding, card.right - kPadding, card.top + kPadding - 2};
    draw_wrapped(column, style, message, kLine);
    if (ImGui::IsWindowHovered() && is_tap()) message.clear();
    ImGui::EndChild();
}

// Steps, settings and tokens over everything else; a tap beside them closes them.
void draw_menu(ViewContext& context, const Rect& area) {
    const float width = std::min(spacing::kLeftPanel + 96, area.width() - 60);
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, 115));
    ImGui::Begin("##dimmed", nullptr, kFixed & ~ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleColor();
    const Rect panel{area.left, area.top, area.left + width, area.bottom};
    const bool is_beside = !panel.contains(ImGui::GetIO().MousePos);
    if (ImGui::IsWindowHovered() && is_beside && is_tap()) context.ui.phone_menu_open = false;
    ImGui::End();
    draw_left_panel(context, panel);
}

} // namespace

void draw_phone(ViewContext& context, const Rect& area) {
    const auto tabs = phone_tabs(context.lab.program(), context.selection.section);
    const TensorCell* pinned = context.selection.pinned();
    const std::optional<TensorCell> chosen = pinned ? std::optional(*pinned) : std::nullopt;
    if (context.ui.phone_tab < 0) follow_pinned(context, tabs, std::nullopt);
    context.ui.phone_tab = std::clamp(context.ui.phone_tab, 0, std::max(0, static_cast<int>(tabs.size()) - 1));
    const PhoneSheet sheet{context.ui.sheet_open, phone_sheet_height(context, area.width(), chosen)};
    const PhoneFrame frame = phone_frame(area, sheet, has_head_choice(context));

    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, context.theme.palette.background.u32());
    ImGui::Begin("##phone", nullptr, kFixed | ImGuiWindowFlags_NoScrollWithMouse);
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
    draw_phone_sheet(context, frame.sheet, told);
    draw_tabs(context, tabs, frame.tabs);
    draw_message(context, frame.content);
    follow_pinned(context, phone_tabs(context.lab.program(), context.selection.section), chosen);
    ImGui::End();
    if (context.ui.phone_menu_open) draw_menu(context, area);
}

} // namespace lab
