#include "app/views/gradient_choice.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "app/session/gradient_words.h"
#include "app/session/heads.h"
#include "app/views/explanation.h"
#include "app/widgets/controls.h"
#include "app/widgets/menu.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

constexpr float kChoiceGap = 8;
constexpr float kBesideText = 34; // of the closed list: its margins and caret
constexpr const char* kText = "Gradient";

std::string numbers(std::initializer_list<int> index, const char* last = nullptr) {
    std::string text;
    for (int i : index) text += (text.empty() ? "" : ",") + std::to_string(i);
    return "[" + text + (last == nullptr ? "" : std::string(text.empty() ? "" : ",") + last) + "]";
}

std::string sum_of(const std::string& tensor) { return "sum(" + tensor + ")"; }

std::string row_target(const Program& program, const TensorCell& cell) {
    const Shape& shape = program.node(program.find(cell.tensor)).shape;
    if (shape.rank == 1) return sum_of(cell.tensor);
    return cell.tensor +
           (shape.rank == 3 ? numbers({cell.cell.plane, cell.cell.row}, ":") : numbers({cell.cell.row}, ":"));
}

// The last tensor that is computed before gradients are; rows of weights and probabilities sum to 1, whatever is changed.
std::string last_tensor(const Program& program) {
    std::string name;
    for (const Node& node : program.nodes) {
        const bool has_slopes = node.presentation.role != Role::weighted_values && !node.presentation.non_negative;
        if (!node.is_leaf() && !node.is_of_gradient() && has_slopes) name = node.name;
    }
    return name;
}

// What is pinned, of a gradient's number the one that it is the slope of. None where that is given, and hangs on no other: all slopes of
// it but its own are zeros.
std::optional<TensorCell> pinned_computed(const ViewContext& context) {
    const Program& program = context.lab.program();
    const TensorCell* pinned = context.selection.pinned();
    int node = pinned == nullptr ? -1 : program.find(pinned->tensor);
    if (node < 0) return std::nullopt;
    if (program.node(node).is_of_gradient()) node = program.node(node).gradient_of;
    if (program.node(node).is_leaf()) return std::nullopt;
    return TensorCell{program.node(node).name, pinned->cell};
}

struct Choice {
    std::string target;
    std::string title;
    std::string sentence;
};

std::vector<Choice> choices(const ViewContext& context) {
    const Program& program = context.lab.program();
    std::vector<Choice> all;
    if (const auto cell = pinned_computed(context)) {
        const auto add = [&](const std::string& target, const char* title) {
            all.push_back({target, title, target_text(context.lab.document(), program, target)});
        };
        add(cell_target(program, *cell), "The pinned number");
        add(row_target(program, *cell), "The sum of the pinned number's row");
    }
    const std::string last = last_tensor(program);
    all.push_back({sum_of(last), "The sum of " + last, "How every number pulls on all of it at once."});
    all.push_back({"distance(" + last + ")", "The distance of " + last + " to a target",
                   "How far it is from the tensor target, which you can edit; zeros at first."});
    if (const int found = program.find("log_probabilities"); found >= 0) {
        const int row = std::min(context.selection.query, program.node(found).shape.rows - 1);
        const Words words = context.lab.document().vocabulary;
        for (int token = 0; token < std::min(program.node(found).shape.cols, 12); ++token) {
            const std::string word =
                token < static_cast<int>(words.size()) ? words[static_cast<std::size_t>(token)] : std::to_string(token);
            all.push_back(
                {"logprob(" + std::to_string(row) + "," + word + ")", "How probable " + word + " is next",
                 "The log-probability after " + told_label(context.lab.document(), Axis::queries, row) + "."});
        }
    }
    return all;
}

// The longest of the target's texts for which there is room: none of them is cut where it can be helped.
std::string shown_target(const ViewContext& context, float room) {
    const std::string& target = context.lab.document().gradient;
    if (target.empty()) return "none";
    const TextStyle style = plain_text(context.theme, type_size::kControl, {});
    const auto texts = short_target_texts(context.lab.document(), context.lab.program(), target);
    const auto fits = [&](const std::string& text) { return text_width(style, text) <= room; };
    const auto found = std::find_if(texts.begin(), texts.end(), fits);
    return found == texts.end() ? texts.back() : *found;
}

} // namespace

