#include <algorithm>
#include <iterator>

#include "app/views/session_menu.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"
#include "app/widgets/window_flags.h"

namespace lab {

namespace {

constexpr BarIcon kIcons[] = {BarIcon::undo, BarIcon::redo,  BarIcon::open,
                              BarIcon::save, BarIcon::theme, BarIcon::help};

// Returns where the icons begin.
float draw_icons(ViewContext& context, const Rect& area) {
    const bool is_narrow = area.width() < 900;
    const float pitch = is_narrow ? 36.0f : 44.0f;
    const float last = area.right - (is_narrow ? 30.0f : 51.0f);
    float x = last - static_cast<float>(std::size(kIcons) - 1) * pitch;
    const float left = x - 16;
    for (BarIcon icon : kIcons) {
        draw_bar_icon(context, icon, {x, area.top + 24});
        x += pitch;
    }
    return left;
}

void draw_content(ViewContext& context, const Rect& area) {
    constexpr float kLeastSession = 318, kAroundTitle = 44, kBadge = 86; // of a badge in one word
    const Palette& palette = context.theme.palette;
    const TextStyle name{context.theme.fonts.text_bold, type_size::kName, palette.text, Align::left};
    const float name_left = area.left + spacing::kPanel;
    draw_text(*ImGui::GetWindowDrawList(), name, {name_left, area.top + 30}, "Attention Lab");
    const float icons_left = draw_icons(context, area);
    const float session_left = std::max(area.left + 150, name_left + text_width(name, "Attention Lab") + 16);
    const float room = icons_left - session_left - 8;
    const float title_width =
        text_width(plain_text(context.theme, type_size::kText, palette.text), context.lab.title()) + kAroundTitle;
    const float wanted = std::clamp(title_width, kLeastSession, std::max(kLeastSession, room - kBadge));
    const float session_width = std::min(wanted, room);
    const Rect session = Rect::at({session_left, area.top + 10}, {session_width, 28});
    draw_session_menu(context, session);
    const float badge_left = session.right + 18;
    draw_badge(context, {badge_left, area.top + 29}, icons_left - badge_left - 12);
}

} // namespace

void draw_top_bar(ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::Begin("##top bar", nullptr, kSideBySide);
    divider(context.theme, {area.left, area.bottom - 1}, area.width());
    draw_content(context, area);
    ImGui::End();
}

} // namespace lab
