#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

// τ by halving: the weights add up to less the greater it is.
std::vector<double> slow_sparsemax(const std::vector<float>& x) {
    double low = -1e3, high = 1e3;
    const auto weight = [](float score, double threshold) {
        return std::max(static_cast<double>(score) - threshold, 0.0);
    };
    for (int round = 0; round < 200; ++round) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (float score : x) sum += weight(score, middle);
        (sum > 1 ? low : high) = middle;
    }
    std::vector<double> weights;
    for (float score : x) weights.push_back(weight(score, low));
    return weights;
}

TEST(Sparsemax, ByHand) {
    EXPECT_EQ(run(*sparsemax(), {matrix({{1, 0.5f, -1}, {2, 0, 0}, {3, 3, 3.25f}, {0, 0, 0}})}).values(),
              (std::vector<float>{0.75f, 0.25f, 0, 1, 0, 0, 0.25f, 0.25f, 0.5f, 1 / 3.0f, 1 / 3.0f, 1 / 3.0f}));
    EXPECT_EQ(
        run(*sparsemax(), {matrix({{1, kMasked, 1}, {kMasked, kMasked, kMasked}, {kMasked, 7, kMasked}})}).values(),
        (std::vector<float>{0.5f, 0, 0.5f, 0, 0, 0, 0, 1, 0}));
    EXPECT_EQ(run(*sparsemax(), {matrix({{1e8f, 0}})}).values(), (std::vector<float>{1, 0})) << "no digits are lost";
    for (float weight : run(*sparsemax(), {matrix({{3, 0, 0}})}).values()) EXPECT_FALSE(std::signbit(weight));
}

TEST(Sparsemax, EqualsTheSlowTwin) {
    Dice dice(1);
    for (int n = 1; n < 40; ++n) {
        const Tensor scores = dice.tensor(Shape::matrix(1, n));
        const std::vector<float> weights = run(*sparsemax(), {scores}).values();
        const std::vector<double> expected = slow_sparsemax(scores.values());
        double sum = 0;
        for (std::size_t j = 0; j < weights.size(); ++j) {
            EXPECT_NEAR(static_cast<double>(weights[j]), expected[j], 3e-7);
            sum += static_cast<double>(weights[j]);
        }
        EXPECT_NEAR(sum, 1, 1e-6);
        check_float64_twin(*sparsemax(), {scores});
    }
}

TEST(Sparsemax, AddingAConstantToARowChangesNothing) {
    Dice dice(3);
    const Tensor scores = dice.tensor(Shape::matrix(4, 6));
    std::vector<float> shifted = scores.values();
    for (float& x : shifted) x += 64.0f;
    EXPECT_TRUE(bit_equal(run(*sparsemax(), {scores}), run(*sparsemax(), {Tensor(scores.shape(), shifted)})));
}

TEST(Sparsemax, NotANumberIsNeverHidden) {
    for (const auto& row : {std::vector<float>{kNaN, 1, 2},
                            {1, kNaN, kMasked},
                            {5, 1, kNaN},
                            {kInfinity, 1, 0},
                            {1, kInfinity, kInfinity}}) {
        for (float w : run(*sparsemax(), {matrix({row})}).values()) EXPECT_TRUE(std::isnan(w)) << row[0];
    }
}

TEST(Sparsemax, FacetsAgree) {
    Dice dice(5);
    check_facets(*sparsemax(), {dice.tensor(Shape::matrix(3, 5))});
    check_facets(*sparsemax(), {dice.tensor(Shape::stack(2, 2, 3))});
    check_facets(*sparsemax(), {matrix({{1}})});
    check_facets(*sparsemax(),
                 {matrix({{1, kMasked, 0.5f}, {kMasked, kMasked, kMasked}, {kMasked, kMasked, 3}, {2, 2, 1}})});
    check_facets(*sparsemax(),
                 {matrix({{kMasked, kNaN, kMasked}, {kInfinity, 1, kMasked}, {1, kInfinity, kInfinity}})});
}

TEST(Sparsemax, RunsBackwards) {
    Dice dice(6);
    check_backward(sparsemax(), {dice.tensor(Shape::matrix(4, 5))});
    check_backward(sparsemax(), {dice.tensor(Shape::stack(2, 2, 3)).with({1, 1, 0}, kMasked)});
    check_backward(sparsemax(),
                   {matrix({{0.5f, 0.25f, 0.125f}, {9, 0, 1}, {kMasked, kMasked, kMasked}, {kMasked, 2, kMasked}})});
    const Tensor slope = run(*sparsemax_slope(), {matrix({{0.5f, 0, 0.5f}}), matrix({{1, 7, 3}})});
    EXPECT_EQ(slope.values(), (std::vector<float>{-1, 0, 1}));
    EXPECT_TRUE(std::isnan(run(*sparsemax_slope(), {matrix({{kNaN, 1}}), matrix({{1, 2}})}).values()[1]));
    EXPECT_EQ(refusal(*sparsemax_slope(), {Shape::matrix(2, 3), Shape::matrix(3, 2)}, {"weights", "gradient"}),
              "gradient is 3 × 2 but weights is 2 × 3");
}

TEST(Sparsemax, NoticesWhatIsWorthARemark) {
    const Tensor rows = matrix({{1, 0.5f}, {kMasked, kMasked}, {5, 0}, {kMasked, 5}, {1, kNaN}});
    EXPECT_EQ(notice(*sparsemax(), {rows}, 0), std::nullopt);
    EXPECT_EQ(notice(*sparsemax(), {rows}, 1), Notice::all_keys_masked);
    EXPECT_EQ(notice(*sparsemax(), {rows}, 2), Notice::saturated);
    EXPECT_EQ(notice(*sparsemax(), {rows}, 3), std::nullopt);
    EXPECT_EQ(notice(*sparsemax(), {rows}, 4), Notice::overflow);
}

TEST(Sparsemax, WritesItselfDown) {
    const Tensor scores = matrix({{1, 0.5f, -1}});
    EXPECT_EQ(expression_text(derive(*sparsemax(), {scores}, {0, 0, 1})), "(0.5000 − 1.0000) − τ");
    EXPECT_EQ(expression_text(derive(*sparsemax(), {scores}, {0, 0, 2})), "0.0000 (outside the support)");
    EXPECT_EQ(sparsemax()->formula(std::vector<std::string>{"scaled_scores"}), "sparsemax(scaled_scores)");
}

} // namespace
