#include "app/views/explanation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "app/session/gradient_words.h"
#include "app/session/heads.h"
#include "app/session/narration.h"
#include "app/session/query_rows.h"
#include "app/session/trace_text.h"
#include "app/views/explanation_feeds.h"
#include "app/views/explanation_made_from.h"
#include "app/views/told_terms.h"
#include "engine/count_text.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

using Kind = Expression::Kind;

constexpr std::size_t kMostFormulaLines = 4;
constexpr int kMostCharactersPerLine = 26; // beside "= ", as wide as the inspector

std::size_t n_characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// A sum is broken into a line per term; of a long one the first terms and how many follow, masked ones where they are told of so below.
std::vector<std::string> formula_lines(const Expression& expression, const std::vector<bool>& are_masked) {
    const std::string whole = expression_text(expression, static_cast<int>(kMostFormulaLines));
    const bool is_long = n_characters(whole) > kMostCharactersPerLine;
    if (expression.kind != Kind::sum || !is_long) return {whole};
    const std::vector<std::size_t> told = told_in_order(expression.n_terms(), are_masked);
    const std::size_t n = told.size(), n_shown = n <= kMostFormulaLines ? n : kMostFormulaLines - 1;
    std::vector<std::string> lines;
    std::string before;
    Expression first_terms = Expression::make(Kind::sum, {});
    for (std::size_t i = 0; i < n_shown; ++i) {
        first_terms.parts.push_back(expression.term(told[i]));
        const std::string sum = expression_text(first_terms);
        lines.push_back(sum.substr(i > 0 ? before.size() + 1 : 0)); // with its sign, "+ (−0.2)·0.3"
        before = sum;
    }
    if (n_shown < n) lines.push_back("+ … " + grouped(std::uint64_t{n - n_shown}) + " more");
    const std::size_t n_masked = expression.n_terms() - n;
    if (n_masked > 0) lines.push_back("+ " + grouped(std::uint64_t{n_masked}) + " masked, each 0");
    return lines;
}

// A part that stands by its name in the formula and is no plain sum: a row's mean, its deviation.
bool is_named_quantity(const Expression& part) {
    return !part.label.empty() && (part.kind == Kind::quotient || part.kind == Kind::call);
}

// The formula with numbers in the place of names.
Expression with_numbers(const Expression& expression) {
    Expression written = expression;
    for (Expression& part : written.parts)
        part = is_named_quantity(part) ? Expression::number(evaluate(part)) : with_numbers(part);
    return written;
}

