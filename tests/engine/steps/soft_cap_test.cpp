#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(SoftCap, AsPyTorchComputesIt) { // 5 · torch.tanh(x / 5)
    expect_near(run(*soft_cap(5), {matrix({{-3, -0.5f, 0.25f, 2}})}),
                {-2.685247835, -0.498339973, 0.249791875, 1.899744811});
}

TEST(SoftCap, NeverLeavesTheCapAndKeepsTheOrder) {
    float before = -kInfinity;
    for (float x : {-kInfinity, -1e30f, -100.0f, -2.0f, -0.1f, 0.0f, 1e-20f, 0.1f, 3.0f, 1e4f, kInfinity}) {
        const float y = run(*soft_cap(2), {matrix({{x}})}).at({0, 0, 0});
        EXPECT_GE(y, before) << x;
        EXPECT_LE(std::fabs(y), 2) << x;
        before = y;
    }
    EXPECT_EQ(run(*soft_cap(2), {matrix({{-kInfinity, kInfinity}})}).values(), (std::vector<float>{-2, 2}));
    EXPECT_TRUE(std::isnan(run(*soft_cap(2), {matrix({{kNaN}})}).at({0, 0, 0})));
}

TEST(SoftCap, AWideCapChangesNothing) {
    Dice dice(1);
    const Tensor scores = dice.tensor(Shape::matrix(3, 3));
    const std::vector<float> values = scores.values();
    expect_near(run(*soft_cap(1e6f), {scores}), {values.begin(), values.end()});
}

TEST(SoftCap, FacetsAgree) {
    Dice dice(2);
    for (float cap : {0.01f, 0.5f, 3.0f, 50.0f}) {
        for (const Tensor& x : {dice.tensor(Shape::matrix(3, 4)), dice.tensor(Shape::stack(2, 2, 3))}) {
            check_facets(*soft_cap(cap), {x});
            check_float64_twin(*soft_cap(cap), {x});
        }
    }
    for (float cap : {0.5f, 3.0f, 50.0f}) check_backward(soft_cap(cap), {dice.tensor(Shape::stack(2, 2, 3))});
    const Tensor extremes = matrix({{kInfinity, -kInfinity, kNaN, 1e38f, -0.0f, 1e-45f}});
    check_facets(*soft_cap(2), {extremes});
    check_facets(*soft_cap_slope(2), {extremes, dice.tensor(Shape::matrix(1, 6)).with({0, 0, 3}, 0)});
}

TEST(SoftCap, SaysWhichCapsHaveNoMeaning) {
    EXPECT_EQ(refusal(*soft_cap(0), {Shape::matrix(2, 2)}, {"scores"}), "softcap is 0 but must be a number above 0");
    EXPECT_EQ(refusal(*soft_cap(-1.5f), {Shape::matrix(2, 2)}, {"scores"}),
              "softcap is -1.5 but must be a number above 0");
    EXPECT_NE(refusal(*soft_cap(kNaN), {Shape::matrix(2, 2)}, {"scores"}), "");
    EXPECT_NE(refusal(*soft_cap(kInfinity), {Shape::matrix(2, 2)}, {"scores"}), "");
    EXPECT_EQ(refusal(*soft_cap_slope(2), {Shape::matrix(2, 2), Shape::matrix(2, 3)}, {"scores", "grad.scores"}),
              "grad.scores is 2 × 3 but scores is 2 × 2");
}

TEST(SoftCap, WritesItselfDown) {
    EXPECT_EQ(expression_text(derive(*soft_cap(2), {matrix({{1}})}, {0, 0, 0})), "2.0000·tanh(1.0000 / 2.0000)");
    EXPECT_EQ(soft_cap(2)->formula(std::vector<std::string>{"scaled_scores"}), "2 · tanh(scaled_scores / 2)");
    EXPECT_NE(soft_cap(2)->key(), soft_cap(2.0000002f)->key());
}

} // namespace
