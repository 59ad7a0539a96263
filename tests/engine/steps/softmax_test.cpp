#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

// exp(x) / Σ exp(x) in float64, as one says it.
std::vector<double> slow_softmax(const std::vector<float>& x) {
    double sum = 0;
    for (float score : x) sum += std::exp(static_cast<double>(score));
    std::vector<double> weights;
    for (float score : x) weights.push_back(std::exp(static_cast<double>(score)) / sum);
    return weights;
}

double entropy(const std::vector<float>& weights) {
    double bits = 0;
    for (float w : weights) bits -= w > 0 ? static_cast<double>(w) * std::log2(static_cast<double>(w)) : 0.0;
    return bits;
}

TEST(Softmax, ByHand) {
    const float e = 2.71828183f;
    const std::vector<float> weights = run(*softmax(), {matrix({{0, 1}, {5, 5}})}).values();
    EXPECT_NEAR(weights[0], 1 / (1 + e), 1e-7);
    EXPECT_NEAR(weights[1], e / (1 + e), 1e-7);
    EXPECT_EQ(weights[2], 0.5f);
    EXPECT_EQ(weights[3], 0.5f);
}

TEST(Softmax, EqualsTheSlowTwin) {
    Dice dice(1);
    for (const StepPtr& step : {softmax(), naive_softmax()}) {
        for (int n = 1; n < 40; ++n) {
            const Tensor scores = dice.tensor(Shape::matrix(1, n));
            const std::vector<float> weights = run(*step, {scores}).values();
            const std::vector<double> expected = slow_softmax(scores.values());
            for (std::size_t j = 0; j < weights.size(); ++j)
                EXPECT_NEAR(static_cast<double>(weights[j]), expected[j], 2e-7);
            check_float64_twin(*step, {scores});
        }
    }
}

TEST(Softmax, RowsSumToOneAndWeightsArePositive) {
    Dice dice(2);
    const Tensor scores = run(*scale(20.0f, "20"), {dice.tensor(Shape::matrix(50, 60))});
    const Tensor weights = run(*softmax(), {scores});
    for (int i = 0; i < 50; ++i) {
        double sum = 0;
        for (float w : weights.row(i)) {
            EXPECT_GE(w, 0.0f);
            sum += static_cast<double>(w);
        }
        EXPECT_NEAR(sum, 1.0, 1e-6);
    }
}

// The numbers are multiples of 1/1024, so that adding 64 loses nothing and the bits must be the same.
TEST(Softmax, AddingAConstantToARowChangesNothing) {
    Dice dice(3);
    const Tensor scores = dice.tensor(Shape::matrix(4, 6));
    std::vector<float> shifted = scores.values();
    for (float& x : shifted) x += 64.0f;
    EXPECT_TRUE(bit_equal(run(*softmax(), {scores}), run(*softmax(), {Tensor(scores.shape(), shifted)})));
}

TEST(Softmax, HoldsWhereTheNaiveOneOverflows) {
    const Tensor scores = matrix({{1000, 999, 0}});
    const std::vector<float> weights = run(*softmax(), {scores}).values();
    EXPECT_NEAR(weights[0], 0.7310586, 1e-6);
    EXPECT_EQ(weights[2], 0.0f);
    const std::vector<float> naive = run(*naive_softmax(), {scores}).values();
    EXPECT_TRUE(std::isnan(naive[0]) && std::isnan(naive[1]));
    EXPECT_EQ(naive[2], 0.0f);
}

TEST(Softmax, AHigherTemperatureRaisesTheEntropy) {
    Dice dice(4);
    const Tensor scores = dice.tensor(Shape::matrix(1, 12));
    double before = -1;
    for (float temperature : {0.1f, 0.3f, 1.0f, 3.0f, 10.0f, 100.0f}) {
        const double now = entropy(run(*softmax(), {run(*scale(1 / temperature, ""), {scores})}).values());
        EXPECT_GT(now, before) << temperature;
        before = now;
    }
    EXPECT_NEAR(before, std::log2(12.0), 1e-3) << "towards the uniform weights";
}

TEST(Softmax, PermutingKeysPermutesWeights) {
    const std::vector<float> x = {0.5f, -1, 2, 0.25f};
    const std::vector<float> y = {2, 0.25f, 0.5f, -1};
    const auto a = run(*softmax(), {matrix({x})}).values();
    const auto b = run(*softmax(), {matrix({y})}).values();
    for (int j = 0; j < 4; ++j) {
        const auto at = static_cast<std::size_t>(j);
        EXPECT_NEAR(a[at], b[(at + 2) % 4], 1e-7);
    }
}

TEST(Softmax, MaskedKeysWeighNothingAndAFullyMaskedRowIsZeros) {
    for (const StepPtr& step : {softmax(), naive_softmax()}) {
        EXPECT_EQ(run(*step, {matrix({{1, kMasked, 1}})}).values(), (std::vector<float>{0.5f, 0, 0.5f}));
        EXPECT_EQ(run(*step, {matrix({{kMasked, kMasked, kMasked}})}).values(), std::vector<float>(3, 0.0f));
        EXPECT_EQ(run(*step, {Tensor(Shape::matrix(2, 0))}).shape(), Shape::matrix(2, 0));
    }
}

