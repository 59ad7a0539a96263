#include "app/views/canvas_strip.h"

#include <string>

#include "app/session/heads.h"
#include "app/session/sections.h"
#include "app/views/gradient_choice.h"
#include "app/views/head_choice.h"
#include "app/views/head_grid.h"
#include "app/views/mask_painting.h"
#include "app/widgets/controls.h"
#include "app/widgets/menu.h"

namespace lab {

namespace {

constexpr float kHeight = 40, kControl = 24, kPadding = 16, kBetween = 24;
constexpr float kArrow = 24; // a chevron and its reach
constexpr float kChipGap = 4;

bool has_section_choice(const ViewContext& context) { return n_sections(context.lab.program()) > 1; }

Rect beside(float left, float width, float middle) {
    return {left, middle - kControl / 2, left + width, middle + kControl / 2};
}

// A chevron that goes on or back.
IconButton chevron(const char* id, Icon icon, ImVec2 center, const Tip& tip) {
    return {.id = id, .icon = icon, .center = center, .tip = tip, .icon_size = 14, .reach = kArrow / 2};
}

std::string head_text(int head) { return std::to_string(head + 1); }

float chips_width(const ViewContext& context, int n) {
    float width = -kChipGap;
    for (int head = 0; head < n; ++head) width += chip_width(context.theme, head_text(head), kControl * 2) + kChipGap;
    return width;
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
void draw_head_list(ViewContext& context, float x, float middle, int n) {
    constexpr float kWidth = 104;
    const Theme& theme = context.theme;
    if (icon_button(theme, chevron("head before", Icon::chevron_left, {x + kArrow / 2, middle},
                                   {"Head before", {}, "Shift+H"})))
        choose_head_by(context, -1);
    const Rect area = beside(x + kArrow, kWidth, middle);
    const std::string shown = head_text(context.selection.head) + " of " + std::to_string(n);
    if (begin_select(theme, {.id = "heads", .area = area, .shown = shown, .menu_width = kWidth})) {
        for (int head = 0; head < n; ++head) {
            const std::string title = "Head " + head_text(head);
            if (menu_entry(theme, {.title = title, .is_chosen = head == context.selection.head}))
                choose_head(context, head);
        }
        end_select();
    }
    if (icon_button(theme, chevron("next head", Icon::chevron_right, {area.right + kArrow / 2, middle},
                                   {"Next head", {}, "H"})))
        choose_head_by(context, 1);
}

// What the grid shows and whether it is open, from the right end; returns where it begins.
float draw_grid_choice(ViewContext& context, float right, float middle) {
    constexpr const char* kText = "All heads";
    constexpr float kTensor = 156;
    const Theme& theme = context.theme;
    const float width = chip_width(theme, kText, 200);
    const Rect area = beside(right - width, width, middle);
    const Press press = chip(theme, {"all heads", kText, area, context.ui.head_grid.is_open});
    show_tip(theme, {.title = "All heads side by side", .keys = "G"});
    if (press.clicked) toggle_head_grid(context);
    if (!context.ui.head_grid.is_open) return area.left;
    const Rect tensor = beside(area.left - 8 - kTensor, kTensor, middle);
    draw_grid_tensor_choice(context, tensor);
    return tensor.left;
}

void draw_heads(ViewContext& context, float left, float right, float middle) {
    constexpr const char* kLabel = "HEAD";
    const Theme& theme = context.theme;
    const int n = n_heads(context.lab.program());
    const float end = draw_grid_choice(context, right, middle) - kBetween;
    section_label(theme, {left, centered_baseline(middle, type_size::kCaption)}, kLabel);
    left += text_width(semibold_text(theme, type_size::kCaption, {}), kLabel) + 10;
    if (left + chips_width(context, n) <= end)
        draw_head_chips(context, left, middle, n);
    else
        draw_head_list(context, left - 6, middle, n);
}

// Returns where the chip ends.
float draw_mask_chip(ViewContext& context, float left, float middle) {
    constexpr const char* kText = "Paint mask";
    const Rect area = beside(left, chip_width(context.theme, kText, 200), middle);
    const Press press = chip(context.theme, {"paint mask", kText, area, context.ui.paints_mask});
    show_tip(context.theme, {.title = "Forbid keys by pressing their scores or weights", .keys = "M"});
    if (press.clicked) toggle_mask_painting(context);
    return area.right;
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

float canvas_strip_height(const ViewContext& context) {
    const bool has_choice = has_section_choice(context) || has_head_choice(context) || has_gradient_choice(context) ||
                            has_mask_painting(context);
    return has_choice ? kHeight : 0;
}

void draw_canvas_strip(ViewContext& context, const Rect& area) {
    constexpr float kSections = 228, kOfArea = 0.4f;
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::PushStyleColor(ImGuiCol_WindowBg, context.theme.palette.background.u32());
    constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                        ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin("##canvas strip", nullptr, kFixed);
    divider(context.theme, {area.left, area.bottom - 1}, area.width());
    const float middle = area.top + (area.height() - 1) / 2;
    float left = area.left + kPadding;
    if (has_section_choice(context)) {
        const Rect place = beside(left - 8, std::min(kSections, kOfArea * area.width()), middle);
        draw_section_choice(context, place);
        left = place.right + kBetween - 8;
    }
    if (has_gradient_choice(context)) {
        const Rect place = beside(left, gradient_choice_width(context), middle);
        draw_gradient_choice(context, place);
        left = place.right + kBetween;
    }
    if (has_mask_painting(context)) left = draw_mask_chip(context, left, middle) + kBetween;
    if (has_head_choice(context)) draw_heads(context, left, area.right - kPadding, middle);
    ImGui::End();
    ImGui::PopStyleColor();
}

} // namespace lab
