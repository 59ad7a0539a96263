#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/labels.h"
#include "app/session/sections.h"
#include "app/views/left_panel.h"
#include "app/views/matrix_view.h"
#include "app/views/shortcuts.h"
#include "app/views/step_choice.h"
#include "app/widgets/controls.h"
#include "app/widgets/pixels.h"
#include "app/widgets/rounded.h"
#include "engine/count_text.h"

namespace lab {

namespace {

// From one step to the next; the second where the panel scrolls however close they are.
constexpr float kLeastPitch = 16, kScrolledPitch = 22, kMostPitch = 34;
constexpr float kTitleMiddle = 11; // below a step's top
constexpr float kSentenceLine = 14, kAboveSentence = 5;
constexpr float kFreeBelow = 12; // of what is empty above the next section's name: the longest sentence ends there

float step_pitch(float fitting) { return fitting < kLeastPitch ? kScrolledPitch : std::min(fitting, kMostPitch); }

// What lights up around a title, above and below its middle.
float title_reach(float pitch) { return std::min(15.0f, std::floor(pitch / 2)); }

std::optional<int> stage_of(const Program& program, const TensorCell& cell) {
    const int node = program.find(cell.tensor);
    return node < 0 ? std::nullopt : std::optional(program.node(node).stage);
}

// The stage of the number that is explained.
std::optional<int> explained_stage(const ViewContext& context) {
    const std::optional<TensorCell> cell = explained_cell(context);
    return cell ? stage_of(context.lab.program(), *cell) : std::nullopt;
}

// What a stage leaves behind: what no other tensor of it reads; where it computes nothing, the last that is given.
std::vector<int> results_of(const Program& program, int stage) {
    std::vector<int> results;
    std::optional<int> given;
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const Node& node = program.node(i);
        if (node.stage != stage || !has_place(node)) continue;
        if (node.is_leaf()) {
            given = i;
            continue;
        }
        const auto is_read = [&](int result) {
            return std::find(node.operands.begin(), node.operands.end(), result) != node.operands.end();
        };
        results.erase(std::remove_if(results.begin(), results.end(), is_read), results.end());
        results.push_back(i);
    }
    if (results.empty() && given) results.push_back(*given);
    return results;
}

// "6 × 2", or of results of several shapes "queries and keys 6 × 2, values 6 × 4".
std::string shapes_text(const Program& program, int stage) {
    std::vector<std::pair<std::string, std::vector<std::string>>> shapes; // with the names of those that have it
    for (const int i : results_of(program, stage)) {
        const std::string shape = program.node(i).shape.to_text();
        const auto known =
            std::find_if(shapes.begin(), shapes.end(), [&](const auto& each) { return each.first == shape; });
        if (known == shapes.end())
            shapes.push_back({shape, {short_name(program.node(i))}});
        else
            known->second.push_back(short_name(program.node(i)));
    }
    if (shapes.size() == 1) return shapes.front().first;
    std::string text;
    for (const auto& [shape, names] : shapes) text += (text.empty() ? "" : ", ") + listed(names) + " " + shape;
    return text;
}

// One step on or back, everything, and the panel folded away.
void draw_header(Column& column) {
    ViewContext& context = column.context;
    const Theme& theme = context.theme;
    section_label(theme, {column.left, column.y + 30}, "STEPS");
    const float y = column.y + 26;
    const auto button = [&](const char* id, Icon icon, float x, const Tip& tip) {
        return icon_button(theme, {.id = id, .icon = icon, .center = {x, y}, .tip = tip, .icon_size = 14, .reach = 10});
    };
    const bool folds = !context.ui.phone_menu_open;
    float x = column.right - 3;
    if (folds && button("fold", Icon::chevron_left, x, {.title = "Fold this panel"}))
        context.ui.left_panel_open = false;
    x -= folds ? 24 : 0;
    if (button("next", Icon::chevron_down, x, {.title = "One step on", .keys = "]"})) go_by_steps(context, 1);
    if (button("previous", Icon::chevron_up, x - 20, {.title = "One step back", .keys = "["})) go_by_steps(context, -1);
    if (!context.selection.shown_stage) return;
    const TextButton all{.id = "all",
                         .text = "Show all",
                         .baseline = {x - 34, column.y + 30},
                         .align = Align::right,
                         .tip = {.title = "Show everything that is computed"}};
    if (text_button(theme, all)) context.selection.shown_stage.reset();
}

// A line of the list.
struct StepLine {
    int stage = 0;
    int number = 1;
    bool is_on = false; // shown last, or of the number that is explained
};

void draw_number(ImDrawList& draw_list, const Theme& theme, const Rect& area, const StepLine& line) {
    const Palette& palette = theme.palette;
    const ImVec2 center{area.left + 18, area.center().y};
    const float radius = std::min(8.5f, area.height() / 2 - 0.5f);
    if (line.is_on)
        draw_list.AddCircleFilled(center, radius + 0.75f, palette.accent.u32());
    else
        draw_list.AddCircle(center, radius, palette.line.u32(), 0, 1.5f);
    const TextStyle style =
        semibold_text(theme, type_size::kCaption, line.is_on ? palette.background : palette.dim, Align::center);
    draw_text(draw_list, style, {center.x, centered_baseline(center.y, style.size)}, std::to_string(line.number));
}

// Whether the pointer is on it.
bool draw_step(Column& column, const StepLine& line, float pitch) {
    const int stage = line.stage;
    const bool is_on = line.is_on;
    ViewContext& context = column.context;
    const Theme& theme = context.theme;
    const Palette& palette = theme.palette;
    const Stage& shown = context.lab.program().stages[static_cast<std::size_t>(stage)];
    const std::optional<int> last = context.selection.shown_stage;
    const float middle = column.y + kTitleMiddle, reach = title_reach(pitch);
    // Beside the bar that the panel is scrolled with it ends earlier.
    const float right = std::min(column.right + 8, column.draw_list.GetClipRectMax().x);
    const Rect area{column.left - 12, middle - reach, right, middle + reach};
    const Press press = press_area(("step" + std::to_string(stage)).c_str(), area);
    if (press.clicked) choose_step(context, last == stage ? std::nullopt : std::optional(stage));
    if (is_on || press.hovered) {
        fill_rounded(column.draw_list, area, palette.raised.u32(), 6);
    }
    show_tip(theme, {.sentence = "Result: " + shapes_text(context.lab.program(), stage) + "."});
    draw_number(column.draw_list, theme, area, line);
    const bool is_to_come = last && stage > *last;
    const Color ink = is_on || press.hovered ? palette.text : is_to_come ? palette.faint : palette.dim;
    TextStyle style = plain_text(theme, type_size::kList, ink);
    const float left = column.left + 22;
    const float room = column.right + 6 - left; // up to that bar: no letter is lost to the corners
    if (is_on) style.font = theme.fonts.text_semibold;
    if (text_width(style, shown.title) > room) style.font = theme.fonts.text;
    draw_text_within(column.draw_list, style, {left, column.y + 15}, shown.title, room);
    return press.hovered;
}

// Of the sentences of these steps.
float height_of_tallest(const Column& column, const std::vector<int>& stages, const TextStyle& style) {
    const std::vector<Stage>& all = column.context.lab.program().stages;
    KeptHeight now{{}, column.width(), pixels_per_point(), 0};
    for (const int stage : stages) now.texts += all[static_cast<std::size_t>(stage)].sentence + "\n";
    KeptHeight& kept = column.context.ui.steps_sentence;
    if (now.texts == kept.texts && now.width == kept.width && now.pixels_per_point == kept.pixels_per_point)
        return kept.height;
    for (const int stage : stages) {
        const std::string& sentence = all[static_cast<std::size_t>(stage)].sentence;
        now.height = std::max(now.height, wrapped_height(style, sentence, kSentenceLine, column.width()));
    }
    kept = std::move(now);
    return kept.height;
}

// The step's sentence below the list, in a place that is as tall as the longest of them: nothing moves with the pointer.
void draw_sentence(Column& column, const std::vector<int>& stages, int told) {
    const TextStyle style = plain_text(column.context.theme, type_size::kControl, column.palette().dim);
    const std::vector<Stage>& all = column.context.lab.program().stages;
    const float tallest = height_of_tallest(column, stages, style);
    column.y += kAboveSentence;
    const float bottom = column.y + std::max(0.0f, tallest - kFreeBelow);
    if (told >= 0) draw_wrapped(column, style, all[static_cast<std::size_t>(told)].sentence, kSentenceLine);
    column.y = bottom;
}

} // namespace

