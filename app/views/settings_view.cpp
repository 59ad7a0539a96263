#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <imgui_internal.h>

#include "app/session/decoding.h"
#include "app/session/setting_groups.h"
#include "app/session/sizes.h"
#include "app/views/held_setting.h"
#include "app/views/left_panel.h"
#include "app/views/mask_painting.h"
#include "app/widgets/fields.h"
#include "app/widgets/menu.h"
#include "app/widgets/rounded.h"

namespace lab {

namespace {

// Whether the setting's number was being dragged or typed in the frame before.
constexpr const char* kWasEdited = "was edited";
bool was_edited() { return ImGui::GetStateStorage()->GetBool(ImGui::GetID(kWasEdited)); }

void set_number(Column& column, const SettingNumber& number, double value, std::uint64_t gesture) {
    if (value == number.value) return;
    const Command edit = number.edit ? number.edit(value) : SetAttention{number.with(value)};
    column.context.commands.push_back({edit, gesture});
}

// A number of the chosen option, its title beside it.
void draw_number(Column& column, const SettingNumber& number) {
    constexpr float kFieldWidth = 82;
    const Theme& theme = column.context.theme;
    UiState& ui = column.context.ui;
    const Rect area = Rect::at({column.left, column.y}, {kFieldWidth, 22});
    const NumberField field{
        .id = "number",
        .area = area,
        .value = number.value,
        .least = number.least,
        .greatest = number.greatest,
        .is_whole = number.is_whole,
        .tip = {.title = number.title, .sentence = number.is_stepped ? "" : "Drag it, or click and type."},
        .name = number.title,
        .complaint = &ui.error};
    const TextStyle style = plain_text(theme, type_size::kCell, theme.palette.dim);
    const float left = area.right + 8;
    const bool fits = text_width(style, number.title) <= column.right - left;
    draw_paragraph(column.draw_list, style, {left, column.y + (fits ? 3.0f : -5.0f)}, number.title,
                   column.right - left);
    column.y += 30;
    if (number.is_stepped) {
        if (const std::optional<double> value = stepper(theme, field)) set_number(column, number, *value, 0);
        return;
    }
    const std::optional<NumberEdit> edit = number_field(theme, field);
    ImGui::GetStateStorage()->SetBool(ImGui::GetID(kWasEdited), ImGui::IsAnyItemActive());
    if (!edit) return;
    if (edit->begins) ui.new_gesture();
    set_number(column, number, edit->value, edit->is_gesture ? ui.last_gesture : 0);
}

// Edits of one click are one step of undo.
void choose(Column& column, const SettingChoice& choice) {
    UiState& ui = column.context.ui;
    if (choice.edits.empty()) {
        column.context.commands.push_back({SetAttention{choice.attention}});
        return;
    }
    const std::uint64_t gesture = choice.edits.size() > 1 ? ui.new_gesture() : 0;
    for (const Command& edit : choice.edits) column.context.commands.push_back({edit, gesture});
}

void draw_choices(Column& column, const Setting& setting) {
    const Theme& theme = column.context.theme;
    std::vector<MenuEntry> entries;
    for (const SettingChoice& choice : setting.choices) {
        entries.push_back({.title = choice.title,
                           .sentence = choice.sentence,
                           .is_chosen = entries.size() == static_cast<std::size_t>(setting.chosen)});
    }
    const MenuEntry& chosen = entries[static_cast<std::size_t>(setting.chosen)];
    const Rect area{column.left, column.y + 15, column.right, column.y + 37};
    const Tip tip{.title = chosen.title, .sentence = chosen.sentence};
    const std::optional<int> choice =
        select(theme, {.id = "choice", .area = area, .shown = chosen.title, .tip = tip, .menu_width = 290}, entries);
    if (choice && *choice != setting.chosen) choose(column, setting.choices[static_cast<std::size_t>(*choice)]);
}

// A word to be computed next with what is kept of those before it. The keyboard stays, so that a sentence can be typed word by
// word; `top`: where its setting begins.
void draw_next_word(Column& column, float top) {
    ViewContext& context = column.context;
    UiState& ui = context.ui;
    const bool takes_focus = std::exchange(ui.takes_focus, false);
    ui.wants_frame |= takes_focus;
    const Rect area{column.left, column.y, column.right, column.y + 22};
    const TextEntry entry = text_field(
        context.theme, {.id = "##next", .area = area, .hint = "next word, then Enter", .takes_focus = takes_focus},
        ui.next_word);
    column.y += 28;
    if (!entry.entered || ui.next_word.empty()) return;
    hold_setting(context, top);
    ui.takes_focus = ui.wants_frame = true;
    const Result<DecodeStep> step = decode_step(context.lab.document(), context.lab.trace(), ui.next_word);
    if (step)
        context.commands.push_back({*step});
    else
        ui.error = step.error();
    ui.next_word.clear();
}

void draw_setting(Column& column, const Setting& setting) {
    const Theme& theme = column.context.theme;
    const float top = column.y;
    ImGui::PushID(setting.title.c_str());
    const TextStyle style = plain_text(theme, type_size::kCell, theme.palette.dim);
    draw_text(column.draw_list, style, {column.left, column.y + 10}, setting.title);
    if (!setting.choices.empty()) draw_choices(column, setting);
    column.y += setting.choices.empty() ? 16 : 44;
    if (setting.number && (!setting.number->is_passing || was_edited())) draw_number(column, *setting.number);
    for (std::size_t i = 0; i < setting.more_numbers.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        draw_number(column, setting.more_numbers[i]);
        ImGui::PopID();
    }
    constexpr float kLine = 15;
    if (setting.takes_word) draw_next_word(column, top);
    if (!setting.text.empty()) {
        draw_wrapped(column, style, setting.text, kLine);
        column.y += 6;
    }
    keep_place_of_setting(column, top);
    ImGui::PopID();
}

// Painting is a way of the mouse, not of the document, so that it is no setting among the others.
void draw_mask_painting(Column& column) {
    ViewContext& context = column.context;
    const TextButton paint{.id = "paint mask",
                           .text = context.ui.paints_mask ? "Stop painting the mask" : "Paint the mask on the scores",
                           .baseline = {column.left, column.y + 14},
                           .tip = {.title = "A press on a score forbids its key, or allows it again", .keys = "M"}};
    if (text_button(context.theme, paint)) toggle_mask_painting(context);
    column.y += 28;
}

// One line that opens what stands behind it, and says at its right end how that stands.
bool draw_fold_line(Column& column, const std::string& title, const std::string& state, bool is_open) {
    const Theme& theme = column.context.theme;
    const Palette& palette = column.palette();
    const float middle = column.y + kMoreSettingsLine / 2;
    const Rect area{column.left - 12, column.y, column.right + 8, column.y + kMoreSettingsLine};
    const Press press = press_area("fold", area);
    if (press.hovered) fill_rounded(column.draw_list, area, palette.raised.u32(), 6);
    draw_icon(theme, column.draw_list, is_open ? Icon::chevron_down : Icon::chevron_right, {column.left + 3, middle},
              press.hovered ? palette.text : palette.dim, 10);
    const TextStyle style = plain_text(theme, type_size::kControl, press.hovered ? palette.text : palette.dim);
    const float baseline = centered_baseline(middle, type_size::kControl);
    const float left = column.left + 14;
    draw_text(column.draw_list, style, {left, baseline}, title);
    const TextStyle faint = plain_text(theme, type_size::kCell, palette.faint);
    const float room = column.right - left - text_width(style, title) - 10;
    const float width = std::min(room, text_width(faint, state));
    if (room > 0) draw_text_within(column.draw_list, faint, {column.right - width, baseline}, state, width + 1);
    column.y += kMoreSettingsLine;
    return press.clicked;
}

// What has just come open below the panel's end is scrolled into sight, its first line at least.
void bring_into_sight(Column& column, float top) {
    bool& came_open = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("came open"));
    if (!std::exchange(came_open, false)) return;
    const ImGuiWindow& window = *ImGui::GetCurrentWindow();
    const float room = window.InnerRect.GetHeight();
    const float hidden = std::min(column.y + kMoreSettingsLine - window.InnerRect.Max.y, top - window.InnerRect.Min.y);
    if (hidden > 0 && room > 0) ImGui::SetScrollY(ImGui::GetScrollY() + hidden);
    column.context.ui.wants_frame = true;
}

void draw_group(Column& column, const SettingGroup& group) {
    std::set<std::string>& open = column.context.ui.open_groups;
    const bool is_open = open.count(group.title) > 0;
    const float top = column.y;
    ImGui::PushID(group.title.c_str());
    if (draw_fold_line(column, group.title, group.state, is_open)) {
        if (is_open)
            open.erase(group.title);
        else
            open.insert(group.title);
        ImGui::GetStateStorage()->SetBool(ImGui::GetID("came open"), !is_open);
        column.context.ui.wants_frame = true;
    }
    if (is_open) {
        column.y += 6;
        for (const Setting& setting : group.settings) draw_setting(column, setting);
        if (group.title == "Masks") draw_mask_painting(column);
        column.y += 4;
        bring_into_sight(column, top);
    }
    ImGui::PopID();
}

// The tensor that the dialog begins with: a matrix that is learned, where there is one.
std::string first_to_fill(const Program& program) {
    const auto leaf_with = [&](auto fits) {
        const auto found = std::find_if(program.nodes.begin(), program.nodes.end(),
                                        [&](const Node& node) { return node.is_leaf() && fits(node); });
        return found == program.nodes.end() ? std::string() : found->name;
    };
    const std::string learned =
        leaf_with([](const Node& node) { return node.presentation.role == Role::weight_matrix; });
    return learned.empty() ? leaf_with([](const Node&) { return true; }) : learned;
}

void draw_width(Column& column, const Rect& area, Width which, int width) {
    const Theme& theme = column.context.theme;
    draw_text(column.draw_list, plain_text(theme, type_size::kCaption, theme.palette.dim),
              {area.left + 1, area.top - 5}, width_name(which));
    const NumberField field{.id = width_name(which),
                            .area = area,
                            .value = static_cast<double>(width),
                            .least = 1,
                            .greatest = kMostWidth,
                            .tip = {.title = "Width: what does not fit any more is cut off"},
                            .name = width_name(which),
                            .complaint = &column.context.ui.error};
    if (const auto n = stepper(theme, field))
        column.context.commands.push_back({ResizeWidth{which, static_cast<int>(*n)}});
}

// A width that the document has.
struct WidthField {
    Width which;
    int n;
    float least; // of the field: its digits, or its name above it
};
constexpr float kBetweenWidths = 4.5f;

std::vector<WidthField> width_fields(const Column& column) {
    constexpr float kBetweenNames = 2;
    const Theme& theme = column.context.theme;
    std::vector<WidthField> fields;
    for (const Width which : {Width::d_in, Width::d_k, Width::d_v, Width::d_model, Width::d_ff}) {
        const std::optional<int> n = width_of(column.context.lab.document(), which);
        if (!n) continue;
        const float name = text_width(plain_text(theme, type_size::kCaption, {}), width_name(which)) + kBetweenNames;
        fields.push_back({which, *n, std::max(name, stepper_width(theme, *n))});
    }
    return fields;
}

// How wide those are, from one on, that stand beside each other: as usual or, where that is too much, each by as much more than it
// needs.
std::vector<float> widths_in_line(const std::vector<WidthField>& fields, std::size_t first, float room) {
    constexpr float kUsual = 50;
    std::vector<float> widths;
    float all_least = -kBetweenWidths, all_usual = -kBetweenWidths;
    for (std::size_t i = first; i < fields.size(); ++i) {
        const float more = fields[i].least + kBetweenWidths;
        if (!widths.empty() && all_least + more > room) break;
        widths.push_back(std::max(kUsual, fields[i].least));
        all_least += more;
        all_usual += widths.back() + kBetweenWidths;
    }
    if (all_usual <= room) return widths;
    const float spare = std::max(0.0f, room - all_least) / static_cast<float>(widths.size());
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = fields[first + k].least + spare;
    return widths;
}

} // namespace

