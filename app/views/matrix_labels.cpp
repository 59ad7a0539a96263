#include "app/views/matrix_labels.h"

#include <algorithm>

#include "app/session/heads.h"
#include "app/session/labels.h"
#include "app/session/sections.h"
#include "app/views/matrix_metrics.h"
#include "app/widgets/text.h"
#include "engine/derivation.h"
#include "engine/step.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

using namespace matrix_metrics;

constexpr float kBeforeShape = 6; // between formula and shape

std::string shape_text(MatrixExtent extent) {
    return std::to_string(extent.n_rows) + "×" + std::to_string(extent.n_cols);
}

// Whether of a text that is cut to so much room some letters are left.
bool is_read_within(const TextStyle& style, std::string_view text, float room) {
    return room >= std::min(kSomeLetters * style.size, text_width(style, text));
}

struct TitleStyles {
    TextStyle name, formula, shape;
};
TitleStyles title_styles(const Theme& theme, float scale) {
    const Palette& palette = theme.palette;
    return {{theme.fonts.text_semibold, type_size::kText * scale, palette.text, Align::left},
            {theme.fonts.text_italic, type_size::kCell * scale, palette.dim, Align::left},
            {theme.fonts.numbers, type_size::kCaption * scale, palette.faint, Align::right}};
}

// What stands below a name, and the same in less room. Of a guest where it was made.
struct Formulas {
    std::string whole, brief;
};
Formulas formulas(const ViewContext& context, int placed) {
    const Program& program = context.lab.program();
    const int shown = shown_node(context.selection, program, placed);
    if (is_guest(program, context.selection.section, placed)) {
        const bool is_gradient = shown != placed; // it flows the other way
        const std::string way =
            (is_gradient ? "goes back to " : "from ") + section_title(program, program.node(placed).section);
        return {way, way};
    }
    // "X · W_value" beside "X · W_query", however wide they are: "X, one row per token" stands at the inputs.
    const std::string brief = program.short_formula(shown);
    if (program.node(shown).presentation.role == Role::projection) return {brief, brief};
    return {program.formula(shown), brief};
}

// Beside a name, as long or as short as there is room for: "head 2", "h2". Returns what it takes.
float draw_head_beside(const MatrixFrame& frame, ImDrawList& draw_list, ImVec2 at, float room) {
    const int head = frame.view.head.value_or(frame.context.selection.head);
    const std::string whole = shown_head(frame.context.lab.program(), frame.index, head);
    if (whole.empty()) return 0;
    const float scale = frame.view.text_scale, before = kBeforeShape * scale;
    const Theme& theme = frame.context.theme;
    const TextStyle style{theme.fonts.text, type_size::kCell * scale, theme.palette.dim, Align::left};
    for (const std::string& text : {whole, whole.substr(0, 1) + whole.substr(whole.find(' ') + 1)}) {
        if (before + text_width(style, text) <= room)
            return before + draw_text(draw_list, style, {at.x + before, at.y}, text);
    }
    return 0;
}

} // namespace

std::string title_name(const Node& node) {
    const std::string_view of = name_without_gradient(node.name);
    return of == node.name ? short_name(node) : gradient_name(name_in_block(of));
}

std::string shown_head(const Program& program, int node, int head) {
    const HeadLayout layout = head_layout(program, node);
    const int n = n_heads(program);
    if (n < 2 || layout.along != HeadsAlong::planes) return {};
    const int part = shared_plane(head, layout.n_parts, n);
    return (layout.n_parts == n ? "head " : "group ") + std::to_string(part + 1);
}

float title_baseline(const MatrixFrame& frame) {
    return frame.edges.cells.top - (9 + (frame.view.has_col_labels ? kColumnLabels : 0)) * frame.view.text_scale;
}

float draw_title(const MatrixFrame& frame, ImDrawList& draw_list) {
    constexpr float kLeastReadable = 5, kUnbounded = 1e6f;
    const float scale = frame.view.text_scale;
    Rect cells = frame.edges.cells;
    if (scale * type_size::kText < kLeastReadable) return cells.left;
    // As far as its cells are seen the name is.
    const float in_sight = std::min(clip_of(draw_list).left + kAtEdge, cells.right - kLeastSeen);
    const bool is_moved = frame.view.sticks && cells.left < in_sight;
    if (is_moved) cells.left = in_sight;
    const TitleStyles styles = title_styles(frame.context.theme, scale);
    const float baseline = title_baseline(frame);
    if (!frame.view.title.empty()) {
        // Beside what combines several heads stands nothing.
        const float room = frame.view.combined == nullptr ? cells.width() : clip_of(draw_list).right - cells.left - 8;
        return cells.left +
               std::min(room, draw_text_within(draw_list, styles.name, {cells.left, baseline}, frame.view.title, room));
    }
    const float name_lift = frame.view.is_compact ? 0 : 15 * scale;
    const std::string shape = shape_text(frame.extent);
    const float shape_width = text_width(styles.shape, shape) + kBeforeShape * scale;
    const bool leaves_edge = is_moved || frame.edges.covers_left;
    const bool is_unbounded = frame.view.title_room <= 0 && !leaves_edge;
    const float own_end = is_unbounded ? kUnbounded : frame.cells().left + frame.view.title_room + 1;
    const float room = std::max(0.0f, std::max(leaves_edge ? cells.right : 0, own_end) - cells.left);
    const std::string name = title_name(frame.node);
    const float beside_shape = std::max(0.0f, room - (frame.view.is_compact ? shape_width : 0));
    const bool has_shape = is_read_within(styles.name, name, beside_shape);
    const float name_room = has_shape ? beside_shape : room;
    draw_text_within(draw_list, styles.name, {cells.left, baseline - name_lift}, name, name_room);
    float width = std::min(name_room, text_width(styles.name, name));
    width += draw_head_beside(frame, draw_list, {cells.left + width, baseline - name_lift}, name_room - width);
    if (!has_shape) return cells.left + width;
    if (!frame.view.is_compact) {
        const auto [formula, short_formula] = formulas(frame.context, frame.view.node);
        const float below = std::max(0.0f, room - shape_width);
        const bool fits = text_width(styles.formula, formula) <= cells.width() - shape_width;
        const std::string& text = fits ? formula : short_formula;
        width = 0;
        if (is_read_within(styles.formula, text, below))
            width = draw_text_within(draw_list, styles.formula, {cells.left, baseline}, text, below);
    }
    // A narrow matrix has its shape beyond its right edge rather than on its formula.
    const float beside = cells.left + width + shape_width;
    const float right = frame.edges.is_wide ? beside : std::max(cells.right - 1.5f, beside);
    draw_text(draw_list, styles.shape, {right, baseline}, shape);
    return right;
}

TitleWidths title_widths(const ViewContext& context, int node) {
    const Program& program = context.lab.program();
    const Node& subject = program.node(node);
    const TitleStyles styles = title_styles(context.theme, 1);
    const float shape = kBeforeShape + text_width(styles.shape, shape_text(shown_extent(subject)));
    const float below = text_width(styles.formula, formulas(context, node).brief) + shape;
    const Node& named = program.node(shown_node(context.selection, program, node)); // where shown, its gradient
    const float name =
        std::max(text_width(styles.name, title_name(subject)), text_width(styles.name, title_name(named)));
    float beside = 0; // whichever head is chosen
    for (int head = 0; head < n_heads(program); ++head) {
        const std::string word = shown_head(program, node, head);
        if (!word.empty()) beside = std::max(beside, kBeforeShape + text_width(styles.formula, word));
    }
    return {std::max(name + beside, below), name + shape};
}

} // namespace lab
