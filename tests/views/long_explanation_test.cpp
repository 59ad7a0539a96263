// Sums of thousands of terms, of which the greatest are told.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "app/views/explanation.h"
#include "app/views/told_terms.h"

namespace lab {
namespace {

constexpr int kN = 1500;
constexpr std::size_t kMost = 1024;

// Scores that go up and down along a row, so that neither its first nor its last ones are the greatest.
Lab lab_with(MaskKind mask = MaskKind::none, bool sink = false) {
    Lab lab;
    Document document = lab.document();
    document.tokens.assign(kN, "a");
    std::vector<float> inputs(3 * static_cast<std::size_t>(kN), 0.05f);
    for (std::size_t i = 0; i < kN; ++i) inputs[3 * i] = 3 * std::sin(0.1f * static_cast<float>(i));
    document.tensors["inputs"] = Tensor(Shape::matrix(kN, 3), inputs);
    document.attention.mask = mask;
    document.attention.sink = sink;
    if (sink) document.tensors["sink"] = Tensor(Shape::vector(1), 50.0f);
    EXPECT_TRUE(lab.perform(OpenDocument{document}).has_value());
    lab.refresh();
    return lab;
}

std::vector<float> row_of(const Lab& lab, const std::string& tensor, int row) {
    const int node = lab.program().find(tensor);
    std::vector<float> cells;
    for (int j = 0; j < kN; ++j) cells.push_back(lab.trace().at(node, {0, row, j}));
    return cells;
}

TEST(LongExplanation, OfAWeightTellsTheGreatestSharesAndItsOwn) {
    const Lab lab = lab_with();
    std::vector<float> weights = row_of(lab, "attention_weights", 1200);
    const auto least = std::min_element(weights.begin(), weights.end());
    const TensorCell cell{"attention_weights", {0, 1200, static_cast<int>(least - weights.begin())}};
    const Explanation told = explain(lab, cell, 1);
    EXPECT_EQ(told.terms_heading, "from this row of scaled scores: the 1,024 greatest and this one, 475 left out");
    EXPECT_EQ(told.n_left_out, kN - kMost - 1);
    ASSERT_EQ(told.terms.size(), kMost + 1);
    EXPECT_TRUE(told.terms.back().is_own);
    EXPECT_EQ(static_cast<int>(told.terms.back().place), cell.cell.col);
    std::sort(weights.begin(), weights.end(), std::greater<>());
    for (std::size_t i = 0; i < kMost; ++i) ASSERT_NEAR(told.terms[i].part, weights[i], 1e-7) << i;
    EXPECT_EQ(told.terms_total, "row sum 1.0000") << "of all";
    EXPECT_EQ(told.greatest_part, told.terms.front().part) << "no bar reaches beyond its track";

    const TensorCell greatest{cell.tensor, {0, 1200, static_cast<int>(told.terms.front().place)}};
    const Explanation told_of_it = explain(lab, greatest, 1);
    EXPECT_TRUE(told_of_it.terms.front().is_own);
    EXPECT_EQ(told_of_it.terms_heading, "from this row of scaled scores: the 1,024 greatest, 476 left out");
    const WrittenTerm term = written_term(lab, told_of_it, 0);
    EXPECT_EQ(term.label, "a");
}

TEST(LongExplanation, OfAContextVectorTellsTheProductsFarthestFrom0) {
    const Lab lab = lab_with();
    const Explanation told = explain(lab, {"context_vectors", {0, 1200, 0}}, 1);
    EXPECT_EQ(told.terms_heading, "made from attention weights and values: the 1,024 farthest from 0, 476 left out");
    const std::vector<float> weights = row_of(lab, "attention_weights", 1200);
    const int values = lab.program().find("values");
    std::vector<double> products;
    for (int j = 0; j < kN; ++j)
        products.push_back(std::fabs(weights[static_cast<std::size_t>(j)] * lab.trace().at(values, {0, j, 0})));
    std::sort(products.begin(), products.end(), std::greater<>());
    ASSERT_EQ(told.terms.size(), kMost);
    bool has_negative = false;
    for (std::size_t i = 0; i < kMost; ++i) {
        ASSERT_NEAR(std::fabs(told.terms[i].part), products[i], 1e-7) << i;
        has_negative = has_negative || told.terms[i].part < 0;
    }
    EXPECT_TRUE(has_negative) << "these are far from 0, too";
}

TEST(LongExplanation, OfAMaskedRowTellsWhatMayBeAttendedToFirst) {
    const Lab lab = lab_with(MaskKind::causal);
    const Explanation told = explain(lab, {"attention_weights", {0, 1200, 1400}}, 1);
    ASSERT_EQ(told.terms.size(), kMost + 1);
    for (std::size_t i = 0; i < kMost; ++i) ASSERT_LE(told.terms[i].place, 1200u) << i;
}

TEST(LongExplanation, TheSinkIsToldByItsNameWhereverItStands) {
    const Lab lab = lab_with(MaskKind::none, true);
    const Explanation told = explain(lab, {"attention_weights", {0, 1200, 0}}, 1);
    EXPECT_EQ(written_term(lab, told, 0).label, "the sink (no key)") << "the greatest of all";
    EXPECT_EQ(written_term(lab, told, 1).label, "a");
}

TEST(ToldTerms, AFewAreToldAsTheyAreAddedUp) {
    const ToldTerms told = told_terms({1, 3, 2}, {0});
    EXPECT_EQ(told.places, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(told.n_left_out, 0u);
}

TEST(ToldTerms, WhatIsNoNumberGoesFirstAndOfEqualsTheOneBefore) {
    std::vector<double> ranks(2000, 1.0);
    ranks[1999] = std::numeric_limits<double>::quiet_NaN();
    ranks[1500] = 2;
    ranks[0] = distance_from_0(-std::numeric_limits<double>::infinity());
    const ToldTerms told = told_terms(ranks, {0, 3});
    EXPECT_EQ(told.places[0], 1999u);
    EXPECT_EQ(told.places[1], 1500u);
    for (std::size_t i = 2; i < kMost; ++i) ASSERT_EQ(told.places[i], i - 1);
    EXPECT_EQ(told.places.back(), 0u) << "told anyway, while 3 is told already";
    EXPECT_EQ(told.places.size(), kMost + 1);
    EXPECT_EQ(told.n_left_out, 2000 - kMost - 1);
}

} // namespace
} // namespace lab