TEST(Softmax, NotANumberIsNeverHidden) {
    for (const StepPtr& step : {softmax(), naive_softmax()}) {
        for (const auto& row :
             {std::vector<float>{kNaN, 1, 2}, {1, kNaN, kMasked}, {kMasked, kNaN, kMasked}, {kNaN, kMasked, kMasked}}) {
            for (float w : run(*step, {matrix({row})}).values())
                EXPECT_TRUE(std::isnan(w)) << step->kind() << " " << row[0];
        }
    }
    for (float w : run(*softmax(), {matrix({{kInfinity, 1}})}).values()) EXPECT_TRUE(std::isnan(w)) << "as PyTorch";
}

// A factor that rounds products is left to the step that multiplies.
TEST(Softmax, MultipliesOnTheWayWhereThatRoundsNothing) {
    EXPECT_NE(softmax()->runner_with_factor(0.125f), nullptr);
    EXPECT_NE(softmax_with_sink()->runner_with_factor(1), nullptr);
    for (float factor : {0.1f, 0.375f, 0.0f, -0.5f, 2.0f, 4.0f, kInfinity})
        EXPECT_EQ(softmax()->runner_with_factor(factor), nullptr) << factor;
    EXPECT_EQ(naive_softmax()->runner_with_factor(0.5f), nullptr);
    EXPECT_EQ(top_k_softmax(2)->runner_with_factor(0.5f), nullptr);
}

TEST(Softmax, FacetsAgree) {
    Dice dice(5);
    for (const StepPtr& step : {softmax(), naive_softmax()}) {
        check_facets(*step, {dice.tensor(Shape::matrix(3, 5))});
        check_facets(*step, {dice.tensor(Shape::stack(2, 2, 3))});
        check_facets(*step, {matrix({{1}})});
        check_facets(*step, {matrix({{1, kMasked, 0.5f}, {kMasked, kMasked, kMasked}, {kMasked, kMasked, 3}})});
        check_facets(*step, {matrix({{100, 1, -100}, {88, 88, 88}, {88.7f, 88.7f, 88.7f}, {-200, -200, -200}})});
        check_facets(*step, {matrix({{kMasked, kNaN, kMasked}, {kInfinity, 1, kMasked}, {1, kInfinity, kInfinity}})});
    }
}

TEST(Softmax, NoticesWhatIsWorthARemark) {
    const Tensor rows = matrix({{1, 2, 1.5f},
                                {kMasked, kMasked, kMasked},
                                {100, 0, 0},
                                {3, kMasked, kMasked},
                                {88.7f, 88.7f, 88.7f},
                                {1, kNaN, 0}});
    EXPECT_EQ(notice(*softmax(), {rows}, 0), std::nullopt);
    EXPECT_EQ(notice(*softmax(), {rows}, 1), Notice::all_keys_masked);
    EXPECT_EQ(notice(*softmax(), {rows}, 2), Notice::saturated);
    EXPECT_EQ(notice(*softmax(), {matrix({{10, 0}})}, 0), Notice::saturated) << "0.99995";
    EXPECT_EQ(notice(*softmax(), {matrix({{9.8f, 0}})}, 0), std::nullopt) << "0.99994: not 1 to four digits";
    EXPECT_EQ(notice(*softmax(), {rows}, 3), std::nullopt) << "one key alone must have weight 1";
    EXPECT_EQ(notice(*softmax(), {rows}, 4), std::nullopt);
    EXPECT_EQ(notice(*softmax(), {matrix({{3e8f, 0}})}, 0), Notice::saturated) << "so large that 3e8 - 4.6 is 3e8";
    EXPECT_EQ(notice(*softmax(), {matrix({{3e8f, 3e8f}})}, 0), std::nullopt);
    EXPECT_EQ(notice(*softmax(), {matrix({{-3e8f, -kInfinity}})}, 0), std::nullopt) << "one key alone";
    EXPECT_EQ(notice(*naive_softmax(), {rows}, 1), Notice::all_keys_masked);
    EXPECT_EQ(notice(*naive_softmax(), {rows}, 2), Notice::overflow) << "e^100";
    EXPECT_EQ(notice(*naive_softmax(), {rows}, 4), Notice::overflow) << "every power is finite, their sum is not";
    EXPECT_EQ(notice(*naive_softmax(), {rows}, 5), Notice::overflow);
    EXPECT_EQ(notice(*naive_softmax(), {matrix({{-200, -200}})}, 0), Notice::overflow) << "0 / 0";
}

TEST(Softmax, WritesItselfDown) {
    const Tensor scores = matrix({{0, 1}});
    EXPECT_EQ(expression_text(derive(*softmax(), {scores}, {0, 0, 1})), "e^(1.0000 − 1.0000) / Σ");
    EXPECT_EQ(expression_text(derive(*naive_softmax(), {scores}, {0, 0, 0})), "e^(0.0000) / Σ");
    EXPECT_EQ(evaluated_text(derive(*naive_softmax(), {scores}, {0, 0, 0})), "1.0000 / 3.7183");
    EXPECT_EQ(softmax()->formula(std::vector<std::string>{"scaled_scores"}), "softmax(scaled_scores)");
    EXPECT_NE(softmax()->kind(), naive_softmax()->kind());
}

} // namespace