void draw_steps(Column& column, float height) {
    const ViewContext& context = column.context;
    ImGui::PushID("steps");
    draw_header(column);
    const float top = column.y;
    column.y += 48;
    const std::optional<int> on =
        context.selection.shown_stage ? context.selection.shown_stage : explained_stage(context);
    const std::vector<int> stages = stages_of_section(context.lab.program(), context.selection.section);
    const int n = static_cast<int>(stages.size());
    float& others = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("others"), 44); // all but the steps' lines
    const float pitch = step_pitch((height - others) / static_cast<float>(std::max(1, n)));
    int number = 0;
    const float first = column.y;
    const bool is_listed = on && std::find(stages.begin(), stages.end(), *on) != stages.end();
    int told = is_listed ? on.value_or(-1) : -1; // none, if nothing is explained
    for (int stage : stages) {
        if (draw_step(column, {stage, number + 1, stage == on}, pitch)) told = stage;
        column.y = first + std::round(pitch * static_cast<float>(++number)); // at whole points text is sharp
    }
    draw_sentence(column, stages, told);
    const float now = column.y - top - std::round(pitch * static_cast<float>(n));
    if (std::exchange(others, now) != now) column.context.ui.wants_frame = true;
    if (pitch < kMostPitch) column.y = std::max(column.y, top + height); // what stands below stays where it is
    ImGui::PopID();
}

} // namespace lab