void draw_settings(Column& column) {
    ViewContext& context = column.context;
    section_label(context.theme, {column.left, column.y + 36}, "SETTINGS");
    const TextButton fill{.id = "fill",
                          .text = "Fill a matrix…",
                          .baseline = {column.right, column.y + 36},
                          .align = Align::right,
                          .tip = {.title = "Random numbers from a seed, zeros, identity, …"}};
    if (text_button(context.theme, fill)) context.ui.fill_dialog = first_to_fill(context.lab.program());
    column.y += 54;
    for (const Setting& setting : context.ui.settings.of(context.lab.document().attention))
        draw_setting(column, setting);
}

void draw_more_settings(Column& column) {
    constexpr const char* kWhatThereIs = "heads, blocks, …";
    UiState& ui = column.context.ui;
    const ViewContext& context = column.context;
    const auto& groups = ui.setting_groups.of(context.lab.document(), context.selection.shows_gradient);
    const std::string state = groups_state(groups);
    ImGui::PushID("more settings");
    column.y += 3;
    const bool is_open = ui.more_settings_open;
    const float top = column.y;
    if (draw_fold_line(column, "More", state == "off" ? kWhatThereIs : state, is_open)) {
        ui.more_settings_open = !is_open;
        ui.wants_frame = true;
        ImGui::GetStateStorage()->SetBool(ImGui::GetID("came open"), !is_open);
    }
    if (is_open) {
        column.y += 4;
        for (const SettingGroup& group : groups) draw_group(column, group);
        bring_into_sight(column, top);
    }
    ImGui::PopID();
}

void draw_widths(Column& column) {
    ImGui::PushID("widths");
    constexpr float kHeight = 20, kLine = 44;
    const float top = column.y;
    const std::vector<WidthField> fields = width_fields(column);
    for (std::size_t i = 0; i < fields.size(); column.y += kLine) {
        float left = column.left;
        for (const float width : widths_in_line(fields, i, column.width())) {
            draw_width(column, Rect::at({left, column.y + 23}, {width, kHeight}), fields[i].which, fields[i].n);
            left += width + kBetweenWidths;
            ++i;
        }
    }
    keep_place_of_setting(column, top);
    ImGui::PopID();
}

} // namespace lab
