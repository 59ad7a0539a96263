// Sums of thousands of terms, of which the greatest are told.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "app/session/narration.h"
#include "app/views/explanation.h"
#include "app/views/explanation_feeds.h"
#include "app/views/told_terms.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

constexpr int kN = 1500;
constexpr std::size_t kMost = 1024;

// Scores that go up and down along a row, so that neither its first nor its last ones are the greatest.
Lab lab_with(MaskKind mask = MaskKind::none, std::optional<float> sink = {}) {
    Lab lab;
    Document document = lab.document();
    document.tokens.assign(kN, "a");
    std::vector<float> inputs(3 * static_cast<std::size_t>(kN), 0.05f);
    for (std::size_t i = 0; i < kN; ++i) inputs[3 * i] = 3 * std::sin(0.1f * static_cast<float>(i));
    document.tensors["inputs"] = Tensor(Shape::matrix(kN, 3), inputs);
    document.attention.mask = mask;
    document.attention.sink = sink.has_value();
    if (sink) document.tensors["sink"] = Tensor(Shape::vector(1), *sink);
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

// What takes slices is looked at before it is there.
TEST(LongExplanation, WhatIsStillToBeComputedSaysSo) {
    Lab lab = lab_with();
    ASSERT_TRUE(lab.perform(SetGradient{"attention_scores[3,2]"}).has_value());
    lab.begin_refresh();
    ASSERT_TRUE(lab.is_computing());
    const Explanation told = explain(lab, {"grad.queries", {0, 3, 0}}, 1);
    EXPECT_EQ(told.value, "…");
    EXPECT_EQ(told.reason, "still to be computed");
    EXPECT_TRUE(told.formula.empty() && told.terms.empty() && told.answers.empty());
    const int queries = lab.program().find("grad.queries");
    EXPECT_EQ(block_text(lab.document(), lab.trace(), queries, {{0, 1}, {3, 4}, {0, 3}}), "[a₄] = …");
    EXPECT_TRUE(block_text(lab.document(), lab.trace(), queries, {{0, 1}, {3, 4}, {1, 2}}).ends_with(" = …"));
    const Explanation of_read = explain(lab, {"grad.attention_scores", {0, 3, 2}}, 1);
    for (const ExplanationFeed& feed : of_read.feeds) EXPECT_EQ(feed.how, "still to be computed") << feed.name;
    while (lab.is_computing()) lab.work();
    EXPECT_NE(explain(lab, {"grad.queries", {0, 3, 0}}, 1).value, "…");
}

TEST(LongExplanation, ZerosInThePlaceOfWhatIsStillToBeComputedAreNotTold) {
    Lab lab;
    const Document document = test::document_of({.n_tokens = 1024, .d_in = 64, .d_k = 64, .d_v = 64});
    ASSERT_TRUE(lab.perform(OpenDocument{document}).has_value());
    lab.begin_refresh();
    const int contexts = lab.program().find("context_vectors");
    ASSERT_TRUE(lab.trace().is_missing(contexts));
    const auto told = [&] { return answers(lab, lab.program().node(contexts).stage, 1); };
    EXPECT_TRUE(told().empty()) << told().front();
    while (lab.is_computing()) lab.work();
    EXPECT_FALSE(told().empty());
}

TEST(LongExplanation, UntilAnUpdateHasComeByANumberAgreesWithItsTerms) {
    Lab lab = lab_with();
    const TensorCell cell{"context_vectors", {0, 1200, 0}};
    const int contexts = lab.program().find(cell.tensor);
    const std::string before = explain(lab, cell, 1).value;
    ASSERT_TRUE(lab.perform(SetCell{"W_query", {0, 0, 0}, -2}).has_value());
    lab.begin_refresh();
    ASSERT_TRUE(lab.trace().is_pending(contexts));
    const Explanation told = explain(lab, cell, 1);
    EXPECT_NE(told.value, before);
    EXPECT_EQ(told.value, number_text(evaluate(told.derivation)));
    while (lab.is_computing()) lab.work();
    EXPECT_EQ(explain(lab, cell, 1).value, told.value);
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
    EXPECT_EQ(term.label, "a" + subscript(greatest.cell.col + 1));
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
    const Lab lab = lab_with(MaskKind::none, 50.0f);
    const Explanation told = explain(lab, {"attention_weights", {0, 1200, 0}}, 1);
    EXPECT_EQ(written_term(lab, told, 0).label, "the sink (no key)") << "the greatest of all";
    EXPECT_EQ(written_term(lab, told, 1).label, "a" + subscript(told.terms[1].source.cell.col + 1));

    const Lab of_small = lab_with(MaskKind::causal, -50.0f);
    const Explanation masked = explain(of_small, {"attention_weights", {0, 1200, 1400}}, 1);
    EXPECT_EQ(masked.terms_heading,
              "from this row of masked scores: the 1,024 greatest, this one and the sink, 177 left out, 298 masked");
    ASSERT_EQ(masked.terms.size(), kMost + 2);
    EXPECT_EQ(written_term(of_small, masked, kMost + 1).label, "the sink (no key)");
}

// Queries are made from so many products, to which a bias is added.
Lab lab_of_long_sums(float overflowing = 0) {
    Document document = test::document_of({.n_tokens = 2, .d_in = kN, .has_biases = true});
    std::vector<float> inputs(2 * static_cast<std::size_t>(kN), 1.0f);
    inputs[kN - 1] = overflowing;
    document.tensors["inputs"] = Tensor(Shape::matrix(2, kN), inputs);
    document.tensors["W_query"] = Tensor(Shape::matrix(kN, 2), -10.0f);
    document.tensors["b_query"] = Tensor(Shape::vector(2), 0.25f);
    Lab lab;
    EXPECT_TRUE(lab.perform(OpenDocument{document}).has_value());
    lab.refresh();
    return lab;
}

TEST(LongExplanation, ABiasIsToldByItsNameHoweverSmallItIs) {
    const Lab lab = lab_of_long_sums();
    const Explanation told = explain(lab, {"queries", {0, 0, 0}}, 0);
    EXPECT_EQ(told.terms_heading,
              "made from inputs, W_query and b_query: the 1,024 farthest from 0 and the bias, 476 left out");
    ASSERT_EQ(told.terms.size(), kMost + 1);
    EXPECT_EQ(written_term(lab, told, kMost).label, "b_query");
    EXPECT_EQ(told.terms.back().part, 0.25);
}

TEST(LongExplanation, AProductThatOverflowsDecidesTheSumAndIsToldFirst) {
    const Lab lab = lab_of_long_sums(3e38f);
    const Explanation told = explain(lab, {"queries", {0, 0, 0}}, 0);
    EXPECT_EQ(told.value, "−∞");
    EXPECT_EQ(told.terms.front().part, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(told.terms.front().place, static_cast<std::size_t>(kN - 1));
}

TEST(LongExplanation, OfAnEarlyQueryUnderACausalMaskKeysThatItSeesAreTold) {
    const Lab lab = lab_with(MaskKind::causal);
    const Explanation told = explain(lab, {"attention_weights", {0, 4, 2}}, 4);
    EXPECT_EQ(told.terms.size(), 5U);
    EXPECT_EQ(told.terms_heading, "from this row of masked scores: without 1,495 masked");
    const Explanation of_masked = explain(lab, {"attention_weights", {0, 4, 1000}}, 4);
    EXPECT_EQ(of_masked.terms.size(), 6U);
    EXPECT_TRUE(of_masked.terms.back().is_own);
    const Lab with_sink = lab_with(MaskKind::causal, -50.0f);
    EXPECT_EQ(explain(with_sink, {"attention_weights", {0, 4, 2}}, 4).terms_heading,
              "from this row of masked scores: without 1,495 masked");
}

TEST(LongExplanation, AContextIsMadeFromKeysThatAreNotMasked) {
    const Lab lab = lab_with(MaskKind::causal);
    const Explanation told = explain(lab, {"context_vectors", {0, 4, 1}}, 4);
    EXPECT_EQ(told.terms_heading, "made from attention weights and values: without 1,495 masked");
    EXPECT_EQ(told.terms.size(), 5U);
    EXPECT_EQ(told.formula[told.formula.size() - 2], "+ … 2 more");
    EXPECT_EQ(told.formula.back(), "+ 1,495 masked, each 0");
    const Explanation of_last = explain(lab, {"context_vectors", {0, kN - 1, 1}}, 4);
    EXPECT_EQ(of_last.terms_heading, "made from attention weights and values: the 1,024 farthest from 0, 476 left out");
    EXPECT_EQ(of_last.formula.back(), "+ … 1,497 more");
    EXPECT_EQ(explain(lab, {"context_vectors", {0, 1399, 1}}, 4).terms_heading,
              "made from attention weights and values: the 1,024 farthest from 0, 376 left out, 100 masked");
    const Lab unmasked = lab_with();
    EXPECT_EQ(explain(unmasked, {"context_vectors", {0, 4, 1}}, 4).formula.back(), "+ … 1,497 more");
}

// 0 · ∞ is what makes the sum no number, masked or not.
TEST(LongExplanation, AMaskedKeyWhoseProductIsNoNumberIsToldFirst) {
    Lab lab = lab_with(MaskKind::causal);
    Document document = lab.document();
    document.tensors["inputs"] = document.tensors.at("inputs").with({0, 900, 2}, 3e38f);
    for (int j : {0, 1}) document.tensors["W_key"] = document.tensors.at("W_key").with({0, 2, j}, 0);
    document.tensors["W_value"] = document.tensors.at("W_value").with({0, 2, 1}, 10); // an infinite value
    ASSERT_TRUE(lab.perform(OpenDocument{document}).has_value());
    lab.refresh();
    const Explanation told = explain(lab, {"context_vectors", {0, 4, 1}}, 4);
    EXPECT_EQ(told.value, "not a number");
    const auto tells = [&](std::size_t place) {
        return std::any_of(told.terms.begin(), told.terms.end(),
                           [&](const ExplanationTerm& term) { return term.place == place; });
    };
    EXPECT_TRUE(tells(900));
    EXPECT_FALSE(tells(901));
}

TEST(LongExplanation, WhereAllKeysAreMaskedNoneIsLeftOut) {
    Lab lab = lab_with();
    Document document = lab.document();
    document.attention.mask = MaskKind::tensor;
    Tensor mask(Shape::matrix(kN, kN));
    for (int j = 0; j < kN; ++j) mask = mask.with({0, 4, j}, -std::numeric_limits<float>::infinity());
    document.tensors["mask"] = mask;
    ASSERT_TRUE(lab.perform(OpenDocument{document}).has_value());
    lab.refresh();
    const Explanation told = explain(lab, {"context_vectors", {0, 4, 1}}, 4);
    EXPECT_EQ(told.formula.back(), "+ … 1,497 more");
    EXPECT_EQ(told.terms.size(), kMost);
}

TEST(ToldTerms, AFewAreToldAsTheyAreAddedUp) {
    const ToldTerms told = told_terms({1, 3, 2}, {0});
    EXPECT_EQ(told.places, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(told.n_left_out, 0u);
}

TEST(ToldTerms, OfMoreThanAFewThoseThatAreMaskedAreNot) {
    const double masked = rank_in_row(-std::numeric_limits<double>::infinity());
    EXPECT_EQ(told_terms({1, masked, 2}, {}).n_left_out, 0u) << "a few are seen with their mask";
    std::vector<double> ranks(200, masked);
    ranks[3] = 1;
    ranks[150] = 2;
    const ToldTerms told = told_terms(ranks, {3, 7});
    EXPECT_EQ(told.places, (std::vector<std::size_t>{3, 150, 7})) << "as they are added up, then what is told anyway";
    EXPECT_EQ(told.n_before_gap, 2u);
    EXPECT_EQ(told.n_left_out, 197u);
    EXPECT_EQ(told.n_masked, 197u);
}

TEST(ToldTerms, OfThousandsThoseThatAreMaskedAreNotTheGreatest) {
    std::vector<double> ranks(5000, rank_in_row(-std::numeric_limits<double>::infinity()));
    std::fill(ranks.begin(), ranks.begin() + 3000, 1.0);
    EXPECT_EQ(told_terms(ranks, {}).places.size(), kMost);
    EXPECT_LT(told_terms(ranks, {}).n_masked, told_terms(ranks, {}).n_left_out);
    std::fill(ranks.begin() + 2, ranks.end(), rank_in_row(-std::numeric_limits<double>::infinity()));
    EXPECT_EQ(told_terms(ranks, {}).places, (std::vector<std::size_t>{0, 1}));
}

TEST(ToldTerms, WhatIsNoNumberGoesFirstAndOfEqualsTheOneBefore) {
    std::vector<double> ranks(2000, 1.0);
    ranks[1999] = std::numeric_limits<double>::quiet_NaN();
    ranks[1500] = 2;
    ranks[0] = rank_in_row(-std::numeric_limits<double>::infinity());
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