std::string cell_target(const Program& program, const TensorCell& cell) {
    const Shape& shape = program.node(program.find(cell.tensor)).shape;
    if (shape.rank == 1) return cell.tensor + numbers({cell.cell.col});
    if (shape.rank == 2) return cell.tensor + numbers({cell.cell.row, cell.cell.col});
    return cell.tensor + numbers({cell.cell.plane, cell.cell.row, cell.cell.col});
}

void choose_gradient(ViewContext& context, const std::string& target) {
    context.commands.push_back({SetGradient{target}});
}

bool can_take_gradient(const ViewContext& context) { return !last_tensor(context.lab.program()).empty(); }

void pin_what_is_shown(ViewContext& context) {
    const Program& program = context.lab.program();
    Selection& selection = context.selection;
    const int node = selection.pinned() == nullptr ? -1 : program.find(selection.pinned()->tensor);
    if (node < 0) return;
    TensorCell pinned = *selection.pinned();
    int shown = shown_node(selection, program, placed_node(program, node));
    if (!is_on_canvas(selection, program, shown) && program.node(shown).is_leaf()) shown = program.target;
    pinned.tensor = program.node(shown).name;
    if (!is_on_canvas(selection, program, shown)) {
        const std::vector<CellRef> from = sources(context.lab.trace().derive(shown, pinned.cell));
        if (from.empty()) return selection.unpin();
        pinned = tensor_cell(program, from.front());
    }
    const int section = selection.section; // one may look at another than the number's
    selection.visit(pinned, program);
    selection.section = section;
}

void toggle_gradient(ViewContext& context) {
    const Program& program = context.lab.program();
    if (program.target >= 0) {
        context.selection.shows_gradient = !context.selection.shows_gradient;
        return pin_what_is_shown(context);
    }
    const auto cell = pinned_computed(context);
    choose_gradient(context, cell ? cell_target(program, *cell) : sum_of(last_tensor(program)));
}

bool shows_slopes(const ViewContext& context) {
    if (!has_gradient_choice(context)) return false;
    const Program& program = context.lab.program();
    const std::vector<int> nodes = nodes_on_canvas(context.selection, program);
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](int node) { return shown_node(context.selection, program, node) != node; });
}

bool has_gradient_choice(const ViewContext& context) {
    return context.lab.program().target >= 0 && context.selection.shows_gradient;
}

float gradient_choice_width(const ViewContext& context) {
    return chip_width(context.theme, kText, 200) + kChoiceGap + kGradientTarget;
}

void draw_gradient_choice(ViewContext& context, const Rect& area) {
    const Theme& theme = context.theme;
    const float width = chip_width(theme, kText, 200);
    const Press press =
        chip(theme,
             {"gradient", kText, {area.left, area.top, area.left + width, area.bottom}, has_gradient_choice(context)});
    show_tip(theme, {.title = "Gradients in the place of the numbers", .keys = "D"});
    if (press.clicked) toggle_gradient(context);
    const std::string& target = context.lab.document().gradient;
    const Rect list{area.left + width + kChoiceGap, area.top, area.right, area.bottom};
    const std::string text = target_text(context.lab.document(), context.lab.program(), target);
    const std::string shown = shown_target(context, list.width() - kBesideText);
    if (!begin_select(theme,
                      {.id = "target", .area = list, .shown = shown, .tip = {.sentence = text}, .menu_width = 300}))
        return;
    for (const Choice& choice : choices(context)) {
        if (menu_entry(theme,
                       {.title = choice.title, .sentence = choice.sentence, .is_chosen = choice.target == target}))
            choose_gradient(context, choice.target);
    }
    menu_divider(theme);
    if (menu_entry(theme, {.title = "Off", .sentence = "No gradient is taken."})) choose_gradient(context, "");
    end_select();
}

} // namespace lab
