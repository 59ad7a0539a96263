#include "engine/derivation.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <unordered_set>

#include "engine/kernels/elementary.h"

namespace lab {

namespace {

using Kind = Expression::Kind;

double with_term(double total, double term) { return as_float32(total + term); }

struct CellHash {
    std::size_t operator()(const CellRef& ref) const {
        const auto number = [](int x) { return static_cast<std::size_t>(x); };
        return number(ref.cell.col) +
               31 * (number(ref.cell.row) + 31 * (number(ref.cell.plane) + 31 * number(ref.tensor)));
    }
};

void collect_lines(const Expression& expression, std::vector<BlockRef>& lines) {
    if (expression.kind == Kind::cell) lines.push_back({expression.source.tensor, Block::at(expression.source.cell)});
    if (expression.series && expression.series->n_terms() > 0) {
        for (const Series::Run& run : expression.series->runs) lines.push_back(run.cells);
    }
    for (const Expression& part : expression.parts) collect_lines(part, lines);
}

bool is_compound(const Expression& part) {
    const bool is_of_several = part.kind == Kind::sum ? part.n_terms() > 1 : part.kind == Kind::difference;
    return part.label.empty() && is_of_several;
}

bool names(const Expression& expression, const CellRef& cell) {
    const auto part_names = [&](const Expression& part) { return names(part, cell); };
    return (expression.kind == Kind::cell && expression.source == cell) ||
           (expression.series && expression.series->reads(cell)) ||
           std::any_of(expression.parts.begin(), expression.parts.end(), part_names);
}

const Expression* first_cell(const Expression& expression) {
    if (expression.kind == Kind::cell) return &expression;
    for (const Expression& part : expression.parts) {
        if (const Expression* cell = first_cell(part)) return cell;
    }
    return nullptr;
}

// One of the terms that a series stands for.
Expression term_of(const Series& series, std::size_t i) {
    const auto cell = [&](const Series::Run& run) { return Expression::cell(run.cell(i), run.value(i)); };
    if (series.form == Series::Form::cells) return cell(series.runs[0]);
    const Kind kind = series.form == Series::Form::products ? Kind::product : Kind::exponential;
    Expression term = Expression::make(kind, {});
    for (const Series::Run& run : series.runs) term.parts.push_back(cell(run));
    return term;
}

// Calls f(value) of every term of a sum, in order.
template <class Function> void for_each_value(const Expression& sum, Function f) {
    for (std::size_t i = 0; sum.series && i < sum.series->n_terms(); ++i) f(sum.series->value(i));
    for (const Expression& term : sum.parts) f(evaluate(term));
}

std::string part_text(const Expression& part, int max_terms) {
    if (!part.label.empty() && part.kind != Kind::given) return part.label;
    std::string text = expression_text(part, max_terms);
    return is_compound(part) ? "(" + text + ")" : text;
}

// What follows a sign: a negative number stands in brackets, "0.1662·(−0.1018)".
std::string after_sign(const std::string& text) {
    if (!text.starts_with("−")) return text;
    const std::size_t end = std::min(text.find("·"), text.size());
    return "(" + text.substr(0, end) + ")" + text.substr(end);
}

template <class TextOf>
std::string joined(std::span<const Expression> parts, std::string_view separator, TextOf text_of) {
    std::string text;
    for (const Expression& part : parts)
        text += text.empty() ? text_of(part) : std::string(separator) + after_sign(text_of(part));
    return text;
}

// Without brackets a quotient's divisor would be read with the factors behind it: "(x / y)·2".
std::string product_text(std::span<const Expression> factors, int max_terms) {
    return joined(factors, "·", [&](const Expression& factor) {
        const bool is_open = factor.kind == Kind::quotient && factor.label.empty() && &factor != &factors.back();
        const std::string text = part_text(factor, max_terms);
        return is_open ? "(" + text + ")" : text;
    });
}

std::string difference_text(std::span<const Expression> parts, int max_terms) {
    return part_text(parts[0], max_terms) + " − " + after_sign(part_text(parts[1], max_terms));
}

// Of a long sum the first terms.
std::string sum_text(const Expression& sum, int max_terms) {
    const auto n = static_cast<std::size_t>(max_terms);
    std::vector<Expression> terms;
    for (std::size_t i = 0; i < std::min(n, sum.n_terms()); ++i) terms.push_back(sum.term(i));
    const auto text_of = [&](const Expression& term) { return part_text(term, max_terms); };
    return joined(terms, " + ", text_of) + (sum.n_terms() > n ? " + …" : "");
}

} // namespace

Expression Expression::given(double value, std::string reason, std::vector<Expression> because) {
    return {Kind::given, value, {}, std::move(reason), std::move(because), {}, {}};
}

Expression Expression::call(Function function, Expression of, std::string label) {
    Expression written{Kind::call, 0, {}, std::move(label), {}, function, {}};
    written.parts.push_back(std::move(of)); // in a list it would be copied
    return written;
}

Expression Expression::make(Kind kind, std::vector<Expression> parts, std::string label) {
    return {kind, 0, {}, std::move(label), std::move(parts), {}, {}};
}

Expression Expression::pair(Kind kind, Expression first, Expression second) {
    std::vector<Expression> parts;
    parts.reserve(2);
    parts.push_back(std::move(first));
    parts.push_back(std::move(second));
    return make(kind, std::move(parts));
}

Expression Expression::sum_of(Series series, std::string label) {
    Expression sum = make(Kind::sum, {}, std::move(label));
    sum.series = std::move(series);
    return sum;
}

std::size_t Expression::n_terms() const { return (series ? series->n_terms() : 0) + parts.size(); }

Expression Expression::term(std::size_t i) const {
    const std::size_t n_before = series ? series->n_terms() : 0;
    return i < n_before ? term_of(*series, i) : parts[i - n_before];
}

double evaluate(const Expression& expression) {
    const auto part = [&](std::size_t i) { return evaluate(expression.parts[i]); };
    switch (expression.kind) {
    case Kind::number:
    case Kind::cell:
    case Kind::given: return expression.value;
    case Kind::sum: {
        double total = 0;
        for_each_value(expression, [&](double term) { total = with_term(total, term); });
        return total;
    }
    case Kind::product: {
        double total = 1;
        for (const Expression& factor : expression.parts) total = as_float32(total * evaluate(factor));
        return total;
    }
    case Kind::quotient: return as_float32(part(0) / part(1));
    case Kind::difference: return as_float32(part(0) - part(1));
    case Kind::exponential: {
        const double exponent = expression.parts.size() > 1 ? part(0) - part(1) : part(0);
        return exponential(static_cast<float>(exponent));
    }
    case Kind::call: return static_cast<double>(value_of(expression.function, static_cast<float>(part(0))));
    case Kind::round: return round_to_decimals(static_cast<float>(part(0)), static_cast<int>(part(1)));
    }
    return 0;
}

EvaluatedSum evaluate_sum(const Expression& sum) {
    EvaluatedSum found;
    found.terms.reserve(sum.n_terms());
    for_each_value(sum, [&](double term) {
        found.terms.push_back(term);
        found.total = with_term(found.total, term);
    });
    return found;
}

std::vector<CellRef> sources(const Expression& expression) {
    constexpr std::size_t kFewSources = 8; // of a term; a row of scores has thousands
    std::vector<CellRef> found, unique;
    for_each_source(expression, [&](const CellRef& source, double) { found.push_back(source); });
    unique.reserve(found.size());
    if (found.size() <= kFewSources) {
        for (const CellRef& ref : found) {
            if (std::find(unique.begin(), unique.end(), ref) == unique.end()) unique.push_back(ref);
        }
        return unique;
    }
    std::unordered_set<CellRef, CellHash> seen(found.size());
    for (const CellRef& ref : found) {
        if (seen.insert(ref).second) unique.push_back(ref);
    }
    return unique;
}

std::vector<BlockRef> lines_of_sources(const Expression& expression) {
    std::vector<BlockRef> lines;
    collect_lines(expression, lines);
    return lines;
}

ReadCell first_read(const Expression& sum, std::size_t term) {
    const std::size_t n_before = sum.series ? sum.series->n_terms() : 0;
    if (term < n_before) return {sum.series->runs[0].cell(term), sum.series->runs[0].value(term)};
    const Expression* const cell = first_cell(sum.parts[term - n_before]);
    assert(cell);
    return {cell->source, cell->value};
}

std::optional<Expression> term_with(const Expression& sum, const CellRef& cell) {
    if (sum.series && sum.series->reads(cell)) return term_of(*sum.series, sum.series->place_of(cell));
    const auto found =
        std::find_if(sum.parts.begin(), sum.parts.end(), [&](const Expression& term) { return names(term, cell); });
    return found != sum.parts.end() ? std::optional(*found) : std::nullopt;
}

void rename_sources(Expression& expression, const std::vector<int>& tensors) {
    const auto rename = [&](int& tensor) { tensor = tensors[at_index(tensor)]; };
    if (expression.kind == Kind::cell) rename(expression.source.tensor);
    if (expression.series) {
        for (Series::Run& run : expression.series->runs) rename(run.cells.tensor);
    }
    for (Expression& part : expression.parts) rename_sources(part, tensors);
}

std::string expression_text(const Expression& expression, int max_terms) {
    const auto part = [&](std::size_t i) { return part_text(expression.parts[i], max_terms); };
    switch (expression.kind) {
    case Kind::number: return expression.label.empty() ? number_text(expression.value) : expression.label;
    case Kind::cell: return number_text(expression.value);
    case Kind::given: return number_text(expression.value) + " (" + expression.label + ")";
    case Kind::sum: return sum_text(expression, max_terms);
    case Kind::product: return product_text(expression.parts, max_terms);
    case Kind::quotient: return part(0) + " / " + after_sign(part(1));
    case Kind::difference: return difference_text(expression.parts, max_terms);
    case Kind::call:
        return name_of(expression.function) + ("(" + expression_text(expression.parts[0], max_terms) + ")");
    case Kind::exponential: {
        const std::vector<Expression>& parts = expression.parts;
        const bool is_of_difference = parts.size() > 1;
        return "e^(" + (is_of_difference ? difference_text(parts, max_terms) : expression_text(parts[0], max_terms)) +
               ")";
    }
    case Kind::round: {
        const int decimals = static_cast<int>(expression.parts[1].value);
        return "round(" + part(0) + ", " + std::to_string(decimals) + (decimals == 1 ? " decimal)" : " decimals)");
    }
    }
    return {};
}

std::string evaluated_text(const Expression& expression, int max_terms) {
    assert(!expression.series);
    Expression outer = Expression::make(expression.kind, {}, expression.label);
    outer.function = expression.function;
    bool says_more = false;
    for (const Expression& part : expression.parts) {
        says_more = says_more || !part.parts.empty() || part.series;
        outer.parts.push_back(Expression::number(evaluate(part)));
    }
    return says_more && expression.kind != Kind::given ? expression_text(outer, max_terms) : std::string();
}

} // namespace lab
