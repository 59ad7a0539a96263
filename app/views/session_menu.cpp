#include "app/views/session_menu.h"

#include <algorithm>
#include <string>

#include "app/session/title.h"
#include "app/views/shortcuts.h"
#include "app/widgets/fields.h"
#include "app/widgets/menu.h"
#include "engine/formats/presets.h"

namespace lab {

namespace {

std::string_view shown_title(const Lab& lab) { return lab.title().empty() ? std::string_view(kUntitled) : lab.title(); }

// The open session, where it is none of the presets.
void draw_open_session(ViewContext& context) {
    const Lab& lab = context.lab;
    const auto& all = presets();
    const bool is_preset =
        std::any_of(all.begin(), all.end(), [&](const PresetInfo& preset) { return preset.name == lab.preset_name(); });
    if (is_preset) return;
    ImGui::PushID("open session");
    menu_entry(context.theme, {.title = shown_title(lab), .is_chosen = true});
    ImGui::PopID();
    menu_divider(context.theme);
}

void draw_new_and_rename(ViewContext& context) {
    UiState& ui = context.ui;
    const Theme& theme = context.theme;
    const bool has_keyboard = !context.platform.has_coarse_pointer();
    const std::string new_keys = has_keyboard ? keys_of(Action::new_document) : std::string();
    if (menu_entry(theme, {.title = "New: a sentence of your own, drawn from a seed", .keys = new_keys})) {
        context.actions.push_back(Action::new_document);
    }
    if (menu_entry(theme, {.title = "Rename"})) {
        ui.renamed_title = context.lab.title();
        ui.takes_focus = ui.wants_frame = true;
    }
}

// Group by group; the worked examples, which come first, are what the list is known for and go without a heading.
void draw_presets(ViewContext& context) {
    const Lab& lab = context.lab;
    const Theme& theme = context.theme;
    ImGui::PushID("presets");
    std::string_view group;
    for (const PresetInfo& preset : presets()) {
        if (group.empty())
            menu_divider(theme);
        else if (group != preset.group)
            menu_heading(theme, preset.group);
        group = preset.group;
        const bool is_open = preset.name == lab.preset_name();
        const bool is_edited = is_open && lab.badge() == Badge::differs;
        const std::string_view sentence = is_edited ? "Edited; choose it to start again from the worked example." : "";
        if (menu_entry(theme, {.title = preset.title, .sentence = sentence, .is_chosen = is_open})) {
            context.ui.preset_to_open = preset.name;
        }
    }
    ImGui::PopID();
}

void draw_title_field(ViewContext& context, const Rect& area) {
    UiState& ui = context.ui;
    const bool takes_focus = std::exchange(ui.takes_focus, false);
    ui.wants_frame |= takes_focus;
    std::string& title = *ui.renamed_title;
    const TextEntry entry =
        text_field(context.theme, {.id = "##title", .area = area, .hint = "Title", .takes_focus = takes_focus}, title);
    if (!entry.left) return;
    if (!title.empty() && title != context.lab.title()) context.commands.push_back({SetTitle{title}});
    ui.renamed_title.reset();
}

} // namespace

void draw_session_menu(ViewContext& context, const Rect& area) {
    const Theme& theme = context.theme;
    if (context.ui.renamed_title) return draw_title_field(context, area);
    const Select control{.id = "session",
                         .area = area,
                         .shown = shown_title(context.lab),
                         .text_size = type_size::kText,
                         .menu_width = std::max(area.width(), 450.0f)};
    if (!begin_select(theme, control)) return;
    // What acts on the session goes first, so that it is seen without scrolling.
    draw_open_session(context);
    draw_new_and_rename(context);
    draw_presets(context);
    end_select();
}

namespace {

struct BarIconLook {
    const char* id;
    Icon icon;
    Action action;
    std::string title;
    bool is_enabled = true;
};

BarIconLook look_of(const ViewContext& context, BarIcon which) {
    const Lab& lab = context.lab;
    const auto with = [](const char* verb, const std::string& label) {
        return label.empty() ? verb : verb + (": " + label);
    };
    switch (which) {
    case BarIcon::undo: return {"undo", Icon::undo, Action::undo, with("Undo", lab.undo_label()), lab.can_undo()};
    case BarIcon::redo: return {"redo", Icon::redo, Action::redo, with("Redo", lab.redo_label()), lab.can_redo()};
    case BarIcon::open: return {"open", Icon::open, Action::open, "Open a session"};
    case BarIcon::save: return {"save", Icon::save, Action::save, "Save this session"};
    case BarIcon::theme:
        return {"theme", context.ui.is_dark ? Icon::sun : Icon::moon, Action::toggle_theme,
                context.ui.is_dark ? "Light theme" : "Dark theme"};
    case BarIcon::help: break;
    }
    return {"help", Icon::help, Action::show_help, "What is this, and which keys there are"};
}

} // namespace

namespace {

// What the badge says, the longest first: as much is shown as there is room for.
struct BadgeText {
    std::string_view parts[2];
    bool is_checked = false;
};

BadgeText badge_text(Badge badge) {
    switch (badge) {
    case Badge::matches: return {{"matches the worked example to 4 digits", "matches"}, true};
    case Badge::differs: return {{"differs from the worked example", "differs"}, false};
    case Badge::none: break;
    }
    return {};
}

} // namespace

void draw_badge(ViewContext& context, ImVec2 baseline, float room) {
    constexpr float kMark = 16; // the check and its gap
    const Palette& palette = context.theme.palette;
    const BadgeText badge = badge_text(context.lab.badge());
    const TextStyle style = plain_text(context.theme, 12, palette.dim);
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const float left = baseline.x + (badge.is_checked ? kMark : 0);
    for (std::string_view text : badge.parts) {
        const float width = text_width(style, text);
        if (text.empty() || left + width > baseline.x + room) continue;
        if (badge.is_checked)
            draw_icon(context.theme, draw_list, Icon::check, {baseline.x + 5, baseline.y - 4}, palette.sequence_high,
                      12);
        draw_text(draw_list, style, {left, baseline.y}, text);
        ImGui::SetCursorScreenPos({baseline.x, baseline.y - 14});
        ImGui::Dummy({left + width - baseline.x, 20});
        show_tip(context.theme,
                 {.title = badge.parts[0], .sentence = "Every number is compared with the worked example's own."});
        return;
    }
}

void draw_bar_icon(ViewContext& context, BarIcon which, ImVec2 center) {
    const BarIconLook look = look_of(context, which);
    const std::string keys = keys_of(look.action);
    const bool clicked = icon_button(context.theme, {.id = look.id,
                                                     .icon = look.icon,
                                                     .center = center,
                                                     .tip = {.title = look.title, .keys = keys},
                                                     .is_enabled = look.is_enabled});
    // In a browser the platform opens the dialog itself, within the click.
    const bool is_platforms = which == BarIcon::open && context.platform.has_file_dialog();
    if (clicked && !is_platforms) context.actions.push_back(look.action);
    if (which != BarIcon::open) return;
    const Rect area = context.ui.has_dialog() ? Rect{} : Rect{center.x, center.y, center.x, center.y}.grown(16);
    context.platform.set_file_dialog_area({area.left, area.top, area.right, area.bottom});
}

} // namespace lab
