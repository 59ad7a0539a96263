#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(TopKSoftmax, ByHand) {
    EXPECT_EQ(run(*top_k_softmax(2), {matrix({{1, 3, 3}, {2, 2, 2}, {5, 1, 5}})}).values(),
              (std::vector<float>{0, 0.5f, 0.5f, 0.5f, 0.5f, 0, 0.5f, 0, 0.5f}))
        << "of equals the earlier";
    EXPECT_EQ(
        run(*top_k_softmax(1), {matrix({{1, 3, 2}, {0, kMasked, kMasked}, {kMasked, kMasked, kMasked}})}).values(),
        (std::vector<float>{0, 1, 0, 1, 0, 0, 0, 0, 0}));
    EXPECT_EQ(run(*top_k_softmax(2), {matrix({{kMasked, 1, kMasked, 1, kMasked}})}).values(),
              (std::vector<float>{0, 0.5f, 0, 0.5f, 0}));
}

TEST(TopKSoftmax, OfAllKeysIsSoftmax) {
    Dice dice(1);
    const Tensor scores = dice.tensor(Shape::stack(2, 5, 6)).with({0, 1, 2}, kMasked).with({1, 4, 0}, kMasked);
    EXPECT_TRUE(bit_equal(run(*top_k_softmax(6), {scores}), run(*softmax(), {scores})));
    EXPECT_TRUE(bit_equal(run(*top_k_softmax(1000), {scores}), run(*softmax(), {scores})));
}

// Masking all but the k greatest by hand.
TEST(TopKSoftmax, IsSoftmaxOfWhatIsLeft) {
    Dice dice(2);
    for (int k = 1; k <= 7; ++k) {
        const Tensor scores = dice.tensor(Shape::matrix(1, 7));
        const std::vector<float> x = scores.values();
        std::vector<float> left(7, kMasked);
        for (std::size_t j = 0; j < x.size(); ++j) {
            int n_before = 0;
            for (std::size_t other = 0; other < x.size(); ++other)
                n_before += x[other] > x[j] || (x[other] == x[j] && other < j) ? 1 : 0;
            if (n_before < k) left[j] = x[j];
        }
        EXPECT_TRUE(bit_equal(run(*top_k_softmax(k), {scores}), run(*softmax(), {matrix({left})}))) << k;
        check_float64_twin(*top_k_softmax(k), {scores});
    }
}

TEST(TopKSoftmax, NotANumberIsNeverHidden) {
    for (const auto& row : {std::vector<float>{kNaN, 1, 2}, {3, 1, kNaN}, {kInfinity, 1, 0}}) {
        for (float w : run(*top_k_softmax(1), {matrix({row})}).values()) EXPECT_TRUE(std::isnan(w)) << row[0];
    }
}

TEST(TopKSoftmax, FacetsAgree) {
    Dice dice(3);
    for (int k : {1, 2, 3}) {
        check_facets(*top_k_softmax(k), {dice.tensor(Shape::matrix(3, 4))});
        check_facets(*top_k_softmax(k),
                     {matrix({{1, kMasked, 0.5f}, {kMasked, kMasked, kMasked}, {2, 2, 2}, {100, 1, -100}})});
        check_facets(*top_k_softmax(k, true), {dice.tensor(Shape::stack(2, 2, 3)), dice.tensor(Shape::vector(2))});
        check_backward(top_k_softmax(k), {dice.tensor(Shape::stack(2, 2, 4)).with({0, 1, 1}, kMasked)});
        check_backward(top_k_softmax(k, true), {dice.tensor(Shape::stack(2, 2, 4)), dice.tensor(Shape::vector(2))});
    }
}

TEST(TopKSoftmax, WritesItselfDown) {
    const Tensor scores = matrix({{0, 1, -1}});
    EXPECT_EQ(expression_text(derive(*top_k_softmax(2), {scores}, {0, 0, 1})), "e^(1.0000 − 1.0000) / Σ");
    EXPECT_EQ(expression_text(derive(*top_k_softmax(2), {scores}, {0, 0, 2})), "0.0000 (not among the 2 greatest)");
    EXPECT_EQ(top_k_softmax(2)->formula(std::vector<std::string>{"x"}), "softmax(the 2 greatest of x)");
    EXPECT_NE(top_k_softmax(2)->key(), top_k_softmax(3)->key());
    EXPECT_NE(top_k_softmax(2)->key(), top_k_softmax(2, true)->key());
    EXPECT_EQ(notice(*top_k_softmax(1), {scores}, 0), std::nullopt) << "one key alone must have weight 1";
    EXPECT_EQ(notice(*top_k_softmax(2), {matrix({{50, 0, 0}})}, 0), Notice::saturated);
    EXPECT_EQ(notice(*top_k_softmax(2), {matrix({{kMasked, kMasked}})}, 0), Notice::all_keys_masked);
}

