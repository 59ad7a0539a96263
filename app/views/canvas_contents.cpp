#include "app/views/canvas_contents.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/session/sections.h"
#include "app/session/trace_text.h"
#include "app/views/canvas_camera.h"
#include "app/views/canvas_frame.h"
#include "app/views/canvas_layout.h"
#include "app/views/matrix_cells.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_picture.h"
#include "app/views/matrix_view.h"

namespace lab {

namespace {

// A mask that the document gives comes in from the left, where there is room below what the scores are made from.
int column_of(const Node& node) {
    const bool is_given_mask = node.is_leaf() && node.presentation.role == Role::mask;
    return std::max(0, node.presentation.column - (is_given_mask ? 1 : 0));
}

// Nothing stands left of what it is made from, in sections that share columns with others.
void move_behind_operands(const Program& program, std::vector<LayoutItem>& items) {
    std::map<int, int> columns; // by node
    for (LayoutItem& item : items) {
        for (int operand : program.node(item.node).operands) {
            const auto found = columns.find(operand);
            if (found != columns.end()) item.column = std::max(item.column, found->second);
        }
        if (!item.is_guest) columns[item.node] = item.column;
    }
}

LayoutItem layout_item(const ViewContext& context, int index) {
    const Node& node = context.lab.program().node(index);
    const Presentation& shown = node.presentation;
    const MatrixExtent extent = shown_extent(node);
    const TitleWidths widths = title_widths(context, index);
    const bool guest = is_guest(context.lab.program(), context.selection.section, index);
    return {.node = index,
            .is_guest = guest,
            .n_rows = extent.n_rows,
            .n_cols = extent.n_cols,
            .column = column_of(node),
            .branch = guest ? Branch::none : shown.branch,
            .role = shown.role,
            .is_folded = !context.selection.unfolds(node),
            .is_between_tokens = shown.cols == Axis::keys,
            .wants_legend = has_explained_colors(node),
            .has_masked_keys = may_have_masked_keys(context.lab.program(), index),
            .has_words = are_words(shown.rows),
            .has_word_columns = shown.cols == Axis::vocabulary,
            .is_table_of_words = shown.rows == Axis::vocabulary,
            .title_width = widths.full,
            .compact_title_width = widths.compact};
}

// The node that stands open now and was folded before; −1: none, or another section.
int just_unfolded(const ViewContext& context, const KeptLayout& before) {
    if (before.section != context.selection.section || before.opening != context.lab.opening()) return -1;
    for (const std::string& name : context.selection.unfolded) {
        if (before.folds.unfolded.count(name) == 0) return context.lab.program().find(name);
    }
    return -1;
}

} // namespace

int refresh_layout(ViewContext& context, ImVec2 size) {
    KeptLayout& kept = context.ui.canvas;
    const bool is_fresh = kept.form == context.lab.form() && kept.folds.holds_for(context.selection) &&
                          kept.section == context.selection.section &&
                          kept.shows_gradient == context.selection.shows_gradient && kept.request.view.x == size.x &&
                          kept.request.view.y == size.y && kept.request.texel == least_texel();
    if (is_fresh) return -1;
    const int unfolded = just_unfolded(context, kept);
    const bool is_section = n_sections(context.lab.program()) > 1;
    LayoutRequest request{{}, row_label_width(context), size, is_section, least_texel()};
    for (int i : nodes_on_canvas(context.selection, context.lab.program()))
        request.items.push_back(layout_item(context, i));
    move_behind_operands(context.lab.program(), request.items);
    const bool is_other_document = std::exchange(kept.opening, context.lab.opening()) != context.lab.opening();
    const bool is_other_section = std::exchange(kept.section, context.selection.section) != context.selection.section;
    if (is_other_document || is_other_section) look_anew(context);
    if (is_other_document) reveal_explained(context);
    kept.form = context.lab.form();
    kept.folds = FoldState(context.selection);
    kept.shows_gradient = context.selection.shows_gradient;
    if (request != kept.request) {
        kept.layout = lay_out(request);
        kept.request = std::move(request);
        ++kept.n_layouts;
    }
    lay_out_edges(context.lab.program(), kept.layout);
    return unfolded;
}

} // namespace lab
