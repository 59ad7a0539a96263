#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(LogSoftmax, AsPyTorchComputesIt) {
    expect_near(run(*log_softmax(), {matrix({{1, 2, 3}})}), {-2.407605964, -1.407605964, -0.407605964});
}

TEST(LogSoftmax, IsTheLogarithmOfSoftmaxAndHoldsWhereThatIsZero) {
    Dice dice(1);
    const Tensor logits = dice.tensor(Shape::stack(2, 3, 7));
    std::vector<double> expected;
    for (float weight : run(*softmax(), {logits}).values()) expected.push_back(std::log(static_cast<double>(weight)));
    expect_near(run(*log_softmax(), {logits}), expected, 1e-5);
    expect_near(run(*log_softmax(), {matrix({{1000, 0, -1000}})}), {0, -1000, -2000});
    EXPECT_EQ(run(*log_softmax(), {matrix({{3}})}).values(), std::vector<float>{0});
}

TEST(LogSoftmax, OfInfinitiesIsAsInPyTorch) {
    EXPECT_EQ(run(*log_softmax(), {matrix({{0, -kInfinity, 0}})}).at({0, 0, 1}), -kInfinity);
    for (const auto& row : {std::vector<float>{-kInfinity, -kInfinity}, {kInfinity, 0}, {0, kNaN}, {kNaN, 0}}) {
        for (float y : run(*log_softmax(), {matrix({row})}).values()) EXPECT_TRUE(std::isnan(y)) << row[0];
    }
}

TEST(LogSoftmax, FacetsAgree) {
    Dice dice(2);
    for (const Shape& shape : {Shape::matrix(3, 5), Shape::stack(2, 2, 3)}) {
        const Tensor x = dice.tensor(shape);
        check_facets(*log_softmax(), {x});
        check_float64_twin(*log_softmax(), {x});
        check_backward(log_softmax(), {x});
    }
    check_facets(*log_softmax(), {matrix({{100, 1, -100}, {0, -kInfinity, 1}, {kNaN, 1, 2}, {kInfinity, 0, 1}})});
    check_facets(*log_softmax_slope(), {matrix({{-0.1f, -200, -kInfinity}}), matrix({{1, -1, 0.5f}})});
    EXPECT_EQ(run(*log_softmax(), {Tensor(Shape::matrix(2, 0))}).shape(), Shape::matrix(2, 0));
}

TEST(LogSoftmax, WritesItselfDown) {
    const Tensor logits = matrix({{0, 1}});
    EXPECT_EQ(expression_text(derive(*log_softmax(), {logits}, {0, 0, 0})), "(0.0000 − 1.0000) − ln Σ");
    EXPECT_EQ(evaluated_text(derive(*log_softmax(), {logits}, {0, 0, 0})), "−1.0000 − 0.3133");
    EXPECT_EQ(log_softmax()->formula(std::vector<std::string>{"logits"}), "ln softmax(logits)");
    EXPECT_EQ(refusal(*log_softmax_slope(), {Shape::matrix(2, 3), Shape::matrix(3, 2)}, {"y", "g"}),
              "g is 3 × 2 but y is 2 × 3");
}

} // namespace
