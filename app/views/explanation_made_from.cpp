#include "app/views/explanation_made_from.h"

#include <algorithm>
#include <cmath>

#include "app/session/labels.h"
#include "app/session/trace_text.h"
#include "app/views/told_terms.h"
#include "engine/count_text.h"
#include "engine/kernels/elementary.h"

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

    std::vector<bool> write(Explanation& told, const Trace& trace) const {
        std::vector<bool> are_masked;
        if (const Expression* row = normalised_row())
            shares(told, *row);
        else if (is_sum_of_products())
            are_masked = products(told, trace);
        else
            parts(told);
        for (const BlockRef& line : lines_of_sources(expression_)) add_once(told.tensors_read, line.tensor);
        for (const ExplanationTerm& term : told.terms) {
            if (!std::isfinite(term.part)) continue;
            told.least_part = std::min(told.least_part, term.part);
            told.greatest_part = std::max(told.greatest_part, term.part);
        }
        return are_masked;
    }

    WrittenTerm in_words(const Explanation& told, const ExplanationTerm& term) const {
        WrittenTerm words{term, {term.source}, {}, {}, {}};
        switch (told.terms_kind) {
        case TermsKind::none: break;
        case TermsKind::shares: write_share(words); break;
        case TermsKind::products: write_product(words); break;
        case TermsKind::parts: write_part(told, words); break;
        }
        return words;
    }

  private:
    const Node& node(int index) const { return program_.node(index); }
    static void add_once(std::vector<int>& tensors, int tensor) {
        if (std::find(tensors.begin(), tensors.end(), tensor) == tensors.end()) tensors.push_back(tensor);
    }
    std::string shown_name(const CellRef& source) const { return name_beside(node(source.tensor), told_); }

    // The terms that a cell is divided by the sum of, or those that made it a number by definition.
    const Expression* normalised_row() const {
        const bool divides = expression_.kind == Kind::quotient && expression_.parts[1].kind == Kind::sum;
        if (divides) return &expression_.parts[1];
        return expression_.kind == Kind::given && expression_.parts.size() > 1 ? &expression_ : nullptr;
    }

    bool is_sum_of_products() const {
        if (expression_.kind != Kind::sum || expression_.n_terms() == 0) return false;
        const Expression first = expression_.term(0);
        const auto is_number = [](const Expression& factor) { return sources(factor).size() < 2; };
        return first.kind == Kind::product && first.parts.size() > 1 &&
               std::all_of(first.parts.begin(), first.parts.end(), is_number);
    }

    // The label of the index that runs from term to term: of a row of scores the key, of a dot product the dimension.
    std::string running_label(const CellRef& first, const CellRef& second, const CellRef& here) const {
        const Presentation& shown = node(here.tensor).presentation;
        if (first.cell.plane != second.cell.plane) return label_of(shown.planes, here.cell.plane);
        if (first.cell.row != second.cell.row) return label_of(shown.rows, here.cell.row);
        return label_of(shown.cols, here.cell.col);
    }
    std::string label_of(Axis axis, int index) const { return told_label(document_, axis, index); }

    void shares(Explanation& told, const Expression& row) const {
        told.terms_kind = TermsKind::shares;
        const std::size_t n = row.n_terms(), n_keys = n - (is_sink(row, n - 1) ? 1 : 0);
        const bool is_divided = row.kind == Kind::sum;
        const EvaluatedSum powers = is_divided ? evaluate_sum(row) : EvaluatedSum{};
        const auto share = [&](std::size_t i) {
            return is_divided ? static_cast<double>(static_cast<float>(powers.terms[i] / powers.total)) : 0.0;
        };
        std::vector<double> ranks(n);
        std::vector<std::size_t> anyway; // the cell's own, and the sink
        double total = 0, of_keys = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const ReadCell score = first_read(row, i);
            const double part = share(i);
            ranks[i] = is_divided && !is_masked(score.value) ? part : score.value;
            total += part;
            of_keys += i < n_keys ? part : 0;
            if (i >= n_keys || score.source.cell == told.cell.cell) anyway.push_back(i);
        }
        tell(told, told_terms(std::move(ranks), anyway), [&](ExplanationTerm& term, std::size_t i) {
            const ReadCell score = first_read(row, i);
            term.part = share(i);
            term.value = score.value;
            term.source = score.source;
            term.is_own = i < n_keys && score.source.cell == told.cell.cell;
        });
        told.terms_heading =
            "from this row of " + with_spaces(shown_name(first_read(row, 0).source)) + told_of(told, "greatest");
        told.terms_total = "row sum " + number_text(of_keys);
        if (n_keys < n) told.terms_total += ", with the sink " + number_text(total);
    }

    void write_share(WrittenTerm& term) const {
        const Expression& row = *normalised_row();
        const auto source = [&](std::size_t i) { return first_read(row, i).source; };
        term.label = is_sink(row, term.place)
                         ? "the sink (no key)"
                         : running_label(source(0), source(std::min<std::size_t>(1, row.n_terms() - 1)), term.source);
        term.text = number_text(term.value);
        term.part_text = percent_text(term.part);
    }

    // One more score, which is no key's: the last, if any.
    static bool is_sink(const Expression& row, std::size_t i) {
        return first_read(row, i).source.tensor != first_read(row, 0).source.tensor;
    }

    // fill(term, place) writes what a term is, once its place is known.
    template <class Fill> static void tell(Explanation& told, const ToldTerms& which, Fill fill) {
        told.n_before_gap = which.n_before_gap;
        told.n_left_out = which.n_left_out;
        told.n_masked = which.n_masked;
        told.terms.resize(which.places.size());
        for (std::size_t i = 0; i < which.places.size(); ++i) {
            told.terms[i].place = which.places[i];
            fill(told.terms[i], which.places[i]);
        }
    }

    // ": the 1,024 greatest and this one, 14,975 left out" or ": without 197 masked", as short as the panel is narrow; empty where all are
    // told.
    static std::string told_of(const Explanation& told, const std::string& greatest) {
        if (told.n_left_out == 0) return {};
        const std::string masked = grouped(std::uint64_t{told.n_masked}) + " masked";
        if (told.n_masked == told.n_left_out) return ": without " + masked;
        std::vector<std::string> which{"the " + grouped(std::uint64_t{told.n_before_gap}) + " " + greatest};
        const char* last = told.terms_kind == TermsKind::shares ? "the sink" : "the bias";
        for (std::size_t i = told.n_before_gap; i < told.terms.size(); ++i)
            which.push_back(told.terms[i].is_own ? "this one" : last);
        const std::string others = grouped(std::uint64_t{told.n_left_out - told.n_masked}) + " left out";
        return ": " + listed(which) + ", " + others + (told.n_masked > 0 ? ", " + masked : "");
    }

    std::vector<bool> products(Explanation& told, const Trace& trace) const {
        told.terms_kind = TermsKind::products;
        const EvaluatedSum sum = evaluate_sum(expression_);
        const std::vector<bool> are_masked = masked_terms(trace, sum.terms);
        std::vector<double> ranks(sum.terms.size());
        for (std::size_t i = 0; i < ranks.size(); ++i)
            ranks[i] = !are_masked.empty() && are_masked[i] ? kRankOfMasked : std::fabs(sum.terms[i]);
        tell(told, told_terms(std::move(ranks), place_of_bias()), [&](ExplanationTerm& term, std::size_t i) {
            term.source = first_read(expression_, i).source;
            term.part = sum.terms[i];
        });
        told.terms_heading = "made from " + read_tensors() + told_of(told, "farthest from 0");
        told.terms_total = "sum " + number_text(sum.total);
        return are_masked;
    }

    // As write_terms returns them.
    std::vector<bool> masked_terms(const Trace& trace, const std::vector<double>& terms) const {
        const std::size_t n = terms.size();
        const CellRef first = first_read(expression_, 0).source, last = first_read(expression_, n - 1).source;
        const Range keys{first.cell.col, last.cell.col + 1};
        const bool is_row = first.tensor == last.tensor && first.cell.plane == last.cell.plane &&
                            first.cell.row == last.cell.row && keys.size() == static_cast<int>(n);
        const bool is_of_weights = node(first.tensor).presentation.role == Role::weights;
        if (!is_row || !is_of_weights || !may_have_masked_keys(program_, first.tensor)) return {};
        std::vector<float> weights(n);
        for (std::size_t i = 0; i < n; ++i) weights[i] = static_cast<float>(first_read(expression_, i).value);
        mark_masked(trace, first.tensor, {Range::at(first.cell.plane), Range::at(first.cell.row), keys}, weights);
        std::vector<bool> are_masked(n);
        for (std::size_t i = 0; i < n; ++i) are_masked[i] = is_masked(weights[i]) && terms[i] == 0; // 0 · ∞ is none
        const auto n_masked = static_cast<std::size_t>(std::count(are_masked.begin(), are_masked.end(), true));
        return n_masked > 0 && n_masked < n ? are_masked : std::vector<bool>{};
    }

    // It stands last and is no product; empty where there is none.
    std::vector<std::size_t> place_of_bias() const {
        const bool has_bias = !expression_.parts.empty() && expression_.parts.back().kind != Kind::product;
        return has_bias ? std::vector{expression_.n_terms() - 1} : std::vector<std::size_t>{};
    }

    void write_product(WrittenTerm& term) const {
        const Expression product = expression_.term(term.place);
        term.sources = sources(product);
        const bool is_product = product.kind == Kind::product;
        const CellRef& source = term.source;
        const std::size_t last = expression_.n_terms() - 1;
        const auto first_of = [&](std::size_t i) { return first_read(expression_, std::min(i, last)).source; };
        term.label = is_product ? running_label(first_of(0), first_of(1), source) : shown_name(source);
        if (is_product) term.text = expression_text(product);
        term.part_text = number_text(term.part);
    }

    void parts(Explanation& told) const {
        const std::vector<CellRef> read = sources(expression_);
        if (read.empty()) return;
        told.terms_kind = TermsKind::parts;
        const bool is_row = told.is_row_of_one_tensor = is_row_of_one_tensor(read);
        std::vector<double> values, ranks;
        // Each stands where its cell is read first.
        for_each_source(expression_, [&](const CellRef& source, double value) {
            if (values.size() < read.size() && source == read[values.size()]) values.push_back(value);
        });
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < read.size(); ++i) {
            ranks.push_back(rank_in_row(values[i]));
            if (is_row && read[i].cell == told.cell.cell) own.push_back(i);
        }
        tell(told, told_terms(std::move(ranks), own), [&](ExplanationTerm& term, std::size_t i) {
            term.part = values[i];
            term.source = read[i];
            term.is_own = is_row && read[i].cell == told.cell.cell;
        });
        told.terms_heading = is_row ? "from this row of " + with_spaces(shown_name(read[0])) : "made from";
        told.terms_heading += told_of(told, "farthest from 0");
    }

    void write_part(const Explanation& told, WrittenTerm& term) const {
        const CellRef& source = term.source;
        const Node& from = node(source.tensor);
        const bool is_row = told.is_row_of_one_tensor;
        term.label = is_row ? label_of(from.presentation.cols, source.cell.col) : shown_name(source);
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
        std::vector<CellRef> read = sources(expression_.term(0));
        const std::vector<CellRef> last = sources(expression_.term(expression_.n_terms() - 1));
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

std::vector<bool> write_terms(Explanation& told, const Document& document, const Trace& trace) {
    return TermsOf(document, trace.program(), told).write(told, trace);
}

WrittenTerm written_term(const Document& document, const Program& program, const Explanation& told, std::size_t term) {
    return TermsOf(document, program, told).in_words(told, told.terms[term]);
}

} // namespace lab
