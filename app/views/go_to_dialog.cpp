#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/finding.h"
#include "app/session/heads.h"
#include "app/session/labels.h"
#include "app/session/query_rows.h"
#include "app/views/dialogs.h"
#include "app/views/matrix_view.h"
#include "app/widgets/dialog.h"
#include "app/widgets/fields.h"
#include "app/widgets/menu.h"
#include "engine/count_text.h"
#include "engine/read_text.h"

namespace lab {

namespace {

// As the canvas shows them, gradients in the place of what they are of.
std::vector<int> seen_matrices(const ViewContext& context) {
    const Program& program = context.lab.program();
    std::vector<int> seen;
    for (int i : nodes_on_canvas(context.selection, program)) {
        const Node& node = program.node(i);
        const bool is_seen = context.selection.shows(node) && context.selection.unfolds(node);
        if (is_seen && node.shape.n_cells() > 0) seen.push_back(shown_node(context.selection, program, i));
    }
    return seen;
}

// Whether there is another than where one sets out from.
bool has_choice(const Program& program, const std::vector<int>& seen, const TensorCell& from) {
    return std::any_of(seen.begin(), seen.end(), [&](int i) { return program.node(i).name != from.tensor; });
}

// The first matrix of weights that is seen, else what stands first; −1 if nothing does.
int first_of_section(const ViewContext& context) {
    const std::vector<int> seen = seen_matrices(context);
    const auto weights = std::find_if(seen.begin(), seen.end(), [&](int node) {
        return context.lab.program().node(node).presentation.role == Role::weights;
    });
    return weights != seen.end() ? *weights : seen.empty() ? -1 : seen.front();
}

// Where one sets out from: the pinned cell, unless another matrix is chosen, else one of the chosen query.
std::optional<TensorCell> start(const ViewContext& context) {
    const Program& program = context.lab.program();
    const TensorCell* pinned = context.selection.pinned();
    const int chosen = program.find(context.ui.go_to_form.tensor);
    const bool is_of_pinned = pinned != nullptr && program.find(pinned->tensor) >= 0;
    if (is_of_pinned && (chosen < 0 || program.node(chosen).name == pinned->tensor)) return *pinned;
    const int first = chosen >= 0 ? chosen : first_of_section(context);
    if (first < 0) return {};
    const Node& node = program.node(first);
    const int query = context.selection.query;
    const int row = node.presentation.slice_by_query ? std::min(query, node.shape.rows - 1)
                                                     : row_of_query(context.lab.document(), node, query).value_or(0);
    return TensorCell{node.name, cell_of_head(program, first, {0, row, 0}, context.selection.head)};
}

// One of the two places, of several of the same name the nearest from here on, or with a kept text the next: where the text is
// blank it stays.
void find(const Document& document, Axis axis, int n, const std::string& text, int& place, Destination& to) {
    if (trimmed(text).empty() || !to.error.empty()) return;
    const Result<FoundPlace> found = find_place(document, axis, n, text, to.is_next ? place : place - 1);
    if (!found) return void(to.error = found.error());
    place = found->index;
    if (found->n_alike > 1)
        to.said +=
            " · " + std::to_string(found->nth) + " of " + grouped(found->n_alike) +
            (found->only_begins ? " that begin with " + text : " called " + label_or_number(document, axis, place));
}

// Both places where they are typed into the first field: also as the status bar names a number, "attention_weights[head 1, journey, step]",
// of the head that is gone to. Absent where the text does not mean both.
std::optional<TextPair> both_places(const Document& document, const Node& node, const GoToForm& form, int plane) {
    std::string text(trimmed(form.row));
    if (!trimmed(form.col).empty()) return {};
    const auto take_off = [&](const std::string& beginning) {
        if (text.starts_with(beginning)) text.erase(0, beginning.size());
    };
    if (text.ends_with("]") && text.starts_with(node.name + "[")) {
        take_off(node.name + "[");
        text.pop_back();
        if (node.shape.rank > 2) take_off(plane_label(document, node, plane) + ", ");
    }
    const MatrixExtent extent = shown_extent(node);
    return split_pair(document, {row_axis(node), extent.n_rows}, {node.presentation.cols, extent.n_cols}, text);
}

// Kept until something that it was found for changes: of a long text all labels are looked through.
const Destination& destination(ViewContext& context, const TensorCell& from) {
    GoToForm& form = context.ui.go_to_form;
    const Lab& lab = context.lab;
    const auto holds = [&](const Destination& to) {
        return to.revision == lab.revision() && to.from == from && to.row == form.row && to.col == form.col &&
               to.is_next == form.is_kept;
    };
    if (form.destination && holds(*form.destination)) return *form.destination;
    const Node& node = lab.program().node(lab.program().find(from.tensor));
    const MatrixExtent extent = shown_extent(node);
    ShownPlace place = shown_place(node, from.cell);
    Destination to{lab.revision(), from, form.row, form.col, form.is_kept, {}, {}, {}};
    TextPair sought{form.row, form.col};
    const auto find_sought = [&] {
        find(lab.document(), row_axis(node), extent.n_rows, sought.row, place.row, to);
        find(lab.document(), node.presentation.cols, extent.n_cols, sought.col, place.col, to);
    };
    find_sought();
    if (const auto both = to.error.empty() ? std::nullopt : both_places(lab.document(), node, form, from.cell.plane)) {
        sought = *both;
        to.error.clear();
        find_sought();
    }
    to.cell = {from.tensor, cell_at_place(node, from.cell, place)};
    to.said = meaning_text(lab.document(), node, to.cell.cell) + to.said;
    form.destination = std::move(to);
    return *form.destination;
}

std::string title_of(Axis axis) {
    std::string title = axis_noun(axis);
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    return title;
}

// What was typed stays where it is of the same kind.
void choose(ViewContext& context, const TensorCell& before, int chosen) {
    const Program& program = context.lab.program();
    const Node &from = program.node(program.find(before.tensor)), &node = program.node(chosen);
    GoToForm& form = context.ui.go_to_form;
    form.takes_focus = true;
    if (node.name == before.tensor) return;
    if (row_axis(node) != row_axis(from)) form.row.clear();
    if (node.presentation.cols != from.presentation.cols) form.col.clear();
    form.tensor = node.name;
    form.is_kept = false;
    form.went_to.reset();
    form.destination.reset();
}

// The matrix, where there is another; returns where what follows begins.
float draw_matrix_choice(ViewContext& context, const TensorCell& from, const Rect& content) {
    constexpr float kBelow = 14;
    const Program& program = context.lab.program();
    const std::vector<int> seen = seen_matrices(context);
    if (!has_choice(program, seen, from)) return content.top;
    std::vector<std::string> shapes;
    for (int i : seen) shapes.push_back(program.node(i).shape.to_text());
    std::vector<MenuEntry> entries;
    for (std::size_t k = 0; k < seen.size(); ++k) {
        const std::string& name = program.node(seen[k]).name;
        entries.push_back({.title = name, .keys = shapes[k], .is_chosen = name == from.tensor});
    }
    const Rect area = labelled(context.theme, content.min(), content.width(), "Matrix");
    const Select control{.id = "matrix", .area = area, .shown = from.tensor, .text_size = type_size::kList};
    if (const auto chosen = select(context.theme, control, entries))
        choose(context, from, seen[static_cast<std::size_t>(*chosen)]);
    return area.bottom + kBelow;
}

struct Answer {
    bool goes = false;
    float bottom = 0;
};

// A field for rows and one for columns, where there are several; below them what the number there is.
Answer draw_fields(ViewContext& context, const TensorCell& from, const Rect& content) {
    constexpr float kApart = 16;
    const Theme& theme = context.theme;
    const Document& document = context.lab.document();
    const Node& node = context.lab.program().node(context.lab.program().find(from.tensor));
    const MatrixExtent extent = shown_extent(node);
    const ShownPlace place = shown_place(node, from.cell);
    GoToForm& form = context.ui.go_to_form;
    const float width = (content.width() - kApart) / 2;
    Answer answer{false, content.top};
    float x = content.left;
    const auto field = [&](const char* id, Axis axis, int n, int now, std::string& text) {
        if (n < 2) return;
        const Rect area = labelled(theme, {x, content.top}, width, title_of(axis) + ", 1 to " + grouped(n));
        const std::string hint = label_or_number(document, axis, now);
        const bool takes_focus = x == content.left && (ImGui::IsWindowAppearing() || form.takes_focus);
        if (takes_focus) form.takes_focus = false;
        const TextEntry entry = text_field(
            theme, {.id = id, .area = area, .hint = hint.c_str(), .takes_focus = takes_focus, .keeps_keyboard = true},
            text);
        answer.goes |= entry.entered;
        if (entry.edited && std::exchange(form.is_kept, false)) (&text == &form.row ? form.col : form.row).clear();
        answer.bottom = area.bottom;
        x = area.right + kApart;
    };
    field("##row", row_axis(node), extent.n_rows, place.row, form.row);
    field("##col", node.presentation.cols, extent.n_cols, place.col, form.col);
    return answer;
}

void go_to(ViewContext& context, const TensorCell& cell) {
    context.selection.visit(cell, context.lab.program());
    context.ui.go_to_form.went_to = cell;
    context.ui.let_keyboard_lead(Approach::to_number);
    context.ui.canvas.revealed.reset(); // a fit scrolls to it, be it the one that was pinned before
}

// Whether it is done with.
bool draw_form(ViewContext& context, const TensorCell& before, const Rect& content) {
    const Theme& theme = context.theme;
    const float below = draw_matrix_choice(context, before, content);
    const TensorCell from = *start(context); // another, where it was chosen now
    const Answer answer = draw_fields(context, from, {content.left, below, content.right, content.bottom});
    const Destination& to = destination(context, from);
    const Color ink = to.error.empty() ? theme.palette.faint : theme.palette.error;
    const float top = answer.bottom + 10;
    const float height = draw_paragraph(*ImGui::GetWindowDrawList(), plain_text(theme, type_size::kControl, ink),
                                        {content.left, top}, to.error.empty() ? to.said : to.error, content.width());
    const DialogAnswer button = dialog_buttons(theme, {"Go there", to.error.empty(), top + height + 18, content.right});
    const bool goes = (answer.goes || button == DialogAnswer::main) && to.error.empty();
    if (goes) go_to(context, to.cell);
    if (button == DialogAnswer::cancel) context.ui.go_to_form = {};
    const bool is_done = goes || button == DialogAnswer::cancel;
    if (is_done) ImGui::CloseCurrentPopup(); // at once: what is gone to is to be seen, and may take long to draw
    end_dialog(top + height + 18 + 32);
    return is_done;
}

} // namespace

void ask_where_to(ViewContext& context) {
    context.ui.go_to_form.tensor.clear();
    const std::optional<TensorCell> from = start(context);
    if (!from) return void(context.ui.key_note = "/ goes to a number; there is none here");
    GoToForm& form = context.ui.go_to_form;
    if (form.went_to != from) form = {};
    form.is_kept = form.went_to.has_value();
    context.ui.go_to_open = true;
}

void draw_go_to_dialog(ViewContext& context) {
    bool& is_open = context.ui.go_to_open;
    const std::optional<TensorCell> from = is_open ? start(context) : std::nullopt;
    is_open = from.has_value();
    Rect content;
    std::string title = "Go to a number";
    if (from && !has_choice(context.lab.program(), seen_matrices(context), *from)) title += " of " + from->tensor;
    if (!begin_dialog(context.theme, {"go-to dialog", title, 440}, is_open, content)) {
        if (from && !is_open) context.ui.go_to_form = {}; // by Esc: nothing that was refused is there the next time
        return;
    }
    if (draw_form(context, *from, content)) is_open = false;
}

} // namespace lab
