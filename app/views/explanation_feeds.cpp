#include "app/views/explanation_feeds.h"

#include <algorithm>

#include "app/session/heads.h"
#include "app/session/labels.h"
#include "app/session/query_rows.h"
#include "app/session/sections.h"

namespace lab {

namespace {

using Kind = Expression::Kind;

constexpr int kMostTold = 6; // of a row or column
constexpr std::size_t kMostLines = 2;

const Node& node_of(const Program& program, int index) { return program.node(index); }

// "0.2199·0.3857 + … = 0.3061": the term of a sum that has the cell; of anything longer the step's formula,
// "softmax(scaled_scores) = 0.2199".
std::string how_it_enters(const Trace& trace, const CellRef& cell, const CellRef& consumer) {
    const Expression expression = trace.derive(consumer.tensor, consumer.cell);
    if (!trace.can_derive(consumer.tensor)) return expression.label;
    const std::string result = " = " + number_text(trace.at(consumer.tensor, consumer.cell));
    if (expression.kind == Kind::product) return expression_text(expression) + result;
    if (expression.kind != Kind::sum) return trace.program().formula(consumer.tensor) + result;
    const std::optional<Expression> term = term_with(expression, cell);
    if (!term) return trace.program().formula(consumer.tensor) + result;
    return expression_text(*term) + (expression.n_terms() > 1 ? " + …" : "") + result;
}

// Whether a row and a column mean the same in both.
bool stand_alike(const Node& a, const Node& b) {
    const Presentation &one = a.presentation, &other = b.presentation;
    return a.shape == b.shape && one.planes == other.planes && one.rows == other.rows && one.cols == other.cols;
}

// Told of a document.
struct FeedsOf {
    const Document& document;
    const Program& program;
};

// In the same place where the consumer has one, else of the chosen query and head where the first block has them, else
// the block's first. Of the query are its token's key and value too: what is told beside the number speaks of these.
Cell cell_to_go_to(const FeedsOf& told, const CellRef& from, const Trace::Feed& feed, Viewpoint chosen) {
    const Program& program = told.program;
    const Node& node = node_of(program, feed.node);
    if (stand_alike(node_of(program, from.tensor), node) && feed.cells.contains(from.cell)) return from.cell;
    const Block& block = feed.cells.blocks().front();
    const Presentation& shown = node.presentation;
    const bool has_queries = shown.row_of_query || shown.slice_by_query;
    const std::optional<int> own = has_queries ? chosen.query : row_of_query(told.document, node, chosen.query);
    const int row = own && block.rows.contains(*own) ? *own : block.rows.begin;
    const Cell first{block.planes.begin, row, block.cols.begin};
    const Cell of_head = cell_of_head(program, feed.node, first, chosen.head);
    return block.contains(of_head) ? of_head : first;
}

// "row journey", "column d₁"; of a stack by what it means, "what starts gives to journey". Empty for less than a row or a
// column, and for more.
std::string line_text(const Document& document, const Node& node, const Block& block) {
    const Presentation& shown = node.presentation;
    const Shape& shape = node.shape;
    const bool is_row = block.rows.size() == 1 && block.cols.size() == shape.cols;
    const bool is_column = block.cols.size() == 1 && block.rows.size() == shape.rows;
    if (block.planes.size() != 1 || (!is_row && !is_column)) return {};
    const Cell first = block.first();
    const std::string plane = shape.rank > 2 ? " of " + plane_label(document, node, block.planes.begin) : "";
    if (!is_row) return "column " + told_label(document, shown.cols, first.col) + plane;
    constexpr std::string_view kOfColumn = "{col} of ";
    if (!shown.slice_by_query || !shown.meaning.starts_with(kOfColumn))
        return "row " + told_label(document, shown.rows, first.row) + plane;
    const std::string of_column = told_label(document, shown.cols, first.col) + " of ";
    return meaning_text(document, node, first).substr(of_column.size());
}

// "and all of row journey", "and 5 more cells"; empty where the target is the only one.
std::string more_text(const Document& document, const Node& node, const Region& cells) {
    const auto& blocks = cells.blocks();
    if (blocks.size() == 1 && blocks.front().size() == 1) return {};
    std::string lines;
    bool are_lines = blocks.size() <= kMostLines;
    for (std::size_t i = 0; i < blocks.size() && are_lines; ++i) {
        const std::string line = line_text(document, node, blocks[i]);
        are_lines = !line.empty();
        lines += (i == 0 ? "and all of " : " and of ") + line;
    }
    if (are_lines) return lines;
    if (blocks.size() > 1) return "and more cells";
    const std::size_t n_others = blocks.front().size() - 1;
    return "and " + std::to_string(n_others) + (n_others == 1 ? " more cell" : " more cells");
}

std::string numbers_text(const Trace& trace, int node, const Block& block) {
    Block shown = block;
    shown.rows.end = std::min(shown.rows.end, shown.rows.begin + kMostTold);
    shown.cols.end = std::min(shown.cols.end, shown.cols.begin + kMostTold);
    if (trace.is_missing(node)) return "…";
    std::vector<float> numbers(shown.size());
    trace.source(node)->read(shown, numbers.data());
    std::string text;
    for (float number : numbers) text += (text.empty() ? "" : ", ") + number_text(number);
    return "[" + text + (shown == block ? "]" : ", …]");
}

} // namespace

std::string cell_number_text(const Trace& trace, int node, const Cell& cell) {
    return trace.is_missing(node) ? "…" : number_text(trace.at(node, cell));
}

std::string block_text(const Document& document, const Trace& trace, int index, const Block& block) {
    const Node& node = node_of(trace.program(), index);
    const Presentation& shown = node.presentation;
    const std::string plane = plane_label(document, node, block.planes.begin);
    const std::string row = told_label(document, shown.rows, block.rows.begin);
    const std::string col = told_label(document, shown.cols, block.cols.begin);
    const bool is_stack = node.shape.rank > 2;
    const std::string in_plane = is_stack ? plane + ", " : "";
    if (block.size() == 1) {
        const Cell cell = block.first();
        return cell_text(document, node, cell).substr(node.name.size()) + " = " + cell_number_text(trace, index, cell);
    }
    if (block.planes.size() == 1 && block.rows.size() == 1) {
        return "[" + in_plane + row + "] = " + numbers_text(trace, index, block);
    }
    if (block.planes.size() == 1 && block.cols.size() == 1) {
        return "column " + col + (is_stack ? " of " + plane : "") + " = " + numbers_text(trace, index, block);
    }
    return std::to_string(block.size()) + " numbers";
}

std::vector<ExplanationFeed> explain_feeds(const Document& document, const Trace& trace, const CellRef& cell,
                                           Viewpoint chosen) {
    const Program& program = trace.program();
    std::vector<ExplanationFeed> told;
    for (const Trace::Feed& feed : trace.feeds(cell.tensor, cell.cell)) {
        const Node& consumer = node_of(program, feed.node);
        if (feed.cells.empty() || !has_place(consumer)) continue; // what the gradient reads is told with the gradient
        if (!chosen.tells_of(program, feed.node)) continue;
        const Cell target = cell_to_go_to({document, program}, cell, feed, chosen);
        ExplanationFeed line;
        line.target = {consumer.name, target};
        line.name = name_beside(consumer, node_of(program, cell.tensor));
        line.place = cell_text(document, consumer, target).substr(consumer.name.size());
        line.how = how_it_enters(trace, cell, {feed.node, target});
        line.more = more_text(document, consumer, feed.cells);
        told.push_back(std::move(line));
    }
    const auto is_unfolded = [&](const ExplanationFeed& line) {
        return !node_of(program, program.find(line.target.tensor)).presentation.folded;
    };
    std::stable_partition(told.begin(), told.end(), is_unfolded);
    return told;
}

} // namespace lab
