#include "app/views/matrix_labels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/session/heads.h"
#include "app/session/labels.h"
#include "app/session/query_rows.h"
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
    return {program.formula(shown), program.short_formula(shown)};
}

// Which of many labels are written: of every so many one, at places that people count by (1, 10, 20, …).
struct LabelPlaces {
    int apart = 1;  // nearer to each other they would touch
    int stride = 1; // at least as much: 1, 2 or 5 with zeros

    explicit LabelPlaces(float least) : apart(std::max(1, static_cast<int>(std::ceil(least)))) {
        constexpr int kSteps[] = {1, 2, 5};
        for (int i = 0; stride < apart; ++i) stride = kSteps[i % 3] * static_cast<int>(std::pow(10, i / 3));
    }
    bool touch(int a, int b) const { return b >= 0 && std::abs(a - b) < apart; }
    template <class Draw> void for_each(Range seen, Draw draw) const {
        const int first = stride - 1;
        if (seen.contains(0) && (stride == 1 || !touch(0, first))) draw(0);
        const int begin = std::max(stride == 1 ? 1 : first, seen.begin / stride * stride + first);
        for (int i = begin; i < seen.end; i += stride) draw(i);
    }
};

TextStyle label_style(const Theme& theme, float size, bool is_chosen, Align align) {
    return {is_chosen ? theme.fonts.text_semibold : theme.fonts.text, size,
            is_chosen ? theme.palette.accent : theme.palette.dim, align};
}

Axis row_axis(const Node& node) {
    return node.presentation.slice_by_query ? node.presentation.planes : node.presentation.rows;
}

void draw_row_label(const MatrixFrame& frame, ImDrawList& draw_list, int row, bool is_chosen) {
    const float scale = frame.view.text_scale;
    const float size = type_size::kLabel * scale;
    const Rect rect = frame.cell_rect(row, 0);
    const float middle = rect.center().y;
    if (frame.edges.covers_top && middle < frame.edges.cells.top) return;
    if (frame.edges.below.height() > 0 && middle + size / 2 > frame.edges.below.top) return;
    draw_text_within(draw_list, label_style(frame.context.theme, size, is_chosen, Align::right),
                     {frame.edges.cells.left - kRowLabelGap * scale, middle + size * 0.35f},
                     axis_label(frame.context.lab.document(), row_axis(frame.node), row), kMostRowLabel * scale);
}

void draw_col_label(const MatrixFrame& frame, ImDrawList& draw_list, int col, float size, float room) {
    const bool is_chosen = frame.explained && frame.explained->col == col;
    const std::string text = axis_label(frame.context.lab.document(), frame.node.presentation.cols, col);
    const TextStyle style = label_style(frame.context.theme, size, is_chosen, Align::center);
    // Over narrow cells the first one's words begin where the cells do: left of them stand those of the rows.
    const float half = std::min(room, text_width(style, text)) / 2, center = frame.cell_rect(0, col).center().x;
    const float least = std::min(frame.cells().left + half, frame.cells().right - half);
    const Rect clip = clip_of(draw_list);
    const float right =
        frame.view.head ? std::min(clip.right, frame.cells().right) : clip.right; // beside it is another
    const float x = std::max(is_chosen ? std::min(center, right - half) : center, least);
    if (!is_chosen && (x - half < clip.left || x + half > right)) return; // half a word reads as another one
    draw_text_within(draw_list, style, {x, frame.edges.cells.top - 6 * frame.view.text_scale}, text, room);
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

float widest_label(const Theme& theme, const std::vector<std::vector<std::string>>& lists) {
    constexpr float kLeast = 24;
    const TextStyle style = label_style(theme, type_size::kLabel, true, Align::left);
    float widest = kLeast;
    for (const auto& words : lists) {
        for (const std::string& word : words) {
            if (widest >= kMostRowLabel) return kMostRowLabel;
            // No character is so wide: what cannot be wider is not measured, be there many thousands.
            if (static_cast<float>(word.size()) * 1.5f * style.size <= widest) continue;
            widest = std::max(widest, text_width(style, word));
        }
    }
    return std::min(widest, kMostRowLabel);
}

} // namespace

