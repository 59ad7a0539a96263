#include <algorithm>
#include <string>
#include <vector>

#include "app/session/drawing.h"
#include "app/views/dialogs.h"
#include "app/widgets/dialog.h"
#include "app/widgets/fields.h"
#include "app/widgets/menu.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

constexpr float kControlPitch = 54; // of a control and its name

// A line of controls with their names above them.
struct Form {
    ViewContext& context;
    Rect content;
    float y;
    float x = 0; // from the content's left

    Rect field(std::string_view label, float width) {
        const ImVec2 corner{content.left + x, y};
        x += width + 16;
        return labelled(context.theme, corner, width, label);
    }
    void next_line() {
        y += kControlPitch;
        x = 0;
    }
};

bool has_projections(const Program& program) {
    return std::any_of(program.nodes.begin(), program.nodes.end(),
                       [](const Node& node) { return node.presentation.role == Role::weight_matrix; });
}

void choose_tensor(Form& form) {
    std::string& tensor = *form.context.ui.fill_dialog;
    std::vector<std::string> shapes;
    std::vector<const Node*> leaves;
    for (const Node& node : form.context.lab.program().nodes) {
        if (node.is_leaf()) leaves.push_back(&node);
    }
    for (const Node* leaf : leaves) shapes.push_back(leaf->shape.to_text());
    std::vector<MenuEntry> entries;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        entries.push_back({.title = leaves[i]->name, .keys = shapes[i], .is_chosen = leaves[i]->name == tensor});
    }
    const Select control{.id = "tensor",
                         .area = form.field("Matrix", form.content.width()),
                         .shown = tensor,
                         .text_size = type_size::kList};
    if (const auto chosen = select(form.context.theme, control, entries))
        tensor = leaves[static_cast<std::size_t>(*chosen)]->name;
    form.next_line();
}

const InitialiserInfo& chosen_initialiser(const FillForm& fill) {
    const InitialiserInfo* found = find_initialiser(fill.made_by.init);
    return found == nullptr ? initialisers().front() : *found;
}

void choose_initialiser(Form& form) {
    FillForm& fill = form.context.ui.fill_form;
    const Theme& theme = form.context.theme;
    std::vector<MenuEntry> entries;
    for (const InitialiserInfo& info : initialisers()) {
        entries.push_back(
            {.title = info.title, .sentence = info.sentence, .is_chosen = info.name == fill.made_by.init});
    }
    const Select control{.id = "initialiser",
                         .area = form.field("Filled with", form.content.width()),
                         .shown = chosen_initialiser(fill).title,
                         .text_size = type_size::kList};
    if (const auto chosen = select(theme, control, entries))
        fill.made_by.init = initialisers()[static_cast<std::size_t>(*chosen)].name;
    form.next_line();
    form.y += draw_paragraph(*ImGui::GetWindowDrawList(), plain_text(theme, type_size::kControl, theme.palette.dim),
                             {form.content.left, form.y - 6}, chosen_initialiser(fill).sentence, form.content.width()) +
              8;
}

// Seed and skip of random numbers, or the one value.
void choose_numbers(Form& form) {
    constexpr double kMostSeed = 4294967295.0;
    MadeBy& made_by = form.context.ui.fill_form.made_by;
    std::string* complaint = &form.context.ui.error;
    const Theme& theme = form.context.theme;
    if (chosen_initialiser(form.context.ui.fill_form).needs_seed) {
        const NumberField seed{.id = "seed",
                               .area = form.field("Seed", 130),
                               .value = static_cast<double>(made_by.seed),
                               .greatest = kMostSeed,
                               .name = "the seed",
                               .complaint = complaint};
        if (const auto n = stepper(theme, seed)) made_by.seed = static_cast<std::uint64_t>(*n);
        const NumberField skip{
            .id = "skip",
            .area = form.field("Numbers skipped before", 130),
            .value = static_cast<double>(made_by.skip),
            .greatest = static_cast<double>(kMaxDraws),
            .tip = {.sentence = "How many numbers a notebook has drawn from this seed before these."},
            .name = "how many numbers are skipped",
            .complaint = complaint};
        if (const auto n = stepper(theme, skip)) made_by.skip = static_cast<std::int64_t>(*n);
        form.next_line();
    } else if (made_by.init == "constant") {
        const NumberField value{.id = "value",
                                .area = form.field("Value", 130),
                                .value = static_cast<double>(made_by.value.value_or(1)),
                                .least = -1e30,
                                .greatest = 1e30,
                                .is_whole = false,
                                .name = "the value",
                                .complaint = complaint};
        if (const auto n = stepper(theme, value)) made_by.value = static_cast<float>(*n);
        form.next_line();
    }
}

