#include "app/views/explanation_made_from.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "app/session/labels.h"
#include "app/session/trace_text.h"
#include "engine/count_text.h"

namespace lab {

namespace {

using Kind = Expression::Kind;

std::string with_spaces(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

// Builds the terms of one cell from its derivation.
class TermsOf {
  public:
    TermsOf(const Document& document, const Program& program, const Explanation& told)
        : document_(document), program_(program), told_(program.node(program.find(told.cell.tensor))),
          expression_(told.derivation) {}

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

    WrittenTerm in_words(const Explanation& told, const ExplanationTerm& term) const {
        WrittenTerm words{term, {}, {}, {}};
        switch (told.terms_kind) {
        case TermsKind::none: break;
        case TermsKind::shares: write_share(told, words); break;
        case TermsKind::products: write_product(told, words); break;
        case TermsKind::parts: write_part(told, words); break;
        }
        return words;
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
        if (expression_.kind != Kind::sum || expression_.parts.empty()) return false;
        const Expression& first = expression_.parts.front();
        const auto is_number = [](const Expression& factor) { return sources(factor).size() < 2; };
        return first.kind == Kind::product && first.parts.size() > 1 &&
               std::all_of(first.parts.begin(), first.parts.end(), is_number);
    }

    // The label of the index that runs from term to term: of a row of scores the key, of a dot product the dimension.
    std::string running_label(const Explanation& told, const CellRef& here) const {
        const CellRef& first = told.terms.front().sources.front();
        const CellRef& second = told.terms[told.terms.size() > 1 ? 1 : 0].sources.front();
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
        const std::size_t n = row.parts.size();
        const EvaluatedSum powers = row.kind == Kind::sum ? evaluate_sum(row) : EvaluatedSum{};
        const CellRef& first = score_of(row.parts.front()).source;
        double total = 0, of_keys = 0;
        told.terms.reserve(std::min(n, kMostTerms + 1));
        for (std::size_t i = 0; i < n; ++i) {
            const Expression& score = score_of(row.parts[i]);
            const bool is_sink = score.source.tensor != first.tensor;
            const bool is_own = !is_sink && score.source.cell == told.cell.cell;
            const double part = row.kind == Kind::sum ? static_cast<float>(powers.terms[i] / powers.total) : 0;
            total += part;
            of_keys += is_sink ? 0 : part;
            if (!is_told(i, n) && !is_own) continue;
            ExplanationTerm& term = told.terms.emplace_back();
            term.part = part;
            term.value = score.value;
            term.place = i;
            term.sources = {score.source};
            term.is_own = is_own;
        }
        told.terms_heading = "from this row of " + with_spaces(shown_name(first)) + told_of(told, n);
        const bool has_sink = score_of(row.parts.back()).source.tensor != first.tensor;
        told.terms_total = "row sum " + number_text(of_keys);
        if (has_sink) told.terms_total += ", with the sink " + number_text(total);
    }

    void write_share(const Explanation& told, WrittenTerm& term) const {
        const CellRef& cell = term.sources.front();
        // One more score, which is no key's.
        const bool is_sink = cell.tensor != told.terms.front().sources.front().tensor;
        term.label = is_sink ? "the sink (no key)" : running_label(told, cell);
        term.text = number_text(term.value);
        term.part_text = percent_text(term.part);
    }

    // Of a sum of thousands the first terms and the last one: nobody reads them all, and each takes time.
    static constexpr std::size_t kMostTerms = 1024;
    static bool is_told(std::size_t i, std::size_t n) { return i + 1 < kMostTerms || i + 1 == n; }
    // ": terms 1–1023, 8000, 16384 of 16384", as short as the panel is narrow; empty where all are told.
    static std::string told_of(const Explanation& told, std::size_t n) {
        if (told.terms.size() == n) return {};
        std::string runs;
        for (std::size_t begin = 0, end = 0; begin < told.terms.size(); begin = end) {
            for (++end; end < told.terms.size() && n_left_out(told, end) == 0;) ++end;
            const std::string first = std::to_string(told.terms[begin].place + 1);
            if (begin > 0) runs += ", ";
            runs += end - begin == 1 ? first : first + "–" + std::to_string(told.terms[end - 1].place + 1);
        }
        return ": terms " + runs + " of " + std::to_string(n);
    }

    // What a term of a row was made from: every such term reads a cell.
    static const Expression& score_of(const Expression& term) {
        const Expression* cell = first_cell(term);
        assert(cell);
        return *cell;
    }
    static const Expression* first_cell(const Expression& term) {
        if (term.kind == Kind::cell) return &term;
        for (const Expression& part : term.parts) {
            if (const Expression* cell = first_cell(part)) return cell;
        }
        return nullptr;
    }

    void products(Explanation& told) const {
        told.terms_kind = TermsKind::products;
        const auto& terms = expression_.parts;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            if (!is_told(i, terms.size())) continue;
            ExplanationTerm term;
            term.sources = sources(terms[i]);
            term.place = i;
            term.part = evaluate(terms[i]);
            told.terms.push_back(std::move(term));
        }
        told.terms_heading = "made from " + read_tensors() + told_of(told, terms.size());
        told.terms_total = "sum " + number_text(evaluate(expression_));
    }

    void write_product(const Explanation& told, WrittenTerm& term) const {
        const Expression& product = expression_.parts[term.place];
        const bool is_product = product.kind == Kind::product;
        const CellRef& source = term.sources.front();
        term.label = is_product ? running_label(told, source) : shown_name(source);
        if (is_product) term.text = expression_text(product);
        term.part_text = number_text(term.part);
    }

    void parts(Explanation& told) const {
        const std::vector<CellRef> read = sources(expression_);
        if (read.empty()) return;
        told.terms_kind = TermsKind::parts;
        const bool is_row = told.is_row_of_one_tensor = is_row_of_one_tensor(read);
        told.terms_heading = is_row ? "from this row of " + with_spaces(shown_name(read[0])) : "made from";
        for (std::size_t i = 0; i < read.size(); ++i) {
            const CellRef& source = read[i];
            const bool is_own = is_row && source.cell == told.cell.cell;
            if (!is_told(i, read.size()) && !is_own) continue;
            ExplanationTerm term;
            term.part = leaf_of(expression_, source)->value;
            term.place = i;
            term.sources = {source};
            term.is_own = is_own;
            told.terms.push_back(std::move(term));
        }
        told.terms_heading += told_of(told, read.size());
    }

    void write_part(const Explanation& told, WrittenTerm& term) const {
        const CellRef& source = term.sources.front();
        const Node& from = node(source.tensor);
        const bool is_row = told.is_row_of_one_tensor;
        term.label = is_row ? running_label(told, source) : shown_name(source);
        if (!is_row) term.text = cell_text(document_, from, source.cell).substr(from.name.size());
        term.part_text = number_text(term.part);
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

} // namespace

void write_terms(Explanation& told, const Document& document, const Program& program) {
    TermsOf(document, program, told).write(told);
}

WrittenTerm written_term(const Document& document, const Program& program, const Explanation& told, std::size_t term) {
    return TermsOf(document, program, told).in_words(told, told.terms[term]);
}

} // namespace lab
