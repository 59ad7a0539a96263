#include "engine/derivation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>

#include "tests/engine/labs.h"
#include "tests/engine/long_labs.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/support.h"
#include "tests/engine/trace_facets.h"

namespace {

using namespace lab;
using namespace lab::test;
using Kind = Expression::Kind;

Expression number(double value) { return Expression::number(value); }

Expression cell(int col, double value) { return Expression::cell({0, {0, 0, col}}, value); }

TEST(Derivation, EveryCellIsTheValueOfItsDerivation) {
    for (const Lab& lab : many_labs()) {
        SCOPED_TRACE(lab.name);
        check_derivations(run(lab));
    }
}

TEST(Derivation, SourcesAreExactlyTheCellsThatMatter) {
    for (const Lab& lab : many_labs()) {
        SCOPED_TRACE(lab.name);
        check_steps(run(lab));
    }
}

TEST(Derivation, FeedsIsTheInverseOfSources) {
    for (const Lab& lab : many_labs()) {
        SCOPED_TRACE(lab.name);
        check_feeds(run(lab));
    }
}

TEST(Derivation, ACellReachesWhatReadsIt) {
    const Trace trace = run(of_length(6, 2, MaskKind::none));
    const auto reaches = [&](const char* from, Cell cell, const char* to, Cell other) {
        return trace.reaches(trace.program().find(from), cell, trace.program().find(to), other);
    };
    EXPECT_TRUE(reaches("W_query", {0, 0, 0}, "attention_weights", {0, 1, 2}));
    EXPECT_FALSE(reaches("W_query", {0, 0, 0}, "attention_weights", {1, 1, 2})) << "the other head's";
    EXPECT_FALSE(reaches("W_value", {0, 0, 0}, "attention_weights", {0, 1, 2}));
    EXPECT_TRUE(reaches("W_value", {0, 0, 0}, "context_vectors", {0, 1, 0}));
    EXPECT_TRUE(reaches("inputs", {0, 1, 0}, "queries", {0, 1, 0}));
    EXPECT_FALSE(reaches("inputs", {0, 1, 0}, "queries", {0, 2, 0}));
    EXPECT_FALSE(reaches("queries", {0, 1, 0}, "inputs", {0, 1, 0})) << "nothing goes back";
    EXPECT_FALSE(reaches("queries", {0, 1, 0}, "queries", {0, 1, 0}));
}

// From any cell of a context vector, source by source, one comes down to what the document gives.
TEST(Derivation, APathLeadsFromEveryContextCellToTheInputs) {
    for (const Lab& lab : many_labs()) {
        SCOPED_TRACE(lab.name);
        const Trace trace = run(lab);
        const int contexts = trace.program().find("context_vectors");
        const std::string bottom = lab.tensors.count("queries") > 0 ? "queries" : "inputs";
        for_each_cell(tensor_of(trace, contexts).shape(), [&](Cell start) {
            EXPECT_TRUE(leaves_below(trace, {contexts, start}).count(bottom) > 0) << to_text(start);
        });
    }
}

TEST(Derivation, EvaluatesInFloat32) {
    EXPECT_EQ(evaluate(Expression::make(Kind::sum, {number(1e8), number(1), number(-1e8)})), 0)
        << "as float32 loses the 1";
    EXPECT_TRUE(std::isinf(evaluate(Expression::make(Kind::product, {number(1e30), number(1e30)}))));
    EXPECT_EQ(evaluate(Expression::make(Kind::quotient, {number(1), number(4)})), 0.25);
    EXPECT_EQ(evaluate(Expression::make(Kind::difference, {number(1), number(4)})), -3);
    EXPECT_EQ(evaluate(Expression::make(Kind::exponential, {number(0)})), 1);
    EXPECT_EQ(evaluate(Expression::make(Kind::exponential, {number(-0.5), number(-0.5)})), 1);
    EXPECT_EQ(evaluate(Expression::make(Kind::round, {number(0.125), number(2)})), static_cast<double>(0.12f));
    EXPECT_EQ(evaluate(Expression::given(0, "masked", {number(5)})), 0);
    EXPECT_EQ(evaluate(Expression::make(Kind::sum, {})), 0);
}

TEST(Derivation, NamesEverySourceOnceInTheOrderOfReading) {
    const Expression twice = Expression::make(Kind::sum, {Expression::make(Kind::product, {cell(2, 1), cell(1, 1)}),
                                                          cell(2, 1), Expression::given(0, "", {cell(0, 1)})});
    const std::vector<CellRef> expected = {{0, {0, 0, 2}}, {0, {0, 0, 1}}, {0, {0, 0, 0}}};
    EXPECT_EQ(sources(twice), expected);
    EXPECT_TRUE(sources(number(1)).empty());
}

// Σ a·b + a bias: two rows of a tensor, and one cell of each.
Expression sum_with_series(Series::Form form, int n) {
    const auto run = [&](int row, float first) {
        Series::Run of_row{{0, {Range::at(0), Range::at(row), {0, n}}}, {}};
        for (int j = 0; j < n; ++j) of_row.values.push_back(first + 0.1f * static_cast<float>(j));
        return of_row;
    };
    Series series{form, {run(0, -1)}};
    if (form != Series::Form::cells) series.runs.push_back(run(1, 3));
    Expression sum = Expression::sum_of(std::move(series));
    sum.parts.push_back(Expression::cell({1, {}}, 0.25));
    return sum;
}

TEST(Derivation, ASeriesIsWhatItsTermsAre) {
    const CellRef a{0, {0, 0, 2}}, b{0, {0, 1, 2}}, bias{1, {}};
    const std::pair<Series::Form, Kind> forms[] = {{Series::Form::cells, Kind::cell},
                                                   {Series::Form::products, Kind::product},
                                                   {Series::Form::powers, Kind::exponential}};
    for (const auto& [form, kind] : forms) {
        for (const int n : {0, 1, 4}) {
            const Expression sum = sum_with_series(form, n);
            ASSERT_EQ(sum.n_terms(), static_cast<std::size_t>(n) + 1);
            Expression written = Expression::make(Kind::sum, {});
            for (std::size_t i = 0; i < sum.n_terms(); ++i) {
                written.parts.push_back(sum.term(i));
                EXPECT_EQ(written.parts.back().kind, i < sum.n_terms() - 1 ? kind : Kind::cell);
                EXPECT_EQ(evaluate_sum(sum).terms[i], evaluate(written.parts.back()));
            }
            EXPECT_EQ(evaluate(sum), evaluate(written));
            EXPECT_EQ(sources(sum), sources(written));
            EXPECT_EQ(expression_text(sum), expression_text(written));
            EXPECT_EQ(expression_text(sum, 1), expression_text(written, 1));
        }
        const Expression sum = sum_with_series(form, 4);
        EXPECT_EQ(expression_text(*term_with(sum, a)), expression_text(sum.term(2)));
        EXPECT_EQ(term_with(sum, b).has_value(), form != Series::Form::cells);
        EXPECT_EQ(expression_text(*term_with(sum, bias)), "0.2500");
        EXPECT_FALSE(term_with(sum, {0, {0, 0, 4}})) << "right behind the row";
    }
}

TEST(Derivation, ASeriesNamesLinesOfCells) {
    Expression sum = sum_with_series(Series::Form::products, 4);
    const Block row{{0, 1}, {0, 1}, {0, 4}}, next_row{{0, 1}, {1, 2}, {0, 4}};
    EXPECT_EQ(lines_of_sources(sum), (std::vector<BlockRef>{{0, row}, {0, next_row}, {1, Block::at({})}}));
    rename_sources(sum, {7, 5});
    EXPECT_EQ(lines_of_sources(sum), (std::vector<BlockRef>{{7, row}, {7, next_row}, {5, Block::at({})}}));
}

// As of every power of a row, from which its greatest score is subtracted.
TEST(Derivation, OneCellMayBeInEveryTermOfASeries) {
    const Block column{{0, 1}, {2, 5}, {1, 2}};
    const CellRef greatest{0, {0, 4, 1}};
    Series powers{Series::Form::powers, {{{0, column}, {1, 2, 3}}, {{0, Block::at(greatest.cell)}, {3}}}};
    EXPECT_EQ(powers.place_of(greatest), 0U);
    EXPECT_EQ(sources(Expression::sum_of(powers)), (std::vector<CellRef>{{0, {0, 2, 1}}, greatest, {0, {0, 3, 1}}}));
    EXPECT_EQ(expression_text(Expression::sum_of(powers)),
              "e^(1.0000 − 3.0000) + e^(2.0000 − 3.0000) + e^(3.0000 − 3.0000)");
}

TEST(Derivation, ARoundingsWitnessesAreSourcesAndNothingElse) {
    const Expression alone = Expression::make(Kind::round, {cell(1, 0.125), number(2)});
    const Expression whole = Expression::make(Kind::round, {cell(1, 0.125), number(2), cell(0, NAN), cell(2, 5)});
    EXPECT_EQ(evaluate(whole), evaluate(alone));
    EXPECT_EQ(expression_text(whole), "round(0.1250, 2 decimals)");
    EXPECT_EQ(evaluated_text(whole), "");
    EXPECT_EQ(sources(whole), (std::vector<CellRef>{{0, {0, 0, 1}}, {0, {0, 0, 0}}, {0, {0, 0, 2}}}));
}

TEST(NumberText, WritesNumbersAsTheLabDoes) {
    EXPECT_EQ(number_text(1.8111), "1.8111");
    EXPECT_EQ(number_text(-0.5), "−0.5000");
    EXPECT_EQ(number_text(0), "0.0000");
    EXPECT_EQ(number_text(-0.0), "0.0000");
    EXPECT_EQ(number_text(0.25, 1), "0.2");
    EXPECT_EQ(number_text(-INFINITY), "−∞");
    EXPECT_EQ(number_text(INFINITY), "∞");
    EXPECT_EQ(number_text(NAN), "not a number");
    EXPECT_EQ(number_text(1234567), "1.23e+06");
    EXPECT_EQ(number_text(999999.0), "999999.0") << "a float32 holds seven figures";
    EXPECT_EQ(number_text(1840.21124), "1840.211");
    EXPECT_EQ(number_text(123.45678), "123.4568");
    EXPECT_EQ(number_text(-0.00001, 4), "−1.00e-05");
    EXPECT_EQ(number_text(0.00005, 4), "0.0001") << "never shown as zero";
}

TEST(NumberText, RoundsAsPrintfDoes) {
    Dice dice(3);
    for (int decimals = 0; decimals <= 9; ++decimals) {
        const auto check = [&](double number) {
            char text[64];
            std::snprintf(text, sizeof text, "%.*f", decimals, number);
            EXPECT_EQ(number_text(number, decimals), text);
        };
        for (double number : {1.0, 9.5, 9.9999999, 99.99995, 1.5, 2.5, 1.125, 1.005, 2.675, 999999.5, 999999.9999})
            check(number);
        for (int i = 0; i < 2000; ++i) {
            const double number = 1 + 0.001 * dice.below(1 << 20) + 1e-7 * dice.below(1 << 20);
            check(number);
            check(static_cast<float>(number));
            check(0.5 + number / 2500);              // below 1, but never so small that it has an exponent
            check(std::round(number * 1000) / 1000); // now and then as near to one text as to another
        }
    }
}

TEST(NumberText, GivesSmallNumbersThreeDigits) {
    EXPECT_EQ(number_text(0.0012), "0.0012");
    EXPECT_EQ(number_text(0.000244140625), "0.000244");
    EXPECT_EQ(number_text(-0.0000612), "−0.0000612");
    EXPECT_EQ(number_text(-0.00000612), "−6.12e-06");
}

TEST(PercentText, GivesSmallSharesTwoDigits) {
    EXPECT_EQ(percent_text(0.2199), "22.0%");
    EXPECT_EQ(percent_text(-0.004), "−0.40%");
    EXPECT_EQ(percent_text(0.00113), "0.11%");
    EXPECT_EQ(percent_text(0), "0.0%");
    EXPECT_EQ(percent_text(0.0025), "0.25%") << "no less than 0.249% beside it";
    EXPECT_EQ(percent_text(0.00299), "0.30%");
    EXPECT_EQ(percent_text(0.003), "0.30%");
    EXPECT_EQ(percent_text(0.00994), "0.99%");
    EXPECT_EQ(percent_text(0.000999), "0.10%") << "and no digit more than 0.1001% beside it";
    EXPECT_EQ(percent_text(0.00996), "1.0%");
    EXPECT_EQ(percent_text(0.000244140625), "0.024%");
    EXPECT_EQ(percent_text(0.000061), "0.0061%");
    EXPECT_EQ(percent_text(0.000000061), "6.1e-06%");
    EXPECT_EQ(percent_text(0.9994), "99.9%");
    EXPECT_EQ(percent_text(0.9998), "99.98%") << "0.02% are left to others";
    EXPECT_EQ(percent_text(0.999995), "99.9995%");
    EXPECT_EQ(percent_text(1), "100.0%");
    EXPECT_EQ(percent_text(INFINITY), "—");
}

TEST(ExpressionText, IsTheSumWithItsNumbers) {
    const auto product = [](double a, double b) { return Expression::make(Kind::product, {number(a), number(b)}); };
    const Expression sum = Expression::make(Kind::sum, {product(0.4306, 0.4433), product(1.4551, 1.1419)});
    EXPECT_EQ(expression_text(sum), "0.4306·0.4433 + 1.4551·1.1419");
    EXPECT_EQ(expression_text(sum, 1), "0.4306·0.4433 + …");
    EXPECT_EQ(expression_text(sum, 2), "0.4306·0.4433 + 1.4551·1.1419");
    EXPECT_EQ(evaluated_text(sum), "0.1909 + 1.6616");
    EXPECT_EQ(number_text(evaluate(sum)), "1.8525");
}

TEST(ExpressionText, PutsSumsWithinProductsInParentheses) {
    const Expression sum = Expression::make(Kind::sum, {number(1), number(2)});
    const Expression minus = Expression::make(Kind::product, {number(-2), number(-3)});
    EXPECT_EQ(expression_text(minus), "−2.0000·(−3.0000)");
    EXPECT_EQ(expression_text(Expression::make(Kind::sum, {minus, minus, number(-1)})),
              "−2.0000·(−3.0000) + (−2.0000)·(−3.0000) + (−1.0000)");
    EXPECT_EQ(expression_text(Expression::make(Kind::difference, {number(-1), number(-2)})), "−1.0000 − (−2.0000)");
    EXPECT_EQ(expression_text(Expression::make(Kind::exponential, {number(-1), number(-2)})),
              "e^(−1.0000 − (−2.0000))");
    EXPECT_EQ(expression_text(Expression::make(Kind::product, {sum, number(3)})), "(1.0000 + 2.0000)·3.0000");
    const Expression named = Expression::make(Kind::sum, {number(1), number(2)}, "Σ");
    EXPECT_EQ(expression_text(Expression::make(Kind::quotient, {number(1), named})), "1.0000 / Σ");
    EXPECT_EQ(evaluated_text(Expression::make(Kind::quotient, {number(1), named})), "1.0000 / 3.0000");
    EXPECT_EQ(expression_text(named), "1.0000 + 2.0000") << "written out where it stands alone";
}

TEST(ExpressionText, SaysNothingTwice) {
    EXPECT_EQ(evaluated_text(Expression::make(Kind::sum, {number(1), cell(0, 2)})), "");
    EXPECT_EQ(evaluated_text(number(1)), "");
    EXPECT_EQ(evaluated_text(Expression::given(0, "masked", {number(1)})), "");
}

// The comparison that saves the writing says what writing would.
TEST(Derivation, NumbersAreWrittenAlikeWhereTheirTextsAre) {
    Dice dice(7);
    std::vector<double> numbers = {0,     -0.0, 0.03125, 0.03124999,   4e-5,     5e-5,
                                   -5e-5, 6e-5, 1e6,     999999.99996, INFINITY, NAN};
    for (int i = 0; i < 60; ++i) {
        const double x = static_cast<double>(dice.number());
        for (const double beside : {x, x + 4e-5, x - 6e-5, x + 1.2e-4, x * 1e-5, x * 1e7}) numbers.push_back(beside);
    }
    int n_alike = 0;
    for (const double a : numbers) {
        for (const double b : numbers) {
            const bool is_alike = number_text(a) == number_text(b);
            n_alike += is_alike ? 1 : 0;
            EXPECT_EQ(is_written_alike(a, b), is_alike) << a << " and " << b;
        }
    }
    EXPECT_GT(n_alike, static_cast<int>(numbers.size()) + 20) << "also of different numbers";
}

} // namespace