// What goes into the command: no more than the initialiser takes.
MadeBy settled(const FillForm& fill) {
    MadeBy made_by;
    made_by.init = fill.made_by.init;
    if (chosen_initialiser(fill).needs_seed) {
        made_by.seed = fill.made_by.seed;
        made_by.skip = fill.made_by.skip;
    } else if (made_by.init == "constant") {
        made_by.value = fill.made_by.value.value_or(1);
    }
    return made_by;
}

// "3 × 2, beginning with 0.2961, 0.5166, 0.2517, …", or why it cannot be drawn.
std::string preview(const Document& document, const std::string& tensor, const MadeBy& made_by) {
    constexpr std::size_t kMostCells = 100000; // more take longer than a frame
    constexpr int kNumbers = 4;
    const auto given = document.tensors.find(tensor);
    if (given == document.tensors.end()) return {};
    const Shape shape = given->second.shape();
    if (shape.size() > kMostCells) return shape.to_text();
    const Result<Tensor> made = drawn(document, tensor, made_by, shape);
    if (!made) return made.error();
    std::string text = shape.to_text() + ", beginning with ";
    for (int col = 0; col < std::min(kNumbers, shape.cols); ++col) {
        text += (col == 0 ? "" : ", ") + number_text(static_cast<double>(made->at({0, 0, col})));
    }
    return text;
}

// An embedding's table takes longer than a frame to draw: only when something was changed.
const std::string& known_preview(ViewContext& context, const MadeBy& made_by) {
    FillPreview& known = context.ui.fill_form.preview;
    const std::string& tensor = *context.ui.fill_dialog;
    if (known.of != made_by || known.tensor != tensor || known.revision != context.lab.revision()) {
        known = {made_by, tensor, context.lab.revision(), preview(context.lab.document(), tensor, made_by)};
    }
    return known.text;
}

void draw_form(Form& form) {
    ViewContext& context = form.context;
    const Theme& theme = context.theme;
    FillForm& fill = context.ui.fill_form;
    if (has_projections(context.lab.program())) {
        const Rect area = Rect::at({form.content.left, form.y - 4}, {form.content.width(), 24});
        if (switch_control(
                theme, {"all", "All projections, one after the other from one seed", area, fill.fills_projections})) {
            fill.fills_projections = !fill.fills_projections;
        }
        form.y += 34;
    } else {
        fill.fills_projections = false;
    }
    if (!fill.fills_projections) choose_tensor(form);
    choose_initialiser(form);
    choose_numbers(form);
    const std::string text = fill.fills_projections
                                 ? "As a notebook that draws queries', keys' and values' matrices in this order."
                                 : known_preview(context, settled(fill));
    form.y += draw_paragraph(*ImGui::GetWindowDrawList(), plain_text(theme, type_size::kControl, theme.palette.faint),
                             {form.content.left, form.y - 2}, text, form.content.width()) +
              18;
}

} // namespace

void draw_fill_dialog(ViewContext& context) {
    UiState& ui = context.ui;
    bool is_open = ui.fill_dialog.has_value();
    Rect content;
    if (begin_dialog(context.theme, {"fill dialog", "Fill a matrix", 440}, is_open, content)) {
        Form form{context, content, content.top};
        draw_form(form);
        const DialogAnswer answer = dialog_buttons(context.theme, {"Fill", true, form.y, content.right});
        if (answer == DialogAnswer::main) {
            const MadeBy made_by = settled(ui.fill_form);
            if (ui.fill_form.fills_projections)
                context.commands.push_back({FillProjections{made_by}});
            else
                context.commands.push_back({FillTensor{*ui.fill_dialog, made_by}});
        }
        if (answer != DialogAnswer::none) is_open = false;
        end_dialog(form.y + 32);
    }
    if (!is_open) ui.fill_dialog.reset();
}

} // namespace lab
