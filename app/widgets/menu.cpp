#include "app/widgets/menu.h"

#include <algorithm>
#include <string>

#include "app/widgets/rounded.h"

namespace lab {

namespace {

constexpr float kListPadding = 6; // of the list
constexpr float kMarkColumn = 24; // where the chosen entry's mark stands

// Below the anchor, or above it where there is more room; as tall as that room at most.
void place_menu(const Rect& anchor, float width) {
    constexpr float kGap = 4;
    constexpr float kMargin = 8;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float shown_width = std::min(width, screen.x - 2 * kMargin);
    const float below = screen.y - anchor.bottom - kGap - kMargin;
    const float above = anchor.top - kGap - kMargin;
    const bool drops = below >= 240 || below >= above;
    const float x = std::clamp(anchor.left, kMargin, std::max(kMargin, screen.x - kMargin - shown_width));
    ImGui::SetNextWindowPos({x, drops ? anchor.bottom + kGap : anchor.top - kGap}, ImGuiCond_Always,
                            {0.0f, drops ? 0.0f : 1.0f});
    ImGui::SetNextWindowSizeConstraints({shown_width, 0}, {shown_width, std::max(below, above)});
}

// A finger has no wheel: it draws a long list along.
void scroll_list_by_drag() {
    const bool hovers = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (hovers && ImGui::IsMouseDragging(0)) ImGui::SetScrollY(ImGui::GetScrollY() - ImGui::GetIO().MouseDelta.y);
}

// On as many lines as it takes; returns how much taller than one that is.
float draw_title(ImDrawList& draw_list, const TextStyle& style, ImVec2 baseline, std::string_view title, float width) {
    if (text_width(style, title) <= width) {
        draw_text(draw_list, style, baseline, title);
        return 0;
    }
    const float above = style.size; // of the baseline
    const float of_one = paragraph_height(style, "x", width);
    return draw_paragraph(draw_list, style, {baseline.x, baseline.y - above}, title, width) - of_one;
}

} // namespace

void open_menu(const char* id) { ImGui::OpenPopup(id); }

bool begin_menu(const Theme&, const Menu& menu) {
    if (!ImGui::IsPopupOpen(menu.id)) return false;
    place_menu(menu.anchor, menu.width);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {kListPadding, kListPadding});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize;
    if (ImGui::BeginPopup(menu.id, kFlags)) return true;
    ImGui::PopStyleVar(2);
    return false;
}

void end_menu() {
    scroll_list_by_drag();
    ImGui::EndPopup();
    ImGui::PopStyleVar(2);
}

// The text is drawn first, for it says how tall the entry is; the background goes beneath it.
bool menu_entry(const Theme& theme, const MenuEntry& entry) {
    constexpr float kBeforeKeys = 12;
    const Palette& palette = theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float text_left = corner.x + kMarkColumn;
    const float text_width_most = width - kMarkColumn - 8;
    draw_list.ChannelsSplit(2);
    draw_list.ChannelsSetCurrent(1);
    TextStyle title = plain_text(theme, type_size::kList, palette.text);
    if (entry.is_chosen) {
        title.font = theme.fonts.text_semibold;
        draw_icon(theme, draw_list, Icon::check, {corner.x + 13, corner.y + 15}, palette.accent, 12);
    }
    const TextStyle keys = number_text(theme, type_size::kCell, palette.dim, Align::right);
    draw_text(draw_list, keys, {corner.x + width - 8, corner.y + 20}, entry.keys);
    const float of_keys = entry.keys.empty() ? 0 : text_width(keys, entry.keys) + kBeforeKeys;
    float height =
        30 + draw_title(draw_list, title, {text_left, corner.y + 20}, entry.title, text_width_most - of_keys);
    if (!entry.sentence.empty()) {
        const TextStyle sentence = plain_text(theme, type_size::kControl, palette.dim);
        const ImVec2 top{text_left, corner.y + height - 5};
        height += draw_paragraph(draw_list, sentence, top, entry.sentence, text_width_most) + 2;
    }
    const Rect area = Rect::at(corner, {width, height});
    const Press press = press_area(std::string(entry.title).c_str(), area);
    if (entry.is_chosen && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
    draw_list.ChannelsSetCurrent(0);
    if (press.hovered || press.held) {
        fill_rounded(draw_list, area, control_color(palette, {.held = press.held}).u32(), 5);
    }
    draw_list.ChannelsMerge();
    if (press.clicked) ImGui::CloseCurrentPopup();
    return press.clicked;
}

void menu_divider(const Theme& theme) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    divider(theme, {corner.x, corner.y + 4}, width);
    ImGui::Dummy({width, 9});
}

void menu_heading(const Theme& theme, std::string_view title) {
    constexpr float kHeight = 23;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    divider(theme, {corner.x, corner.y + 3}, width);
    std::string capitals(title);
    for (char& letter : capitals)
        letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    section_label(theme, {corner.x + kMarkColumn, corner.y + 18}, capitals);
    ImGui::Dummy({width, kHeight});
}

bool begin_select(const Theme& theme, const Select& select) {
    const Palette& palette = theme.palette;
    ImGui::PushID(select.id);
    const Press press = press_area("control", select.area);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const bool is_open = ImGui::IsPopupOpen("list");
    show_tip(theme, is_open ? Tip{} : select.tip);
    fill_rounded(draw_list, select.area, control_color(palette, press).u32(), 5);
    const float middle = select.area.center().y;
    const TextStyle style = plain_text(theme, select.text_size, palette.text);
    const float padding = select.text_size > type_size::kControl ? 12.0f : 9.0f;
    draw_text_within(draw_list, style, {select.area.left + padding, centered_baseline(middle, style.size)},
                     select.shown, select.area.width() - padding - 24);
    draw_caret(draw_list, {select.area.right - padding - 2.5f, middle}, palette.dim);
    if (press.clicked) open_menu("list");
    const bool lists = begin_menu(theme, {"list", select.area, std::max(select.menu_width, select.area.width())});
    if (!lists) ImGui::PopID();
    return lists;
}

void end_select() {
    end_menu();
    ImGui::PopID();
}

std::optional<int> select(const Theme& theme, const Select& control, std::span<const MenuEntry> entries) {
    if (!begin_select(theme, control)) return {};
    std::optional<int> chosen;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (menu_entry(theme, entries[i])) chosen = static_cast<int>(i);
    }
    end_select();
    return chosen;
}

} // namespace lab
