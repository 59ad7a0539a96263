#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kernels/functions.h"
#include "engine/series.h"
#include "engine/written_numbers.h"

namespace lab {

// How one number was made, as data: a small expression whose leaves are cells and plain numbers. What can be shown
// (the sum with its numbers), checked (evaluate) and followed (sources) all comes from it.
struct Expression {
    enum class Kind {
        number,      // a constant: the scale, a number of decimals
        cell,        // a source
        sum,         // Σ of the terms of `series` and then of the parts
        product,     // Π parts
        quotient,    // parts[0] / parts[1]
        difference,  // parts[0] − parts[1]
        exponential, // e^parts[0]; of two parts e^(parts[0] − parts[1])
        round,       // parts[0] to parts[1] decimals, ties to even; further parts are witnesses: sources, but not read
        call,        // function(parts[0])
        given,       // `value` by definition, because of the parts: a masked key counts 0
    };

    Kind kind = Kind::number;
    double value = 0;              // number, given, and the value of a cell
    CellRef source;                // cell
    std::string label;             // a name to stand for a long part ("Σ"), or the reason of `given`; or empty
    std::vector<Expression> parts; // operands
    Function function = {};        // call
    std::optional<Series> series;  // of a sum: its first terms

    static Expression number(double value) { return {Kind::number, value, {}, {}, {}, {}, {}}; }
    static Expression cell(CellRef source, double value) { return {Kind::cell, value, source, {}, {}, {}, {}}; }
    static Expression given(double value, std::string reason, std::vector<Expression> because);
    static Expression call(Function function, Expression of, std::string label = {});
    static Expression make(Kind kind, std::vector<Expression> parts, std::string label = {});
    // The same of two parts, which may be long sums: a list in braces would copy them.
    static Expression pair(Kind kind, Expression first, Expression second);
    static Expression sum_of(Series series, std::string label = {});

    // Of a sum, whether they are its series' or its parts.
    std::size_t n_terms() const;
    Expression term(std::size_t i) const;
};

// The value as the reference path computes it: every intermediate result, and a sum after each of its terms, is rounded
// to float32. So what a cell lost to overflow or cancellation its derivation loses too.
double evaluate(const Expression& expression);

// The same of a sum, of which each term is wanted too.
struct EvaluatedSum {
    std::vector<double> terms;
    double total = 0;
};
EvaluatedSum evaluate_sum(const Expression& sum);

// Calls f(cell, value) of every cell that it names, in the order of reading.
template <class Function> void for_each_source(const Expression& expression, Function f) {
    if (expression.kind == Expression::Kind::cell) f(expression.source, expression.value);
    for (std::size_t i = 0; expression.series && i < expression.series->n_terms(); ++i) {
        for (const Series::Run& run : expression.series->runs) f(run.cell(i), run.value(i));
    }
    for (const Expression& part : expression.parts) for_each_source(part, f);
}

// The cells it names, each once, in the order of reading.
std::vector<CellRef> sources(const Expression& expression);

// The same where thousands are read, as lines of cells that stand beside each other; a cell may be in several of them.
std::vector<BlockRef> lines_of_sources(const Expression& expression);

// The first cell that a term of a sum reads, or of what is given by definition; every such term reads one.
struct ReadCell {
    CellRef source;
    double value = 0;
};
ReadCell first_read(const Expression& sum, std::size_t term);

// The first term of a sum that names the cell, if any does.
std::optional<Expression> term_with(const Expression& sum, const CellRef& cell);

// Renames what the cells belong to: tensor k becomes tensors[k].
void rename_sources(Expression& expression, const std::vector<int>& tensors);

// "0.4306·0.4433 + 1.4551·1.1419". Parts with a label are written as the label; of a longer sum the first
// `max_terms` are written and then "…".
std::string expression_text(const Expression& expression, int max_terms = 8);

// The same of what has no series, with every part below the outermost operation evaluated: "0.9712 / 4.4173"; empty if that says nothing more.
std::string evaluated_text(const Expression& expression, int max_terms = 8);

} // namespace lab
