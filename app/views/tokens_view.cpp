#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imgui_internal.h>

#include "app/session/labels.h"
#include "app/views/left_panel.h"
#include "app/views/query_choice.h"
#include "app/views/shortcuts.h"
#include "app/widgets/fields.h"
#include "app/widgets/menu.h"

namespace lab {

// Where every token's chip stands, and after them the one that adds a token; kept until words or room change.
struct TokenChips {
    struct Key {
        float width = 0;
        std::optional<int> renamed;
        bool operator==(const Key&) const = default;
    };
    Key key;
    Words given; // the document's tokens
    std::vector<std::string> words;
    std::vector<Rect> areas; // one more than words; from the corner of the first
};

namespace {

constexpr float kHeight = 22;
constexpr float kChipPitch = 28; // from one line of chips to the next
constexpr float kChipsApart = 6;
constexpr float kAboveChips = 40; // the label
static_assert(kFirstTokens == kAboveChips + 2 * kChipPitch);

// The chips where they are drawn.
struct ChipLayout {
    const TokenChips& chips;
    ImVec2 corner;

    int n() const { return static_cast<int>(chips.words.size()); }
    const std::string& word(int token) const { return chips.words[static_cast<std::size_t>(token)]; }
    Rect area(int chip) const {
        const Rect& at = chips.areas[static_cast<std::size_t>(chip)];
        return Rect::at({corner.x + at.left, corner.y + at.top}, at.size());
    }
    // Of all chips the first that reaches below this; they stand in lines.
    int first_below(float y) const {
        const auto found = std::partition_point(chips.areas.begin(), chips.areas.end(),
                                                [&](const Rect& at) { return corner.y + at.bottom <= y; });
        return static_cast<int>(found - chips.areas.begin());
    }
};

std::shared_ptr<const TokenChips> lay_out(const ViewContext& context, const TokenChips::Key& key) {
    constexpr float kFieldWidth = 84; // of a word being typed
    auto chips = std::make_shared<TokenChips>();
    chips->key = key;
    chips->given = context.lab.document().tokens;
    ImVec2 corner{0, 0};
    const auto place = [&](float width) {
        if (corner.x > 0 && corner.x + width > key.width) corner = {0, corner.y + kChipPitch};
        chips->areas.push_back(Rect::at(corner, {width, kHeight}));
        corner.x += width + kChipsApart;
    };
    const int n = n_queries(context.lab.program());
    for (int i = 0; i < n; ++i) {
        chips->words.push_back(axis_label(context.lab.document(), Axis::queries, i));
        place(key.renamed == i ? kFieldWidth : chip_width(context.theme, chips->words.back(), key.width));
    }
    place(key.renamed == n ? kFieldWidth : 22);
    return chips;
}

bool holds_for(const TokenChips& chips, const ViewContext& context, const TokenChips::Key& key) {
    const bool has_same_tokens = static_cast<int>(chips.words.size()) == n_queries(context.lab.program()) &&
                                 chips.given == context.lab.document().tokens;
    return chips.key == key && has_same_tokens;
}

ChipLayout lay_out(const Column& column) {
    UiState& ui = column.context.ui;
    const TokenChips::Key key{column.right + 4 - column.left, ui.renamed_token};
    if (ui.token_chips == nullptr || !holds_for(*ui.token_chips, column.context, key))
        ui.token_chips = lay_out(column.context, key);
    return {*ui.token_chips, {column.left, column.y}};
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
    const int n = layout.n();
    const std::string word = ui.renamed_text;
    if (token == n && !word.empty()) context.commands.push_back({AddToken{n, word}});
    if (token < n && !word.empty() && word != layout.word(token)) {
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

ImVec2 center_of_cross(const Rect& chip) { return {chip.right - 1, chip.top}; }

// A small cross at the chip's corner while the pointer is on the chip. Before the chip, which then need not leave it room: a control
// that does takes no click of which the pointer comes with the button.
std::optional<Press> press_cross(const ChipLayout& layout, int token) {
    constexpr float kReach = 10;
    const Rect area = layout.area(token);
    const ImVec2 center = center_of_cross(area);
    const Rect corner = Rect{center.x, center.y, center.x, center.y}.grown(kReach);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto is_on_chip = [&] {
        const int end = std::min(layout.first_below(mouse.y + kChipPitch), layout.n() + 1);
        for (int chip = layout.first_below(mouse.y); chip < end; ++chip) {
            if (layout.area(chip).contains(mouse)) return true;
        }
        return false;
    };
    const bool is_near = area.contains(mouse) || (corner.contains(mouse) && !is_on_chip());
    if (!is_near || !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
        ImGui::IsMouseDragging(0))
        return std::nullopt;
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true); // keys have Delete
    const Press press = press_area("remove", corner);
    ImGui::PopItemFlag();
    return press;
}

// Over the chip.
void draw_cross(ViewContext& context, const Rect& chip, int token, const Press& press) {
    constexpr float kRadius = 7;
    const Palette& palette = context.theme.palette;
    const ImVec2 center = center_of_cross(chip);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    draw_list.AddCircleFilled(center, kRadius, palette.panel.u32());
    draw_list.AddCircleFilled(center, kRadius - 1, (press.hovered ? palette.accent : palette.line).u32());
    draw_icon(context.theme, draw_list, Icon::close, center, press.hovered ? palette.background : palette.text, 10);
    if (press.clicked) remove_token(context, token);
}

// Before which chip something let go at this point would land.
int place_at(const ChipLayout& layout, ImVec2 point) {
    int place = layout.first_below(point.y - kChipsApart);
    for (; place <= layout.n(); ++place) {
        const Rect area = layout.area(place);
        const bool is_before = point.y < area.top - kChipsApart / 2 ||
                               (point.y < area.bottom + kChipsApart / 2 && point.x < area.center().x);
        if (is_before) break;
    }
    return std::min(place, layout.n());
}

// The last control is the token's chip: dragged, it takes another place. Escape and undo leave it where it was.
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
    context.ui.drags_token = true;
    if (takes_back_press()) return ImGui::ClearActiveID();
    const Rect next = layout.area(place);
    const float x = next.left - kChipsApart / 2;
    ImGui::GetForegroundDrawList()->AddRectFilled({x - 1, next.top}, {x + 1, next.bottom},
                                                  context.theme.palette.accent.u32());
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

void draw_token(ViewContext& context, const ChipLayout& layout, int token) {
    const std::string& word = layout.word(token);
    const Rect area = layout.area(token);
    ImGui::PushID(token);
    if (context.ui.renamed_token == token) {
        draw_word_field(context, area, token, layout);
        return ImGui::PopID();
    }
    const std::optional<Press> cross = layout.n() > 1 ? press_cross(layout, token) : std::nullopt;
    if (cross) show_tip(context.theme, {.title = "Remove"});
    const Press press = chip(context.theme, {"chip", word, area, token == context.selection.query});
    const bool is_at_word = !cross || !cross->hovered;
    constexpr float kRounding = 0.5f; // in points
    const bool is_cut = chip_width(context.theme, word, 2 * area.width()) > area.width() + kRounding;
    if (is_at_word && is_cut) show_tip(context.theme, {.title = word});
    const bool keys_here = ImGui::IsItemFocused() && context.ui.keyboard_at == KeyboardPlace::left_panel;
    if (press.clicked) {
        choose_query(context, token);
        context.ui.approach = Approach::into_view;
    }
    context.ui.keys_on_tokens |= press.clicked;
    if (press.hovered && is_at_word && ImGui::IsMouseDoubleClicked(0)) begin_rename(context.ui, token, word);
    if (press.hovered && is_at_word && ImGui::IsMouseClicked(1)) open_menu("menu");
    if (keys_here && presses_delete(context)) remove_token(context, token);
    drag_token(context, layout, token);
    if (cross) draw_cross(context, area, token, *cross);
    draw_token_menu(context, area, token, word);
    ImGui::PopID();
}

void draw_add(ViewContext& context, const ChipLayout& layout) {
    const int n = layout.n();
    const Rect area = layout.area(n);
    if (context.ui.renamed_token == n) return draw_word_field(context, area, n, layout);
    if (chip(context.theme, {"add", "+", area, false}).clicked) begin_rename(context.ui, n, {});
    show_tip(context.theme, {.title = "Add a token"});
}

// Those that can be seen, with some lines around them for the keys that go from chip to chip; the chosen and the renamed one
// wherever they are.
std::vector<int> drawn_tokens(const ViewContext& context, const ChipLayout& layout) {
    constexpr float kAround = 4 * kChipPitch;
    std::vector<int> tokens;
    const ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const int first = layout.first_below(draw_list.GetClipRectMin().y - kAround);
    const int end = layout.first_below(draw_list.GetClipRectMax().y + kAround);
    const int renamed = context.ui.renamed_token.value_or(-1);
    for (int token = 0; token < layout.n(); ++token) {
        const bool is_held = token == renamed || token == context.selection.query;
        if (is_held || (token >= first && token < end)) tokens.push_back(token);
    }
    return tokens;
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
    if (text_button(context.theme, sentence))
        context.ui.open_sentence_dialog(joined(context.lab.document().tokens), false);
    column.y += kAboveChips;
    remove_chosen(context);
    const ChipLayout layout = lay_out(column);
    const std::shared_ptr<const TokenChips> kept = context.ui.token_chips; // whatever is chosen meanwhile
    for (int token : drawn_tokens(context, layout)) draw_token(context, layout, token);
    draw_add(context, layout);
    column.y = layout.area(layout.n()).bottom;
    ImGui::PopID();
}

} // namespace lab