std::string title_name(const Node& node) {
    constexpr std::string_view kGradient = "grad.";
    const std::string_view name = node.name;
    if (name.substr(0, kGradient.size()) != kGradient) return short_name(node);
    return std::string(kGradient) + std::string(name_in_block(name.substr(kGradient.size())));
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
    const Rect cells = frame.edges.cells;
    if (scale * type_size::kText < kLeastReadable) return cells.left;
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
    const bool is_at_own_edge = !frame.edges.covers_left;
    const float room = !is_at_own_edge             ? cells.width()
                       : frame.view.title_room > 0 ? frame.view.title_room + 1
                                                   : kUnbounded;
    const float name_room = room - (frame.view.is_compact ? shape_width : 0);
    const std::string name = title_name(frame.node);
    draw_text_within(draw_list, styles.name, {cells.left, baseline - name_lift}, name, name_room);
    float width = std::min(name_room, text_width(styles.name, name));
    width += draw_head_beside(frame, draw_list, {cells.left + width, baseline - name_lift}, name_room - width);
    if (!frame.view.is_compact) {
        const auto [formula, short_formula] = formulas(frame.context, frame.view.node);
        const bool fits = text_width(styles.formula, formula) <= cells.width() - shape_width;
        const std::string& text = fits ? formula : short_formula;
        draw_text_within(draw_list, styles.formula, {cells.left, baseline}, text, room - shape_width);
        width = std::min(room - shape_width, text_width(styles.formula, text));
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
    const std::string head = shown_head(program, node, context.selection.head);
    const float beside = head.empty() ? 0 : kBeforeShape + text_width(styles.formula, head);
    return {std::max(name + beside, below), name + shape};
}

void draw_row_labels(const MatrixFrame& frame, ImDrawList& draw_list) {
    const LabelPlaces places(type_size::kLabel * frame.view.text_scale * 1.25f / frame.view.pitch.y);
    const Range rows = frame.visible_rows(clip_of(draw_list));
    const Document& document = frame.context.lab.document();
    const bool is_marked = words_choose_query(frame.node) && frame.context.selection.points_at_query;
    const int query = is_marked ? row_of_query(document, frame.node, frame.query).value_or(-1) : -1;
    const int explained = frame.explained ? frame.row_of(*frame.explained) : -1;
    // A chosen word stands wherever its row is, and those that it would touch make way.
    places.for_each(rows, [&](int row) {
        if (!places.touch(row, explained) && !places.touch(row, query)) draw_row_label(frame, draw_list, row, false);
    });
    if (rows.contains(explained)) draw_row_label(frame, draw_list, explained, true);
    if (rows.contains(query) && !places.touch(query, explained)) draw_row_label(frame, draw_list, query, true);
}

// Measured when words are others: most edits leave thousands of them as they are.
float row_label_width(const ViewContext& context) {
    constexpr std::size_t kMostMeasured = 1000;
    const Document& document = context.lab.document();
    std::vector<const std::vector<std::string>*> lists{&document.tokens, &document.context_tokens};
    const auto& nodes = context.lab.program().nodes;
    const bool has_table = std::any_of(nodes.begin(), nodes.end(),
                                       [](const Node& node) { return node.presentation.rows == Axis::vocabulary; });
    if (has_table && document.vocabulary.size() <= kMostMeasured) lists.push_back(&document.vocabulary);
    MeasuredWords& known = context.ui.row_labels;
    const auto is_known = [](const std::vector<std::string>& before, const auto* now) { return before == *now; };
    if (!std::equal(known.lists.begin(), known.lists.end(), lists.begin(), lists.end(), is_known)) {
        known.lists.clear();
        for (const auto* words : lists) known.lists.push_back(*words);
        known.width = widest_label(context.theme, known.lists);
    }
    return known.width;
}

namespace {

// How wide the words above columns are at this size, the widest of them.
float col_label_width(const MatrixFrame& frame, float size) {
    const Axis axis = frame.node.presentation.cols;
    const std::string last = axis_label(frame.context.lab.document(), axis, frame.extent.n_cols - 1);
    const float of_last = text_width(label_style(frame.context.theme, size, true, Align::center), last);
    const float of_words = axis == Axis::keys ? row_label_width(frame.context) * size / type_size::kLabel : 0;
    return std::min(std::max(of_last, of_words), kMostRowLabel * frame.view.text_scale);
}

} // namespace

// Few columns are all labelled, be it with cut words; of many, and where there is no room, every so many with whole ones.
void draw_col_labels(const MatrixFrame& frame, ImDrawList& draw_list) {
    constexpr float kMostAlone = 200; // the explained one's, which the others make way for
    constexpr int kMany = 64;
    constexpr float kApart = 3; // whole words side by side
    const float size = type_size::kLabel * frame.view.text_scale, pitch = frame.view.pitch.x;
    const Axis axis = frame.node.presentation.cols;
    const bool are_words = axis == Axis::keys || axis == Axis::vocabulary; // of two letters each nothing is left
    const bool are_all = pitch >= size * (are_words ? 3.2f : 2.2f) && frame.extent.n_cols < kMany;
    const float wide = are_all ? pitch - kApart : col_label_width(frame, size), between = 0.8f * size;
    const LabelPlaces places(are_all ? 1 : (wide + between) / pitch);
    const Range cols = frame.visible_cols(clip_of(draw_list));
    const int explained = frame.explained ? frame.explained->col : -1;
    places.for_each(cols, [&](int col) {
        const float room = are_all ? wide : wide + between; // the last one is not always the widest
        if (!places.touch(col, explained)) draw_col_label(frame, draw_list, col, size, room);
    });
    if (explained >= 0) draw_col_label(frame, draw_list, explained, size, are_all ? wide : kMostAlone);
}

} // namespace lab
