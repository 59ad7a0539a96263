#include <algorithm>
#include <optional>
#include <string>

#include "app/views/explanation_feeds.h"
#include "app/views/explanation_widgets.h"
#include "app/views/matrix_view.h"
#include "app/views/views.h"

namespace lab {

namespace {

constexpr float kHeader = 40;

// While the pointer is in the panel, what its rows light is hovered: the pinned cell stays the explained one.
std::optional<TensorCell> cell_to_explain(const ViewContext& context, const Rect& area) {
    const TensorCell* pinned = context.selection.pinned();
    const bool pointer_is_here = area.contains(ImGui::GetIO().MousePos);
    std::optional<TensorCell> cell = explained_cell(context);
    if (pointer_is_here) cell = pinned ? std::optional(*pinned) : std::nullopt;
    if (cell && context.lab.program().find(cell->tensor) < 0) cell.reset();
    return cell;
}

// Back, forward and unpin, where there is something to go back to; and the chevron that folds the panel.
void draw_header(ViewContext& context, const Rect& area) {
    ImDrawList& draw_list = *ImGui::GetWindowDrawList();
    const TextStyle style = strong(context.theme, type_size::kCaption, context.theme.palette.faint);
    draw_text(draw_list, style, {area.left + spacing::kPanel, area.top + 29}, "WHY THIS NUMBER");
    Selection& selection = context.selection;
    float x = area.right - spacing::kPanel - 4;
    const auto button = [&](Glyph glyph, const char* id, const char* tooltip, bool is_enabled = true) {
        const bool clicked = glyph_button(context, {x, area.top + 25}, glyph, id, tooltip, is_enabled);
        x -= 24;
        return clicked;
    };
    if (button(Glyph::right, "fold", "Fold this panel")) context.ui.inspector_open = false;
    if (selection.pinned() == nullptr) return;
    x -= 2;
    if (button(Glyph::cross, "unpin", "Let go of this number")) return selection.unpin();
    if (selection.trail().size() < 2) return;
    const bool forward = button(Glyph::right, "forward", "Forward", selection.can_go_forward());
    const bool back = button(Glyph::left, "back", "Back to the number before", selection.can_go_back());
    if (forward) selection.go_forward(context.lab.program());
    if (back) selection.go_back(context.lab.program());
}

// "Fill…", where the number is one of a matrix that the document gives.
void draw_origin(Column& column, const Explanation& told) {
    const Theme& theme = column.context.theme;
    draw_heading(column, "given by the document");
    const float baseline = column.y + 12;
    const TextStyle fill = strong(theme, 12, theme.palette.text, Align::right);
    const float fill_width = text_width(fill, "Fill…");
    const Rect place{column.right - fill_width - 6, column.y - 4, column.right + 6, column.y + 20};
    if (link(column.context, place, "fill").clicked) column.context.ui.fill_dialog = told.cell.tensor;
    draw_text(column.draw_list, fill, {column.right, baseline}, "Fill…");
    const std::string origin = told.made_by.empty() ? "typed in, or from a file" : told.made_by;
    const TextStyle style = words(theme, 12, theme.palette.text);
    column.y += draw_paragraph(column.draw_list, style, {column.left, column.y}, origin, column.width() - fill_width - 16);
    column.y += 10;
}

// "= e^(1.2806 − 1.3098) / Σ" and, dimmer, "= 0.9712 / 4.4173".
void draw_formula(Column& column, const Explanation& told) {
    const Theme& theme = column.context.theme;
    bool is_first = true;
    const auto line = [&](const std::string& text, Color color, bool begins) {
        const TextStyle style = figures(theme, 13, color);
        column.y += draw_paragraph(column.draw_list, style, {column.left, column.y}, (begins ? "= " : "") + text, column.width());
    };
    for (const std::string& text : told.formula) {
        line(text, theme.palette.text, is_first);
        is_first = false;
    }
    if (!told.evaluated.empty()) line(told.evaluated, theme.palette.dim, true);
}

void draw_number(Column& column, const Explanation& told) {
    const Theme& theme = column.context.theme;
    const TextStyle name = strong(theme, type_size::kText, theme.palette.text);
    draw_text_within(column.draw_list, name, {column.left, column.y + 19}, told.cell.tensor, column.width());
    column.y += 27;
    draw_meaning(column, told.meaning, type_size::kList);
    TextStyle number = figures(theme, type_size::kNumber, theme.palette.text);
    number.font = theme.fonts.numbers_bold;
    const float width = text_width(number, told.value);
    if (width > column.width()) number.size *= column.width() / width;
    draw_text(column.draw_list, number, {column.left, column.y + 38}, told.value);
    column.y += 54;
}

void draw_explanation(Column& column, const Explanation& told) {
    draw_number(column, told);
    draw_formula(column, told);
    column.y += 8;
    draw_divider(column);
    if (told.is_given) draw_origin(column, told);
    if (told.terms_kind != TermsKind::none) {
        draw_heading(column, told.terms_heading);
        draw_terms(column, told);
        column.y += 12;
    }
    if (!told.feeds.empty()) {
        if (told.is_given || told.terms_kind != TermsKind::none) draw_divider(column);
        draw_heading(column, "goes on to");
        column.y -= 10;
        draw_feeds(column, told);
    }
    column.y += 14;
    draw_card(column, told.answers);
}

// A row of numbers that the chosen query's path runs along.
bool is_on_path(const Node& node, int query) {
    const Role role = node.presentation.role;
    const bool is_of_a_token = role == Role::embedding || role == Role::projection || role == Role::scores ||
                               role == Role::weights || role == Role::context;
    return is_of_a_token && node.shape.rank == 2 && query < node.shape.rows && !node.presentation.folded;
}

// Nothing is chosen: what to do, and the path of the chosen query, its own query, key and value first of all.
void draw_path(Column& column) {
    ViewContext& context = column.context;
    const Document& document = context.lab.document();
    const Program& program = context.lab.program();
    const int query = context.selection.query;
    const TextStyle style = words(context.theme, type_size::kText, context.theme.palette.text);
    column.y += 6;
    column.y += draw_paragraph(column.draw_list, style, {column.left, column.y},
                               "Point at any number to see the sum that made it. Click to keep it here and follow it "
                               "back to the inputs.", column.width());
    column.y += 12;
    draw_divider(column);
    column.y += 10;
    draw_meaning(column, {{"the path of ", false}, {axis_label(document, Axis::queries, query), true}}, type_size::kList);
    column.y += 4;
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const Node& node = program.nodes[static_cast<std::size_t>(i)];
        if (!is_on_path(node, query)) continue;
        const Rect place{column.left - 6, column.y, column.right + 6, column.y + 44};
        lead_to(context, link(context, place, node.name), {node.name, {0, query, 0}});
        draw_text_within(column.draw_list, strong(context.theme, 12.5f, style.color), {column.left, column.y + 17},
                         node.name, column.width());
        draw_text_within(column.draw_list, figures(context.theme, 12, context.theme.palette.dim), {column.left, column.y + 36},
                         block_text(document, context.lab.trace(), i, {{0, 1}, Range::at(query), {0, node.shape.cols}}), column.width());
        column.y += 46;
    }
}

// What is left of the folded panel: a chevron at its right end.
void draw_folded(ViewContext& context, const Rect& area) {
    if (glyph_button(context, {area.right - 14, area.top + 25}, Glyph::left, "unfold", "Why this number")) {
        context.ui.inspector_open = true;
    }
}

void draw_open(ViewContext& context, const Rect& area) {
    draw_header(context, area);
    ImGui::SetCursorScreenPos({area.left, area.top + kHeader});
    ImGui::BeginChild("##explanation", {area.width(), area.height() - kHeader});
    const float top = ImGui::GetCursorScreenPos().y;
    Column column{context, *ImGui::GetWindowDrawList(), area.left + spacing::kPanel, area.right - spacing::kPanel, top};
    if (const auto cell = cell_to_explain(context, area)) draw_explanation(column, explanation_of(context, *cell));
    else draw_path(column);
    ImGui::SetCursorScreenPos({area.left, top});
    ImGui::Dummy({1, column.y + spacing::kPanel - top}); // so that it scrolls
    ImGui::EndChild();
}

} // namespace

void draw_inspector(ViewContext& context, const Rect& area) {
    ImGui::SetNextWindowPos(area.min());
    ImGui::SetNextWindowSize(area.size());
    constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                        ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin("##inspector", nullptr, kFixed);
    ImGui::GetWindowDrawList()->AddRectFilled(area.min(), {area.left + 1, area.bottom}, context.theme.palette.line.u32());
    if (context.ui.inspector_open) draw_open(context, area);
    else draw_folded(context, area);
    ImGui::End();
}

} // namespace lab
