#include "app/views/explanation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "app/session/heads.h"
#include "app/session/narration.h"
#include "app/session/trace_text.h"
#include "app/views/explanation_feeds.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

using Kind = Expression::Kind;

constexpr int kMostFormulaLines = 4;
constexpr int kMostCharactersPerLine = 26; // beside "= ", as wide as the inspector

std::string with_spaces(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string percent_text(double share) {
    if (!std::isfinite(share)) return "—";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f%%", std::fabs(share * 100));
    const bool is_negative = share * 100 <= -0.05;
    return (is_negative ? "−" : "") + std::string(text);
}

std::size_t n_characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// A sum is broken into a line per term; of a long one the first terms and how many follow.
std::vector<std::string> formula_lines(const Expression& expression) {
    const std::string whole = expression_text(expression, kMostFormulaLines);
    const bool is_long = n_characters(whole) > kMostCharactersPerLine;
    if (expression.kind != Kind::sum || !is_long) return {whole};
    const int n = static_cast<int>(expression.parts.size());
    const int n_shown = n <= kMostFormulaLines ? n : kMostFormulaLines - 1;
    std::vector<std::string> lines;
    std::string before;
    for (int i = 0; i < n_shown; ++i) {
        const auto first = expression.parts.begin();
        const std::string sum = expression_text(Expression::make(Kind::sum, {first, first + i + 1}));
        lines.push_back(sum.substr(i > 0 ? before.size() + 1 : 0)); // with its sign, "+ (−0.2)·0.3"
        before = sum;
    }
    if (n_shown < n) lines.push_back("+ … " + std::to_string(n - n_shown) + " more");
    return lines;
}

// Builds the terms of one cell from its derivation.
class TermsOf {
  public:
    TermsOf(const Document& document, const Program& program, int told, const Expression& expression)
        : document_(document), program_(program), told_(program.node(told)), expression_(expression) {}

    void write(Explanation& told) const {
        if (const Expression* row = normalised_row())
            shares(told, *row);
        else if (is_sum_of_products())
            products(told);
        else
            parts(told);
        for (const ExplanationTerm& term : told.terms) {
            if (!std::isfinite(term.part)) continue;
            told.least_part = std::min(told.least_part, term.part);
            told.greatest_part = std::max(told.greatest_part, term.part);
        }
    }

  private:
    const Node& node(int index) const { return program_.node(index); }
    std::string shown_name(const CellRef& source) const { return name_beside(node(source.tensor), told_); }

    // The terms that a cell is divided by the sum of, or those that made it a number by definition.
    const Expression* normalised_row() const {
        const bool divides = expression_.kind == Kind::quotient && expression_.parts[1].kind == Kind::sum;
        if (divides) return &expression_.parts[1];
        return expression_.kind == Kind::given && expression_.parts.size() > 1 ? &expression_ : nullptr;
    }

    bool is_sum_of_products() const {
        return expression_.kind == Kind::sum && !expression_.parts.empty() &&
               expression_.parts.front().kind == Kind::product && expression_.parts.front().parts.size() > 1;
    }

    // The label of the index that runs from term to term: of a row of scores the key, of a dot product the dimension.
    std::string running_label(const CellRef& first, const CellRef& second, const CellRef& here) const {
        const Presentation& shown = node(here.tensor).presentation;
        const auto label = [&](Axis axis, int index) {
            const std::string text = axis_label(document_, axis, index);
            return text.empty() ? std::to_string(index + 1) : text;
        };
        if (first.cell.plane != second.cell.plane) return label(shown.planes, here.cell.plane);
        if (first.cell.row != second.cell.row) return label(shown.rows, here.cell.row);
        return label(shown.cols, here.cell.col);
    }

    void shares(Explanation& told, const Expression& row) const {
        told.terms_kind = TermsKind::shares;
        const double sum = row.kind == Kind::sum ? evaluate(row) : 0;
        double total = 0;
        std::vector<CellRef> cells;
        for (const Expression& term : row.parts) cells.push_back(sources(term).front());
        const CellRef& second = cells[cells.size() > 1 ? 1 : 0];
        for (std::size_t i = 0; i < cells.size(); ++i) {
            ExplanationTerm term;
            term.label = running_label(cells[0], second, cells[i]);
            term.text = number_text(value_of(row.parts[i]));
            term.part = row.kind == Kind::sum ? static_cast<float>(evaluate(row.parts[i]) / sum) : 0;
            term.part_text = percent_text(term.part);
            term.sources = {cells[i]};
            term.is_own = cells[i].cell == told.cell.cell;
            total += term.part;
            told.terms.push_back(std::move(term));
        }
        told.terms_heading = "from this row of " + with_spaces(shown_name(cells[0]));
        told.terms_total = "row sum " + number_text(total);
    }

    // Of the first cell that a term reads.
    static double value_of(const Expression& term) {
        if (term.kind == Kind::cell) return term.value;
        for (const Expression& part : term.parts) {
            if (!sources(part).empty()) return value_of(part);
        }
        return term.value;
    }

    void products(Explanation& told) const {
        told.terms_kind = TermsKind::products;
        const auto& terms = expression_.parts;
        const CellRef first = sources(terms[0]).front();
        const CellRef second = terms.size() > 1 ? sources(terms[1]).front() : first;
        for (const Expression& product : terms) {
            ExplanationTerm term;
            term.sources = sources(product);
            const bool is_product = product.kind == Kind::product;
            term.label =
                is_product ? running_label(first, second, term.sources.front()) : shown_name(term.sources.front());
            if (is_product) term.text = expression_text(product);
            term.part = evaluate(product);
            term.part_text = number_text(term.part);
            told.terms.push_back(std::move(term));
        }
        told.terms_heading = "made from " + read_tensors();
        told.terms_total = "sum " + number_text(evaluate(expression_));
    }

    void parts(Explanation& told) const {
        const std::vector<CellRef> read = sources(expression_);
        if (read.empty()) return;
        told.terms_kind = TermsKind::parts;
        const bool is_row = is_row_of_one_tensor(read);
        told.terms_heading = is_row ? "from this row of " + with_spaces(shown_name(read[0])) : "made from";
        for (const CellRef& source : read) {
            ExplanationTerm term;
            const Node& from = node(source.tensor);
            term.label = is_row ? running_label(read[0], read[1], source) : shown_name(source);
            if (!is_row) term.text = cell_text(document_, from, source.cell).substr(from.name.size());
            term.part = leaf_of(expression_, source)->value;
            term.part_text = number_text(term.part);
            term.sources = {source};
            term.is_own = is_row && source.cell == told.cell.cell;
            told.terms.push_back(std::move(term));
        }
    }

    // Named once in the heading, not line by line.
    static bool is_row_of_one_tensor(const std::vector<CellRef>& read) {
        return read.size() > 2 && std::all_of(read.begin(), read.end(), [&](const CellRef& source) {
                   return source.tensor == read[0].tensor && source.cell.plane == read[0].cell.plane &&
                          source.cell.row == read[0].cell.row;
               });
    }

    // The leaf of the expression that stands for the cell.
    static const Expression* leaf_of(const Expression& expression, const CellRef& source) {
        if (expression.kind == Kind::cell && expression.source == source) return &expression;
        for (const Expression& part : expression.parts) {
            if (const Expression* found = leaf_of(part, source)) return found;
        }
        return nullptr;
    }

    // "inputs and W_query"
    std::string read_tensors() const {
        std::vector<std::string> names;
        for (const CellRef& source : sources_of_ends()) {
            const std::string name = with_spaces_unless_matrix(source);
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
        return listed(names);
    }

    // What the first and the last term read: a bias stands last.
    std::vector<CellRef> sources_of_ends() const {
        std::vector<CellRef> read = sources(expression_.parts.front());
        const std::vector<CellRef> last = sources(expression_.parts.back());
        read.insert(read.end(), last.begin(), last.end());
        return read;
    }

    // "attention weights", but W_query is a symbol.
    std::string with_spaces_unless_matrix(const CellRef& source) const {
        const Role role = node(source.tensor).presentation.role;
        const bool is_symbol = role == Role::weight_matrix || role == Role::bias;
        return is_symbol ? shown_name(source) : with_spaces(shown_name(source));
    }

    const Document& document_;
    const Program& program_;
    const Node& told_; // whose cell is explained
    const Expression& expression_;
};

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

// "P · V, where P: attention_weights, V: values": what the letters above a narrow matrix stand for.
std::string letters_text(const Program& program, const Node& node, int index) {
    const std::string formula = program.short_formula(index);
    if (node.is_leaf() || formula == program.formula(index)) return {};
    std::string text;
    for (int operand : node.operands) {
        const Node& read = program.node(operand);
        const std::string entry = read.presentation.symbol + ": " + name_beside(read, node);
        if (read.presentation.symbol.empty() || text.find(entry) != std::string::npos) continue;
        text += (text.empty() ? "" : ", ") + entry;
    }
    return formula + ", where " + text;
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
    told.value = number_text(trace.at(index, cell.cell));
    told.is_given = node.is_leaf();
    if (node.is_leaf()) {
        told.made_by = made_by_text(document, node.name);
    } else {
        const Expression expression = trace.derive(index, cell.cell);
        if (expression.kind == Kind::given)
            told.reason = "by definition: " + expression.label;
        else
            told.formula = formula_lines(expression);
        if (expression.kind != Kind::sum) told.evaluated = evaluated_text(expression);
        TermsOf(document, program, index, expression).write(told);
    }
    told.feeds = explain_feeds(document, trace, {index, cell.cell}, chosen);
    const bool is_of_query = node.presentation.row_of_query || node.presentation.slice_by_query;
    const Range heads = heads_of(program, index, cell.cell);
    const int head = heads.contains(chosen.head) ? chosen.head : heads.begin;
    told.answers = answers(document, trace, node.stage, {is_of_query ? cell.cell.row : chosen.query, head});
    return told;
}

Explanation explain(const Lab& lab, const TensorCell& cell, Viewpoint chosen) {
    Explanation told = explain(lab.document(), lab.trace(), cell, chosen);
    told.revision = lab.revision();
    return told;
}

} // namespace lab