TEST(SoftmaxWithSink, ByHand) {
    const Tensor scores(Shape::stack(2, 1, 2), std::vector<float>{1, 1, 0, 0});
    for (const StepPtr& step : {softmax_with_sink(), naive_softmax_with_sink()}) {
        const std::vector<float> weights = run(*step, {scores, vector({1, std::log(2.0f)})}).values();
        for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(weights[j], 1 / 3.0, 1e-7) << "1 of 3 equals";
        for (std::size_t j = 2; j < 4; ++j) EXPECT_NEAR(weights[j], 1 / 4.0, 1e-7) << "e^0 of 1 + 1 + 2";
        EXPECT_EQ(run(*step, {matrix({{kMasked, kMasked}}), vector({3})}).values(), (std::vector<float>{0, 0}));
    }
    EXPECT_EQ(run(*softmax_with_sink(), {matrix({{0, 0}}), vector({1000})}).values(), (std::vector<float>{0, 0}))
        << "the maximum includes the sink";
    EXPECT_TRUE(std::isnan(run(*softmax_with_sink(), {matrix({{0, 0}}), vector({kNaN})}).values()[0]));
}

TEST(SoftmaxWithSink, OfMinusInfinityIsSoftmax) {
    Dice dice(4);
    const Tensor scores = dice.tensor(Shape::stack(2, 3, 4));
    const Tensor none(Shape::vector(2), kMasked);
    EXPECT_TRUE(bit_equal(run(*softmax_with_sink(), {scores, none}), run(*softmax(), {scores})));
    EXPECT_TRUE(bit_equal(run(*naive_softmax_with_sink(), {scores, none}), run(*naive_softmax(), {scores})));
}

TEST(SoftmaxWithSink, IsSoftmaxWithOneMoreKey) {
    Dice dice(5);
    const Tensor scores = dice.tensor(Shape::matrix(3, 4));
    std::vector<float> longer;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) longer.push_back(scores.at({0, i, j}));
        longer.push_back(0.75f);
    }
    const Tensor expected = run(*softmax(), {Tensor(Shape::matrix(3, 5), longer)});
    const Tensor weights = run(*softmax_with_sink(), {scores, vector({0.75f})});
    for_each_cell(weights.shape(), [&](Cell cell) { EXPECT_FLOAT_EQ(weights.at(cell), expected.at(cell)); });
}

TEST(SoftmaxWithSink, FacetsAgree) {
    Dice dice(6);
    const Tensor heads = dice.tensor(Shape::stack(2, 3, 3)).with({0, 1, 2}, kMasked);
    const Tensor masked = matrix({{1, kMasked, 0.5f}, {kMasked, kMasked, kMasked}, {kMasked, kMasked, 3}});
    for (const StepPtr& step : {softmax_with_sink(), naive_softmax_with_sink()}) {
        check_facets(*step, {heads, dice.tensor(Shape::vector(2))});
        check_facets(*step, {masked, vector({0.25f})});
        check_facets(*step, {masked, vector({5})});
        check_float64_twin(*step, {heads, dice.tensor(Shape::vector(2))});
        check_backward(step, {heads, dice.tensor(Shape::vector(2))});
        check_backward(step, {masked, vector({0.25f})});
    }
}

TEST(SoftmaxWithSink, SaysWhichSinksDoNotFit) {
    const std::vector<std::string> names = {"scaled_scores", "sink"};
    EXPECT_EQ(refusal(*softmax_with_sink(), {Shape::stack(2, 3, 3), Shape::vector(3)}, names),
              "sink has 3 numbers but scaled_scores have 2 heads");
    EXPECT_EQ(refusal(*softmax_with_sink(), {Shape::matrix(3, 3), Shape::matrix(1, 1)}, names),
              "sink is 1 × 1 but should be a vector, and scaled_scores have 1 head");
    EXPECT_EQ(refusal(*sink_slope(), {Shape::matrix(2, 3), Shape::matrix(3, 2)}, {"weights", "gradient"}),
              "gradient is 3 × 2 but weights is 2 × 3");
    EXPECT_EQ(softmax_with_sink()->formula(names), "softmax(scaled_scores, sink)");
    EXPECT_EQ(naive_softmax_with_sink()->formula(names), "exp(scaled_scores) / (Σ exp + exp(sink))");
    EXPECT_NE(softmax_with_sink()->key(), softmax()->key());
}

TEST(SoftmaxWithSink, NoticesWhatIsWorthARemark) {
    const Tensor rows = matrix({{1, 2}, {kMasked, kMasked}, {30, kMasked}, {100, 0}});
    const Tensor sink = vector({0});
    EXPECT_EQ(notice(*softmax_with_sink(), {rows, sink}, 0), std::nullopt);
    EXPECT_EQ(notice(*softmax_with_sink(), {rows, sink}, 1), Notice::all_keys_masked);
    EXPECT_EQ(notice(*softmax_with_sink(), {rows, sink}, 2), Notice::saturated) << "the sink could have some of it";
    EXPECT_EQ(notice(*naive_softmax_with_sink(), {rows, sink}, 3), Notice::overflow);
    EXPECT_EQ(notice(*naive_softmax_with_sink(), {rows, vector({100})}, 0), Notice::overflow);
}

} // namespace
