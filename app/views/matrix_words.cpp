#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "app/session/labels.h"
#include "app/session/query_rows.h"
#include "app/views/matrix_labels.h"
#include "app/views/matrix_metrics.h"
#include "app/widgets/text.h"

// Words beside rows and above columns.
namespace lab {

namespace {

using namespace matrix_metrics;

// Which of many labels are written: every other one from the first, or of every so many one at places that people count by (1, 10, 20,
// …).
struct LabelPlaces {
    int apart = 1;      // nearer to each other they would touch
    int stride = 1;     // at least as much: 1, 2 or 5 with zeros
    float of_first = 0; // at least so far from the first one is the next

    explicit LabelPlaces(float least, float least_of_first = 0)
        : apart(std::max(1, static_cast<int>(std::ceil(least)))), of_first(std::max(least, least_of_first)) {
        constexpr int kSteps[] = {1, 2, 5};
        const auto is_narrow = [&] { return stride < apart || (stride == 2 && of_first > 2); };
        for (int i = 0; is_narrow(); ++i) stride = kSteps[i % 3] * static_cast<int>(std::pow(10, i / 3));
    }
    template <class Draw> void for_each(Range seen, Draw draw) const {
        const int first = stride == 2 ? 0 : stride - 1;
        if (seen.contains(0) && (stride == 1 || static_cast<float>(first) >= of_first)) draw(0);
        const int begin = std::max(stride == 1 ? 1 : first, seen.begin / stride * stride + first);
        for (int i = begin; i < seen.end; i += stride) draw(i);
    }
};

TextStyle label_style(const Theme& theme, float size, bool is_chosen, Align align) {
    return {is_chosen ? theme.fonts.text_semibold : theme.fonts.text, size,
            is_chosen ? theme.palette.accent : theme.palette.dim, align};
}

// How a word beside a row is written: the lines of dimmed ones touch a chosen one's.
enum class Writing { plain, dimmed, chosen };

void draw_row_label(const MatrixFrame& frame, ImDrawList& draw_list, int row, Writing writing) {
    constexpr float kDimmed = 0.5f, kOfLetters = 0.7f; // of the size
    const Palette& palette = frame.context.theme.palette;
    const float scale = frame.view.text_scale, size = type_size::kLabel * scale;
    const Rect seen = seen_cells(frame, clip_of(draw_list)), cell = frame.cell_rect(row, 0);
    const float half = kOfLetters * size / 2, right = frame.edges.cells.left - kRowLabelGap * scale;
    const float middle = middle_of_row(cell, seen, std::max(size, number_size(frame.view)));
    if (frame.edges.covers_top && middle - half < seen.top) return;
    if (frame.edges.below.height() > 0 && middle + half > seen.bottom) return;
    const bool is_chosen = writing == Writing::chosen;
    TextStyle style = label_style(frame.context.theme, size, is_chosen, Align::right);
    if (writing == Writing::dimmed) style.color = mix(palette.background, style.color, kDimmed);
    const std::string text = axis_label(frame.context.lab.document(), row_axis(frame.node), row);
    constexpr float kTwoLetters = 2; // of the size, with what stands for the others
    const float room = row_word_room(frame.view, frame.edges, clip_of(draw_list));
    if (room < kTwoLetters * size && room < text_width(style, text)) return;
    draw_text_within(draw_list, style, {right, middle + size * 0.35f}, text, room);
}

// A word above a column, and where it stands.
struct ColumnWord {
    std::string text;
    TextStyle style;
    float left = 0, right = 0;
};

std::optional<ColumnWord> column_word(const MatrixFrame& frame, const ImDrawList& draw_list, int col, float room) {
    const bool is_chosen = frame.explained && frame.explained->col == col;
    const float size = type_size::kLabel * frame.view.text_scale;
    ColumnWord word{axis_label(frame.context.lab.document(), frame.node.presentation.cols, col),
                    label_style(frame.context.theme, size, is_chosen, Align::left)};
    // Over narrow cells the first one's words begin where the cells do: left of them stand those of the rows.
    const float half = std::min(room, text_width(word.style, word.text)) / 2;
    const float least = std::min(frame.cells().left + half, frame.cells().right - half);
    const Rect clip = clip_of(draw_list), seen = seen_cells(frame, clip), cell = frame.cell_rect(0, col);
    // Of a column that is seen in part it stands above that, where the numbers do.
    const Rect part = cell.intersection(seen);
    const bool has_room = 2 * half <= part.width(), had_room = 2 * half <= cell.width();
    const float center = (has_room ? part : cell).center().x;
    const float right =
        frame.view.head ? std::min(clip.right, frame.cells().right) : clip.right; // beside it is another
    const float most = std::min(right, clip.right - kAtEdge) - half;
    // Of a column that is seen in part the chosen word stands whole at the view's edge.
    const float in_sight = std::max(std::min(center, most), clip.left + half);
    const float x = std::max(is_chosen ? in_sight : center, least);
    const bool is_in_sight = x - half >= clip.left && x + half <= right && (has_room || !had_room);
    if (!is_chosen && !is_in_sight) return std::nullopt; // half a word reads as another
    word.left = x - half;
    word.right = x + half;
    return word;
}

// What makes way for it: the chosen word may be longer than those that the places are made for.
struct ChosenColumn {
    std::optional<ColumnWord> word;
    float apart = 0;        // from others
    bool cuts_them = false; // else those that it would cover are left out
};

// Whole, or where the chosen word would cover it cut: it keeps its outer end. Where next to nothing is left of it, it makes way.
void draw_column_word(const MatrixFrame& frame, ImDrawList& draw_list, ColumnWord word, const ChosenColumn& beside) {
    constexpr float kRounding = 0.5f; // in points
    const float baseline = frame.edges.cells.top - 6 * frame.view.text_scale;
    const std::optional<ColumnWord>& chosen = beside.word;
    const float apart = beside.apart;
    if (!chosen || word.right <= chosen->left - apart || word.left >= chosen->right + apart)
        return void(draw_text_within(draw_list, word.style, {word.left, baseline}, word.text,
                                     word.right - word.left + kRounding));
    const bool is_left = word.left + word.right < chosen->left + chosen->right;
    const float room = is_left ? chosen->left - apart - word.left : word.right - chosen->right - apart;
    if (!beside.cuts_them || room < kSomeLetters * word.style.size) return;
    word.style.align = is_left ? Align::left : Align::right;
    draw_label_within(draw_list, word.style, {is_left ? word.left : word.right, baseline}, word.text, room);
}

// Of few words that are cut anyway as much is left as the others take: they take no room from the numbers.
float widest_label(const Theme& theme, const std::vector<Words>& lists) {
    constexpr float kLeast = 24, kLeastOfCut = 52;
    constexpr std::size_t kFew = 4; // one of so many
    const TextStyle style = label_style(theme, type_size::kLabel, true, Align::left);
    float widest = kLeast;
    std::size_t n = 0, n_cut = 0;
    for (const auto& words : lists) {
        for (const std::string& word : words) {
            ++n;
            // No character is so wide: what cannot be wider is not measured, be there many thousands.
            if (static_cast<float>(word.size()) * 1.5f * style.size <= widest) continue;
            const float width = text_width(style, word);
            n_cut += width > kMostRowLabel ? 1 : 0;
            if (width <= kMostRowLabel) widest = std::max(widest, width);
        }
    }
    if (n_cut == 0) return widest;
    return n_cut * kFew > n ? kMostRowLabel : std::max(widest, kLeastOfCut);
}

TextStyle column_style(const MatrixFrame& frame) {
    return label_style(frame.context.theme, type_size::kLabel * frame.view.text_scale, false, Align::center);
}

// Whether of the words above columns this wide all but one of so many are written whole: then the others may be cut.
bool nearly_all_fit(const MatrixFrame& frame, float room, int one_of) {
    const TextStyle style = column_style(frame);
    int n_cut = 0;
    for (int col = 0; col < frame.extent.n_cols; ++col) {
        const std::string word = axis_label(frame.context.lab.document(), frame.node.presentation.cols, col);
        n_cut += text_width(style, word) > room ? 1 : 0;
    }
    return n_cut * one_of <= frame.extent.n_cols;
}

// Whether words above columns this wide, if they are cut there, differ from those before them: "toke…", "toke…" name nothing.
bool are_told_apart(const MatrixFrame& frame, float room) {
    const TextStyle style = column_style(frame);
    const Axis axis = frame.node.presentation.cols;
    std::string before;
    int n_alike = 0;
    for (int col = 0; col < frame.extent.n_cols; ++col) {
        const std::string word = axis_label(frame.context.lab.document(), axis, col);
        std::string written = cut_at_the_end(style, word, room);
        n_alike += written != word && written == before ? 1 : 0;
        before = std::move(written);
    }
    return 2 * n_alike < frame.extent.n_cols;
}

// Of many columns, and where of words too little would be left, every so many are labelled.
bool are_all_labelled(const MatrixFrame& frame, float size) {
    constexpr int kMany = 64;
    constexpr float kOfNumbers = 2.2f, kOfWords = 3.2f, kOfShortWords = 2.6f; // of two letters each nothing is left
    constexpr int kMayBeCut = 2, kMayBeTwoLetters = 8;                        // one of so many
    const float pitch = frame.view.pitch.x;
    if (frame.extent.n_cols >= kMany) return false;
    const Axis axis = frame.node.presentation.cols;
    const bool has_words = are_words(axis);
    if (!has_words && pitch >= size * kOfNumbers) return true;
    if (has_words && pitch >= size * kOfWords) return are_told_apart(frame, pitch - kColumnsApart);
    return nearly_all_fit(frame, pitch - kColumnsApart, pitch >= size * kOfShortWords ? kMayBeCut : kMayBeTwoLetters);
}

// How wide the words above columns are at this size, the widest of them.
float col_label_width(const MatrixFrame& frame, float size) {
    const Axis axis = frame.node.presentation.cols;
    const std::string last = axis_label(frame.context.lab.document(), axis, frame.extent.n_cols - 1);
    const float of_last = text_width(label_style(frame.context.theme, size, true, Align::center), last);
    const float of_words = axis == Axis::keys ? row_label_width(frame.context) * size / type_size::kLabel : 0;
    return std::min(std::max(of_last, of_words), kMostRowLabel * frame.view.text_scale);
}

} // namespace

float row_word_room(const MatrixView& view, const MatrixEdges& edges, const Rect& clip) {
    // Letters are made for whole sizes, so that those of another are not just as much wider.
    constexpr float kOfSizes = 1.06f;
    const float right = edges.cells.left - kRowLabelGap * view.text_scale;
    return std::min(view.row_label_width * view.text_scale * kOfSizes, right - clip.left);
}

// A chosen word stands wherever its row is: lines that touch its own are dimmed, and words whose letters it would cover make way.
void draw_row_labels(const MatrixFrame& frame, ImDrawList& draw_list) {
    constexpr float kTouching = 1, kCovered = 0.75f; // from line to line, of the size: a capital's height
    const float size = type_size::kLabel * frame.view.text_scale, pitch = frame.view.pitch.y;
    const LabelPlaces places(size * 1.25f / pitch);
    const Range rows = frame.visible_rows(clip_of(draw_list));
    const Document& document = frame.context.lab.document();
    const bool is_marked = words_choose_query(frame.node) && frame.context.selection.points_at_query;
    const int query = is_marked ? row_of_query(document, frame.node, frame.query).value_or(-1) : -1;
    const int explained = frame.explained ? frame.row_of(*frame.explained) : -1;
    const auto apart = [&](int row, int chosen) {
        return chosen < 0 ? 2 * kTouching : static_cast<float>(std::abs(row - chosen)) * pitch / size;
    };
    places.for_each(rows, [&](int row) {
        const float least = std::min(apart(row, explained), apart(row, query));
        if (row == explained || row == query || least < kCovered) return;
        draw_row_label(frame, draw_list, row, least < kTouching ? Writing::dimmed : Writing::plain);
    });
    if (rows.contains(query) && query != explained && apart(query, explained) >= kCovered)
        draw_row_label(frame, draw_list, query, Writing::chosen);
    if (rows.contains(explained)) draw_row_label(frame, draw_list, explained, Writing::chosen);
}

// Measured when words are others: most edits leave thousands of them as they are.
float row_label_width(const ViewContext& context) {
    constexpr std::size_t kMostMeasured = 1000;
    const Document& document = context.lab.document();
    std::vector<Words> lists{document.tokens, document.context_tokens};
    const auto& nodes = context.lab.program().nodes;
    const bool has_table = std::any_of(nodes.begin(), nodes.end(),
                                       [](const Node& node) { return node.presentation.rows == Axis::vocabulary; });
    if (has_table && document.vocabulary.size() <= kMostMeasured) lists.push_back(document.vocabulary);
    MeasuredWords& known = context.ui.row_labels;
    const bool is_known = known.lists == lists;
    known.lists = std::move(lists); // from now on shared with the document's, and equal without a look
    if (!is_known) known.width = widest_label(context.theme, known.lists);
    return known.width;
}

// Few columns are all labelled, be it with cut words; of many, and where there is no room, every so many with whole ones.
void draw_col_labels(const MatrixFrame& frame, ImDrawList& draw_list) {
    constexpr float kMostAlone = 200; // the explained one's
    const float size = type_size::kLabel * frame.view.text_scale, pitch = frame.view.pitch.x;
    const bool are_all = are_all_labelled(frame, size);
    const float wide = are_all ? pitch - kColumnsApart : col_label_width(frame, size), between = 0.8f * size;
    // The first one's word begins where the cells do: up to half of it farther to the right than its column.
    const float least = (wide + between) / pitch, of_first = least + std::max(0.0f, wide / pitch - 1) / 2;
    const LabelPlaces places(are_all ? 1 : least, are_all ? 1 : of_first);
    const float room = are_all ? wide : wide + between; // the last one is not always the widest
    const Range seen = frame.visible_cols(clip_of(draw_list));
    const int explained = frame.explained && seen.contains(frame.explained->col) ? frame.explained->col : -1;
    const ChosenColumn chosen{
        .word = explained >= 0 ? column_word(frame, draw_list, explained, are_all ? pitch : kMostAlone) : std::nullopt,
        .apart = are_all ? 0 : between / 2,
        .cuts_them = are_all};
    places.for_each(seen, [&](int col) {
        const auto word = col == explained ? std::nullopt : column_word(frame, draw_list, col, room);
        if (word) draw_column_word(frame, draw_list, *word, chosen);
    });
    if (chosen.word) draw_column_word(frame, draw_list, *chosen.word, {});
}

} // namespace lab
