#include "app/views/canvas_strip.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/session/heads.h"
#include "app/session/sections.h"
#include "app/views/canvas_strip_parts.h"
#include "app/views/gradient_choice.h"
#include "app/views/head_choice.h"
#include "app/views/head_grid.h"
#include "app/views/mask_painting.h"
#include "app/widgets/controls.h"
#include "app/widgets/menu.h"
#include "app/widgets/window_flags.h"

namespace lab {

namespace {

using namespace strip_metrics;

Rect beside(float left, float width, float middle) {
    return {left, middle - kControl / 2, left + width, middle + kControl / 2};
}

// A chevron that goes on or back.
IconButton chevron(const char* id, Icon icon, ImVec2 center, const Tip& tip) {
    return {.id = id, .icon = icon, .center = center, .tip = tip, .icon_size = 14, .reach = kArrow / 2};
}

void draw_head_chips(ViewContext& context, float x, float middle, int n) {
    for (int head = 0; head < n; ++head) {
        const std::string text = head_text(head), id = "head" + text, tip = "Head " + text;
        const Rect area = beside(x, chip_width(context.theme, text, kControl * 2), middle);
        const Press press = chip(context.theme, {id.c_str(), text, area, head == context.selection.head});
        show_tip(context.theme, {.title = tip, .keys = "H"});
        if (press.clicked) choose_head(context, head);
        x = area.right + kChipGap;
    }
}

// Where there is no room for all of them: the chosen one, in a list of all.
void draw_head_list(ViewContext& context, const Rect& area, int n) {
    constexpr float kMenu = 104;
    const Theme& theme = context.theme;
    const float middle = area.center().y;
    if (icon_button(theme, chevron("head before", Icon::chevron_left, {area.left + kArrow / 2, middle},
                                   {"Head before", {}, "Shift+H"})))
        choose_head_by(context, -1);
    const Rect list{area.left + kArrow, area.top, area.right - kArrow, area.bottom};
    const std::string shown = head_text(context.selection.head) + " of " + std::to_string(n);
    if (begin_select(theme, {.id = "heads", .area = list, .shown = shown, .menu_width = kMenu})) {
        for (int head = 0; head < n; ++head) {
            const std::string title = "Head " + head_text(head);
            if (menu_entry(theme, {.title = title, .is_chosen = head == context.selection.head}))
                choose_head(context, head);
        }
        end_select();
    }
    if (icon_button(theme, chevron("next head", Icon::chevron_right, {list.right + kArrow / 2, middle},
                                   {"Next head", {}, "H"})))
        choose_head_by(context, 1);
}

// What the grid shows, and whether it is open.
void draw_grid_choice(ViewContext& context, const Rect& area) {
    const Theme& theme = context.theme;
    const float width = chip_width(theme, kAllHeads, 200);
    const bool is_open = context.ui.head_grid.is_open; // as it was when the strip was measured
    const Press press =
        chip(theme, {"all heads", kAllHeads, {area.right - width, area.top, area.right, area.bottom}, is_open});
    show_tip(theme, {.title = "All heads side by side", .keys = "G"});
    if (press.clicked) toggle_head_grid(context);
    if (is_open) draw_grid_tensor_choice(context, {area.left, area.top, area.right - width - kTensorGap, area.bottom});
}

void draw_heads(ViewContext& context, const Rect& area) {
    const Theme& theme = context.theme;
    const int n = n_heads(context.lab.program());
    const float middle = area.center().y, left = area.left + head_label_width(context);
    section_label(theme, {area.left, centered_baseline(middle, type_size::kCaption)}, kHeadLabel);
    constexpr float kRounding = 0.5f;
    if (left + head_chips_width(context) <= area.right + kRounding)
        draw_head_chips(context, left, middle, n);
    else
        draw_head_list(context, {left, area.top, area.right, area.bottom}, n);
}

void draw_mask_chip(ViewContext& context, const Rect& area) {
    const Press press = chip(context.theme, {"paint mask", kPaintMask, area, context.ui.paints_mask});
    show_tip(context.theme, {.title = "Forbid keys by pressing their scores or weights", .keys = "M"});
    if (press.clicked) toggle_mask_painting(context);
}

void draw_part(ViewContext& context, const StripPart& part) {
    switch (part.item) {
    case StripItem::sections: return draw_section_choice(context, part.area);
    case StripItem::gradient: return draw_gradient_choice(context, part.area);
    case StripItem::mask: return draw_mask_chip(context, part.area);
    case StripItem::heads: return draw_heads(context, part.area);
    case StripItem::grid: return draw_grid_choice(context, part.area);
    }
}

} // namespace

void draw_section_choice(ViewContext& context, const Rect& area) {
    const Theme& theme = context.theme;
    const Program& program = context.lab.program();
    const int shown = context.selection.section, last = n_sections(program) - 1;
    const float middle = area.center().y, arrow = std::max(kArrow, area.height()); // for fingers larger
    IconButton before =
        chevron("section before", Icon::chevron_left, {area.left + arrow / 2, middle}, {"Section before", {}, "PgUp"});
    before.is_enabled = shown > 0;
    before.reach = arrow / 2;
    if (icon_button(theme, before)) choose_section_by(context, -1);
    const Rect list{area.left + arrow, area.top, area.right - arrow, area.bottom};
    const std::string title = section_title(program, shown);
    if (begin_select(theme, {.id = "sections", .area = list, .shown = title})) {
        for (int section = 0; section <= last; ++section) {
            const std::string entry = section_title(program, section);
            if (menu_entry(theme, {.title = entry, .is_chosen = section == shown})) choose_section(context, section);
        }
        end_select();
    }
    IconButton next =
        chevron("next section", Icon::chevron_right, {area.right - arrow / 2, middle}, {"Next section", {}, "PgDn"});
    next.is_enabled = shown < last;
    next.reach = arrow / 2;
    if (icon_button(theme, next)) choose_section_by(context, 1);
}

float canvas_strip_height(const ViewContext& context, float width) {
    const std::vector<StripPart> parts = strip_parts(context, {0, 0}, width);
    return parts.empty() ? 0 : kLine * (1 + std::floor(parts.back().area.top / kLine));
}

void draw_canvas_strip(ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, context.theme.palette.background.u32());
    ImGui::Begin("##canvas strip", nullptr, kSideBySide | ImGuiWindowFlags_NoScrollWithMouse);
    divider(context.theme, {area.left, area.bottom - 1}, area.width());
    for (const StripPart& part : strip_parts(context, area.min(), area.width())) draw_part(context, part);
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace lab
