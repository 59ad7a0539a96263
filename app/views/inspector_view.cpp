#include <optional>
#include <string>

#include "app/session/heads.h"
#include "app/session/query_rows.h"
#include "app/session/sections.h"
#include "app/views/dialogs.h"
#include "app/views/explanation_feeds.h"
#include "app/views/explanation_text.h"
#include "app/views/explanation_widgets.h"
#include "app/views/gradient_choice.h"
#include "app/views/matrix_view.h"
#include "app/views/views.h"
#include "app/widgets/window_flags.h"

namespace lab {

namespace {

constexpr float kHeader = 40;
constexpr float kIcon = 14, kReach = 12; // of the small buttons beside the section's label

// While pointer or keyboard are in the panel, the pinned cell stays the explained one.
std::optional<TensorCell> cell_to_explain(ViewContext& context, const Rect& area) {
    const bool is_worked_on =
        area.contains(ImGui::GetIO().MousePos) || context.ui.keyboard_at == KeyboardPlace::inspector;
    if (is_worked_on && !context.ui.drag) context.selection.hovered.reset();
    std::optional<TensorCell> cell = explained_cell(context);
    if (cell && context.lab.program().find(cell->tensor) < 0) cell.reset();
    return cell;
}

// Beside the label what finds another number; at the right end back, forward and unpin, where there is something to go back to, and
// the chevron that folds the panel.
void draw_header(ViewContext& context, const Rect& area) {
    const ImVec2 label{area.left + spacing::kPanel, area.top + 29};
    const float width = section_label(context.theme, label, "WHY THIS NUMBER");
    const ImVec2 beside{label.x + width + 14, area.top + 25};
    const Tip tip_of_search{.title = "Go to a number by its words", .keys = "/"};
    if (icon_button(context.theme, {"go to", Icon::search, beside, tip_of_search, true, kIcon, kReach}))
        ask_where_to(context);
    Selection& selection = context.selection;
    float x = area.right - spacing::kPanel - 4;
    const auto button = [&](Icon icon, const char* id, const char* tip, bool is_enabled = true) {
        const bool clicked =
            icon_button(context.theme, {id, icon, {x, area.top + 25}, {tip}, is_enabled, kIcon, kReach});
        x -= 24;
        return clicked;
    };
    if (button(Icon::chevron_right, "fold", "Fold this panel")) context.ui.inspector_open = false;
    if (selection.pinned() == nullptr) return;
    x -= 2;
    if (button(Icon::close, "unpin", "Let go of this number")) return selection.let_go();
    if (selection.trail().size() < 2) return;
    const bool forward = button(Icon::chevron_right, "forward", "Forward", selection.can_go_forward());
    const bool back = button(Icon::chevron_left, "back", "Back to the number before", selection.can_go_back());
    if (forward) selection.go_forward(context.lab.program());
    if (back) selection.go_back(context.lab.program());
    if (forward || back) context.ui.approach = Approach::into_view;
}

// "Fill…", where the number is one of a matrix that the document gives.
void draw_origin(Column& column, const Explanation& told) {
    const Theme& theme = column.context.theme;
    draw_heading(column, "given by the document");
    const ImVec2 end{column.right, column.y + 12};
    const float fill_width = text_width(semibold_text(theme, type_size::kList, {}), "Fill…");
    if (text_button(theme, {"fill", "Fill…", end, Align::right, {"Fill this matrix anew"}})) {
        column.context.ui.fill_dialog = told.cell.tensor;
    }
    const std::string origin = told.made_by.empty() ? "typed in, or from a file" : told.made_by;
    const TextStyle style = plain_text(theme, 12, theme.palette.text);
    Column beside{column.context, column.draw_list, column.left, column.right - fill_width - 16, column.y};
    draw_wrapped(beside, style, origin, 18);
    column.y = beside.y + 10;
}

// "= e^(1.2806 − 1.3098) / Σ" and, dimmer, "= 0.9712 / 4.4173"; or why the number is what it is by definition.
// Of a masked weight first of all that it is one.
void draw_formula(Column& column, const Explanation& told) {
    constexpr float kLine = 20;
    const Theme& theme = column.context.theme;
    if (!told.masked.empty()) {
        draw_wrapped(column, plain_text(theme, type_size::kText, theme.palette.text), told.masked, kLine);
        column.y += 4;
    }
    const TextStyle formula = number_text(theme, 13, theme.palette.text);
    for (std::size_t i = 0; i < told.formula.size(); ++i) {
        draw_wrapped(column, formula, (i == 0 ? "= " : "") + told.formula[i], kLine);
    }
    if (!told.evaluated.empty())
        draw_wrapped(column, number_text(theme, 13, theme.palette.dim), "= " + told.evaluated, kLine);
    for (const std::string& name : told.named)
        draw_wrapped(column, number_text(theme, type_size::kCell, theme.palette.dim), name, kLine);
    if (!told.reason.empty())
        draw_wrapped(column, plain_text(theme, type_size::kText, theme.palette.text), told.reason, kLine);
}

// Of a tensor that stands folded on the canvas, where its cells cannot be seen: "scaled_scores is folded: show it".
void draw_fold_note(Column& column, const std::string& tensor) {
    const Program& program = column.context.lab.program();
    const int node = program.find(tensor);
    if (node < 0 || column.context.selection.unfolds(program.node(node))) return;
    const std::string text = short_name(program.node(node)) + " is folded: show it";
    const TextButton button{.id = tensor.c_str(),
                            .text = text,
                            .baseline = {column.left, column.y + 14},
                            .tip = {.title = "Unfold it on the canvas, where the cells are then lit"}};
    if (text_button(column.context.theme, button)) column.context.selection.toggle_fold(tensor);
    column.y += 22;
}

void draw_fold_notes(Column& column, const Explanation& told) {
    for (const int tensor : told.tensors_read) draw_fold_note(column, column.context.lab.program().node(tensor).name);
}

void draw_letters(Column& column, const Explanation& told) {
    if (told.letters.empty()) return;
    column.y += 4;
    draw_wrapped(column, plain_text(column.context.theme, type_size::kCell, column.palette().faint), told.letters, 16);
}

void draw_number(Column& column, const Explanation& told) {
    const Theme& theme = column.context.theme;
    const TextStyle name = semibold_text(theme, type_size::kText, theme.palette.text);
    draw_text_within(column.draw_list, name, {column.left, column.y + 19}, told.cell.tensor, column.width());
    column.y += 27;
    draw_meaning(column, told.meaning, type_size::kList);
    draw_letters(column, told);
    draw_fold_note(column, told.cell.tensor);
    TextStyle number = number_text(theme, type_size::kNumber, theme.palette.text);
    const float width = text_width(number, told.value);
    if (width > column.width()) number.size *= column.width() / width;
    // Semibold, which the face does not have: the regular one drawn twice.
    for (const float shift : {0.0f, 0.6f})
        draw_text(column.draw_list, number, {column.left + shift, column.y + 37}, told.value);
    column.y += 54;
}

void draw_explanation(Column& column, const Explanation& told) {
    if (tells_of_another_cell(told)) ImGui::SetScrollY(0);
    draw_number(column, told);
    draw_formula(column, told);
    column.y += told.formula.empty() && told.reason.empty() ? 4 : 12;
    draw_divider(column);
    if (told.is_given) draw_origin(column, told);
    if (told.terms_kind != TermsKind::none) {
        draw_heading(column, told.terms_heading);
        draw_fold_notes(column, told);
        draw_terms(column, told);
        column.y += 8;
    }
    if (!told.feeds.empty()) {
        if (told.is_given || told.terms_kind != TermsKind::none) draw_divider(column);
        draw_heading(column, "feeds");
        column.y -= 4;
        draw_feeds(column, told);
    }
    column.y += 10;
    draw_card(column, told.answers);
}

// While one goes step by step: what the number is comes later.
void draw_not_yet(Column& column, const TensorCell& cell) {
    ViewContext& context = column.context;
    const Theme& theme = context.theme;
    const Program& program = context.lab.program();
    const TextStyle name = semibold_text(theme, type_size::kText, theme.palette.text);
    draw_text_within(column.draw_list, name, {column.left, column.y + 19}, cell.tensor, column.width());
    column.y += 34;
    const TextStyle style = plain_text(theme, type_size::kText, theme.palette.dim);
    draw_wrapped(column, style, "Not computed yet. " + not_yet_text(cell, program), 20);
    const ImVec2 baseline{column.left, column.y + 20};
    if (text_button(theme, {.id = "go there", .text = "Go to that step", .baseline = baseline}))
        context.selection.shown_stage = program.node(program.find(cell.tensor)).stage;
    column.y += 28;
}

// The row of the tensor that the chosen query's path runs along; absent where it passes by.
std::optional<int> row_on_path(const Document& document, const Node& node, int query) {
    const Role role = node.presentation.role;
    const bool is_of_a_token = role == Role::embedding || role == Role::projection || role == Role::scores ||
                               role == Role::weights || role == Role::context || role == Role::hidden;
    return is_of_a_token && !node.presentation.folded ? row_of_query(document, node, query) : std::nullopt;
}

// "the path of journey"; of several heads it runs through the chosen one, "the path of journey in head 2".
std::vector<TextPart> path_heading(const ViewContext& context) {
    std::vector<TextPart> parts{{shows_slopes(context) ? "gradients on the path of " : "the path of ", false},
                                {told_label(context.lab.document(), Axis::queries, context.selection.query), true}};
    if (n_heads(context.lab.program()) < 2) return parts;
    parts.push_back({" in ", false});
    parts.push_back({axis_label(context.lab.document(), Axis::heads, context.selection.head), true});
    return parts;
}

// Nothing is chosen: what to do, and the path of the chosen query, its own query, key and value first of all.
void draw_path(Column& column) {
    ViewContext& context = column.context;
    const Document& document = context.lab.document();
    const Program& program = context.lab.program();
    const int query = context.selection.query;
    const TextStyle style = plain_text(context.theme, type_size::kText, context.theme.palette.text);
    column.y += 6;
    draw_wrapped(
        column, style,
        "Point at any number to see the sum that made it. Click to keep it here and follow it back to the inputs.", 20);
    column.y += 12;
    draw_divider(column);
    column.y += 10;
    draw_meaning(column, path_heading(context), type_size::kList);
    column.y += 4;
    for (int i : nodes_on_canvas(context.selection, program)) {
        const Node& node = program.node(i);
        const Range planes = block_of_head(program, i, context.selection.head).planes;
        const std::optional<int> row = row_on_path(document, node, query);
        if (!row || !context.selection.shows(node)) continue;
        const Rect place{column.left - 6, column.y, column.right + 6, column.y + 44};
        const int shown = shown_node(context.selection, program, i);
        const Node& told = program.node(shown);
        lead_to(context, link(context, place, told.name), {told.name, {planes.begin, *row, 0}});
        const TextStyle name = semibold_text(context.theme, type_size::kList, style.color);
        draw_text_within(column.draw_list, name, {column.left, column.y + 17}, short_name(told), column.width());
        const std::string text =
            block_text(document, context.lab.trace(), shown, {planes, Range::at(*row), {0, told.shape.cols}});
        const TextStyle numbers = number_text(context.theme, 12, context.theme.palette.dim);
        draw_text(column.draw_list, numbers, {column.left, column.y + 36},
                  fitting_numbers(numbers, text.substr(text.find("= ") + 2), column.width()));
        column.y += 46;
    }
}

// What is left of the folded panel: a chevron at its right end.
void draw_folded_inspector(ViewContext& context, const Rect& area) {
    const ImVec2 center{area.right - 14, area.top + 25};
    if (icon_button(context.theme, {"unfold", Icon::chevron_left, center, {"Why this number"}, true, kIcon, kReach})) {
        context.ui.inspector_open = true;
    }
}

void draw_open(ViewContext& context, const Rect& area) {
    draw_header(context, area);
    ImGui::SetCursorScreenPos({area.left, area.top + kHeader});
    ImGui::BeginChild("##explanation", {area.width(), area.height() - kHeader}, ImGuiChildFlags_NavFlattened);
    const float top = ImGui::GetCursorScreenPos().y;
    Column column{context, *ImGui::GetWindowDrawList(), area.left + spacing::kPanel, area.right - spacing::kPanel, top};
    const std::optional<TensorCell> cell = cell_to_explain(context, area);
    if (!cell)
        draw_path(column);
    else if (is_reached(context, *cell))
        draw_explanation(column, explanation_of(context, *cell));
    else
        draw_not_yet(column, *cell);
    ImGui::SetCursorScreenPos({area.left, top});
    ImGui::Dummy({1, column.y + spacing::kPanel - top}); // so that it scrolls
    ImGui::EndChild();
}

} // namespace

void draw_inspector(ViewContext& context, const Rect& area) {
    context.ui.lit_by_list.reset();
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    ImGui::Begin("##inspector", nullptr, kSideBySide | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::GetWindowDrawList()->AddRectFilled(area.min(), {area.left + 1, area.bottom},
                                              context.theme.palette.line.u32());
    if (context.ui.inspector_open)
        draw_open(context, area);
    else
        draw_folded_inspector(context, area);
    ImGui::End();
}

} // namespace lab
