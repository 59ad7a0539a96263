#include <algorithm>
#include <string>
#include <vector>

#include "app/session/settings_text.h"
#include "app/views/left_panel.h"
#include "app/widgets/fields.h"
#include "app/widgets/menu.h"

namespace lab {

namespace {

// Whether the setting's number was being dragged or typed in the frame before.
constexpr const char* kWasEdited = "was edited";
bool was_edited() { return ImGui::GetStateStorage()->GetBool(ImGui::GetID(kWasEdited)); }

// The number that belongs to the chosen option, its title beside it.
void draw_number(Column& column, const SettingNumber& number) {
    constexpr float kFieldWidth = 82;
    const Theme& theme = column.context.theme;
    UiState& ui = column.context.ui;
    const Rect area = Rect::at({column.left, column.y}, {kFieldWidth, 22});
    const NumberField field{.id = "number",
                            .area = area,
                            .value = number.value,
                            .least = number.least,
                            .greatest = number.greatest,
                            .is_whole = number.is_whole,
                            .tip = {.title = number.title, .sentence = "Drag it, or click and type."}};
    const TextStyle style = plain_text(theme, type_size::kCell, theme.palette.dim);
    const float left = area.right + 8;
    const bool fits = text_width(style, number.title) <= column.right - left;
    draw_paragraph(column.draw_list, style, {left, column.y + (fits ? 3.0f : -5.0f)}, number.title,
                   column.right - left);
    column.y += 30;
    const std::optional<NumberEdit> edit = number_field(theme, field);
    ImGui::GetStateStorage()->SetBool(ImGui::GetID(kWasEdited), ImGui::IsAnyItemActive());
    if (!edit) return;
    if (edit->begins) ui.new_gesture();
    if (edit->value == number.value) return;
    column.context.commands.push_back({SetAttention{number.with(edit->value)}, edit->is_gesture ? ui.last_gesture : 0});
}

void draw_setting(Column& column, const Setting& setting) {
    const Theme& theme = column.context.theme;
    std::vector<MenuEntry> entries;
    for (const SettingChoice& choice : setting.choices) {
        entries.push_back({.title = choice.title,
                           .sentence = choice.sentence,
                           .is_chosen = entries.size() == static_cast<std::size_t>(setting.chosen)});
    }
    const MenuEntry& chosen = entries[static_cast<std::size_t>(setting.chosen)];
    ImGui::PushID(setting.title.c_str());
    draw_text(column.draw_list, plain_text(theme, type_size::kCell, theme.palette.dim), {column.left, column.y + 10},
              setting.title);
    const Rect area{column.left, column.y + 15, column.right, column.y + 37};
    const Tip tip{.title = chosen.title, .sentence = chosen.sentence};
    const std::optional<int> choice =
        select(theme, {.id = "choice", .area = area, .shown = chosen.title, .tip = tip, .menu_width = 290}, entries);
    column.y += 44;
    if (choice && *choice != setting.chosen) {
        column.context.commands.push_back({SetAttention{setting.choices[static_cast<std::size_t>(*choice)].attention}});
    }
    if (setting.number && (!setting.number->is_passing || was_edited())) draw_number(column, *setting.number);
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
    for (const Setting& setting : all_settings(context.lab.document().attention)) draw_setting(column, setting);
}

std::optional<int> width_along(const Program& program, Axis axis) {
    for (const Node& node : program.nodes) {
        if (node.is_leaf() && node.presentation.cols == axis) return node.shape.cols;
    }
    return {};
}

void draw_widths(Column& column) {
    constexpr struct {
        Width which;
        Axis axis;
    } kWidths[] = {{Width::d_in, Axis::input_dimensions},
                   {Width::d_k, Axis::key_dimensions},
                   {Width::d_v, Axis::value_dimensions}};
    ImGui::PushID("widths");
    constexpr float kLeast = 50, kHeight = 20, kGap = 5, kLine = 44;
    float left = column.left;
    for (const auto& [which, axis] : kWidths) {
        const std::optional<int> width = width_along(column.context.lab.program(), axis);
        if (!width) continue;
        const float field_width = std::max(kLeast, stepper_width(column.context.theme, *width));
        if (left > column.left && left + field_width > column.right + 1) {
            left = column.left;
            column.y += kLine;
        }
        draw_width(column, Rect::at({left, column.y + 23}, {field_width, kHeight}), which, *width);
        left += field_width + kGap;
    }
    column.y += kLine;
    ImGui::PopID();
}

} // namespace lab
