#include <algorithm>
#include <span>
#include <string>

#include "app/views/dialogs.h"
#include "app/views/shortcuts.h"
#include "app/widgets/dialog.h"
#include "app/widgets/rounded.h"

namespace lab {

namespace {

constexpr const char* kWhatThisIs =
    "Attention Lab shows self-attention as the matrices that it consists of, from the embeddings to the context "
    "vectors. Change any given number and watch what follows; ";
constexpr const char* kPoint = "point at any number and see the sum that made it.";
constexpr const char* kTap = "tap any number and see the sum that made it.";

constexpr float kWidest = 1160;
constexpr float kBetweenHelpColumns = 32; // columns
constexpr float kKeyPitch = 24;
constexpr float kBelowLabel = 24; // of a column, where its entries begin

// Each returns where it ends.
float draw_keys(const Theme& theme, const Rect& column, std::span<const Shortcut> keys) {
    constexpr float kKeyColumn = 104;
    const Palette& palette = theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    float y = column.top + kBelowLabel;
    const TextStyle key = number_text(theme, type_size::kCell, palette.text);
    const TextStyle does = plain_text(theme, type_size::kList, palette.dim);
    for (const Shortcut& shortcut : keys) {
        const float width = text_width(key, shortcut.keys) + 12;
        fill_rounded(draw_list, {column.left, y, column.left + width, y + 19}, palette.raised.u32(), 4);
        draw_text(draw_list, key, {column.left + 6, y + 13.5f}, shortcut.keys);
        draw_text_within(draw_list, does, {column.left + kKeyColumn, y + 14}, shortcut.does,
                         column.width() - kKeyColumn);
        y += kKeyPitch;
    }
    return y;
}

float draw_gestures(const Theme& theme, const Rect& column, bool with_fingers) {
    const Palette& palette = theme.palette;
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    section_label(theme, {column.left, column.top + 11}, with_fingers ? "FINGERS" : "MOUSE AND TOUCH");
    float y = column.top + kBelowLabel;
    for (const Gesture& gesture : gestures(with_fingers)) {
        draw_text(draw_list, plain_text(theme, type_size::kList, palette.text), {column.left, y + 14}, gesture.gesture);
        y += 18;
        y += draw_paragraph(draw_list, plain_text(theme, 12, palette.dim), {column.left, y}, gesture.does,
                            column.width()) +
             7;
    }
    return y;
}

// The keys in so many columns side by side.
float draw_columns_of_keys(const Theme& theme, const Rect& area, std::size_t n_columns) {
    section_label(theme, {area.left, area.top + 11}, "KEYS");
    const std::span<const Shortcut> all(shortcuts());
    const std::size_t n_each = (all.size() + n_columns - 1) / n_columns;
    const float width = (area.width() + kBetweenHelpColumns) / static_cast<float>(n_columns);
    float end = area.top;
    for (std::size_t i = 0; i < n_columns; ++i) {
        const float left = area.left + width * static_cast<float>(i);
        const std::size_t first = std::min(i * n_each, all.size());
        const auto keys = all.subspan(first, std::min(n_each, all.size() - first));
        end = std::max(end, draw_keys(theme, {left, area.top, left + width - kBetweenHelpColumns, area.top}, keys));
    }
    return end;
}

// Where all keys below one another are too tall for the window, and it is wide enough for two columns of them.
bool has_two_columns_of_keys() {
    constexpr float kOthers = 180; // above and below the keys, and around the dialog
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    return screen.y < kOthers + kKeyPitch * static_cast<float>(shortcuts().size()) && screen.x >= kWidest + 24;
}

} // namespace

void draw_help(ViewContext& context) {
    constexpr float kTwoColumns = 560;
    const Theme& theme = context.theme;
    const bool is_wide = has_two_columns_of_keys();
    Rect content;
    if (!begin_dialog(theme, {"help dialog", "Attention Lab", is_wide ? kWidest : 760}, context.ui.help_open, content))
        return;
    const TextStyle text = plain_text(theme, type_size::kText, theme.palette.text);
    const bool has_room = content.width() >= kTwoColumns;
    const bool with_fingers = !has_room || context.platform.has_coarse_pointer();
    const std::string what = std::string(kWhatThisIs) + (with_fingers ? kTap : kPoint);
    const float top = content.top - 8;
    const float y =
        top + draw_paragraph(*ImGui::GetWindowDrawList(), text, {content.left, top}, what, content.width()) + 18;
    const float middle = content.left + (content.width() - kBetweenHelpColumns) * (is_wide ? 0.74f : 0.55f);
    if (has_room) {
        const float keys_end = draw_columns_of_keys(theme, {content.left, y, middle, y}, is_wide ? 2 : 1);
        const float gestures_end =
            draw_gestures(theme, {middle + kBetweenHelpColumns, y, content.right, y}, with_fingers);
        return end_dialog(std::max(keys_end, gestures_end) - 8);
    }
    const float gestures_end = draw_gestures(theme, {content.left, y, content.right, y}, with_fingers);
    end_dialog(draw_columns_of_keys(theme, {content.left, gestures_end + 16, content.right, y}, 1) - 8);
}

} // namespace lab