// "mean = (0.4300 + 0.1500 + …) / 3 = 0.4900": what the names in a formula stand for, each once.
void write_names(const Expression& expression, std::vector<std::string>& lines) {
    constexpr int kMostTerms = 2;
    for (const Expression& part : expression.parts) {
        write_names(part, lines);
        if (!is_named_quantity(part)) continue;
        const std::string line =
            part.label + " = " + expression_text(part, kMostTerms) + " = " + number_text(evaluate(part));
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
}

// "Uniform, 0 to 1 (rand), seed 123, after 6 numbers"
std::string made_by_text(const Document& document, const std::string& tensor) {
    const auto found = document.made_by.find(tensor);
    if (found == document.made_by.end()) return {};
    const MadeBy& how = found->second;
    const InitialiserInfo* info = find_initialiser(how.init);
    std::string text = info == nullptr ? how.init : info->title + " (" + info->name + ")";
    if (how.value) text += ", " + number_text(*how.value);
    if (info != nullptr && info->needs_seed) text += ", seed " + std::to_string(how.seed);
    if (how.skip > 0) text += ", after " + std::to_string(how.skip) + (how.skip == 1 ? " number" : " numbers");
    return text;
}

// "starts is masked for journey": of a weight that a mask forbids. The sum with e^(−∞) alone would not say it.
std::string masked_text(const Document& document, const Trace& trace, const CellRef& of) {
    const Node& node = trace.program().node(of.tensor);
    if (node.presentation.role != Role::weights || node.is_leaf() || node.is_of_gradient()) return {};
    const Block block{Range::at(of.cell.plane), Range::at(of.cell.row), Range::at(of.cell.col)};
    std::vector<float> weight{trace.at(of.tensor, of.cell)};
    mark_masked(trace, of.tensor, block, weight);
    if (!is_masked(weight.front())) return {};
    return told_label(document, Axis::keys, of.cell.col) + " is masked for " +
           told_label(document, Axis::queries, of.cell.row) + ": it may not be attended to, so its weight is 0.";
}

// "P · V, where P: attention_weights, V: values": what the letters above a narrow matrix stand for.
std::string letters_text(const Program& program, const Node& node, int index) {
    const std::string formula = program.short_formula(index);
    if (node.is_leaf() || formula == program.formula(index)) return {};
    std::string text;
    for (int operand : node.operands) {
        const Node& read = program.node(operand);
        const std::string entry = read.presentation.symbol + ": " + name_beside(read, node);
        if (read.is_auxiliary || read.presentation.symbol.empty() || text.find(entry) != std::string::npos) continue;
        text += (text.empty() ? "" : ", ") + entry;
    }
    return text.empty() ? std::string() : formula + ", where " + text;
}

// The formula, with and without its numbers, and what its terms are.
void write_derivation(Explanation& told, const Document& document, const Trace& trace) {
    const Expression& expression = told.derivation;
    const std::vector<bool> are_masked = write_terms(told, document, trace);
    if (expression.kind == Kind::given)
        told.reason = "by definition: " + expression.label;
    else
        told.formula = formula_lines(expression, are_masked);
    write_names(expression, told.named);
    if (!told.named.empty())
        told.evaluated = expression_text(with_numbers(expression));
    else if (expression.kind != Kind::sum)
        told.evaluated = evaluated_text(expression);
}

} // namespace

TensorCell tensor_cell(const Program& program, const CellRef& ref) { return {program.node(ref.tensor).name, ref.cell}; }

Explanation explain(const Document& document, const Trace& trace, const TensorCell& cell, Viewpoint chosen) {
    const Program& program = trace.program();
    const int index = program.find(cell.tensor);
    assert(index >= 0);
    const Node& node = program.node(index);
    Explanation told;
    told.cell = cell;
    told.chosen = chosen;
    told.meaning = meaning(document, node, cell.cell);
    told.letters = letters_text(program, node, index);
    told.is_given = node.is_leaf();
    told.derivation = trace.derive(index, cell.cell);
    // Until an update has come by it: what follows from its terms as they are, so that the two agree.
    const bool follows_terms = !node.is_leaf() && trace.is_pending(index) && trace.can_derive(index);
    told.value = follows_terms ? number_text(evaluate(told.derivation)) : cell_number_text(trace, index, cell.cell);
    if (node.is_leaf())
        told.made_by = made_by_text(document, node.name);
    else if (trace.can_derive(index))
        write_derivation(told, document, trace);
    else
        told.reason = told.derivation.label;
    told.feeds = explain_feeds(document, trace, {index, cell.cell}, chosen);
    if (trace.is_missing(index)) return told;
    told.masked = masked_text(document, trace, {index, cell.cell});
    // What is told beside a number is of its own row's token, where that is a query.
    const bool is_of_query = node.presentation.row_of_query || node.presentation.slice_by_query;
    Viewpoint own = chosen;
    own.query = is_of_query ? cell.cell.row : query_of_row(document, node, cell.cell.row).value_or(chosen.query);
    const Range heads = heads_of(program, index, cell.cell);
    if (!heads.contains(chosen.head)) own.head = heads.begin;
    told.answers = node.is_of_gradient() ? answers_about_gradient(document, trace, {index, cell.cell})
                                         : answers(document, trace, node.stage, own);
    return told;
}

Explanation explain(const Lab& lab, const TensorCell& cell, Viewpoint chosen) {
    Explanation told = explain(lab.document(), lab.trace(), cell, chosen);
    told.revision = lab.state();
    return told;
}

WrittenTerm written_term(const Lab& lab, const Explanation& told, std::size_t term) {
    return written_term(lab.document(), lab.program(), told, term);
}

} // namespace lab
