#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(SoftmaxJacobian, ByHand) {
    const Tensor slopes = run(*softmax_jacobian(), {matrix({{0.25f, 0.75f}, {1, 0}})});
    EXPECT_EQ(slopes.shape(), Shape::stack(2, 2, 2)) << "keys × queries × keys";
    EXPECT_EQ(slopes.values(), (std::vector<float>{0.1875f, -0.1875f, 0, 0, -0.1875f, 0.1875f, 0, 0}));
}

// (P(x + h) − P(x − h)) / 2h, cell by cell.
TEST(SoftmaxJacobian, IsTheLimitOfDifferences) {
    Dice dice(1);
    const Tensor scores = dice.tensor(Shape::matrix(3, 4));
    const Tensor slopes = run(*softmax_jacobian(), {run(*softmax(), {scores})});
    const float step = 1.0f / 256;
    for_each_cell(slopes.shape(), [&](Cell cell) {
        const Cell moved{0, cell.row, cell.col}, weight{0, cell.row, cell.plane};
        const float above = run(*softmax(), {scores.with(moved, scores.at(moved) + step)}).at(weight);
        const float below = run(*softmax(), {scores.with(moved, scores.at(moved) - step)}).at(weight);
        EXPECT_NEAR(slopes.at(cell), (above - below) / (2 * step), 2e-5) << to_text(cell);
    });
}

TEST(SoftmaxJacobian, TimesAGradientIsTheSlopeOfSoftmax) {
    Dice dice(2);
    const Tensor weights = run(*softmax(), {dice.tensor(Shape::matrix(2, 5))});
    const Tensor g = dice.tensor(Shape::matrix(2, 5));
    const Tensor slopes = run(*softmax_jacobian(), {weights}), expected = run(*softmax_slope(), {weights, g});
    for_each_cell(expected.shape(), [&](Cell cell) {
        float sum = 0;
        for (int j = 0; j < 5; ++j) sum += slopes.at({j, cell.row, cell.col}) * g.at({0, cell.row, j});
        EXPECT_NEAR(sum, expected.at(cell), 1e-6) << to_text(cell);
    });
}

TEST(SoftmaxJacobian, FacetsAgree) {
    Dice dice(3);
    for (const Tensor& weights : {dice.tensor(Shape::matrix(3, 4)), run(*softmax(), {dice.tensor(Shape::matrix(2, 5))}),
                                  matrix({{1, 0, 0}, {0, 0, 0}, {0.5f, kNaN, 0.5f}})}) {
        check_facets(*softmax_jacobian(), {weights});
        check_float64_twin(*softmax_jacobian(), {weights});
    }
}

TEST(SoftmaxJacobian, WritesItselfDown) {
    const Tensor weights = matrix({{0.25f, 0.75f}});
    EXPECT_EQ(expression_text(derive(*softmax_jacobian(), {weights}, {0, 0, 0})), "0.2500·(1.0000 − 0.2500)");
    EXPECT_EQ(expression_text(derive(*softmax_jacobian(), {weights}, {0, 0, 1})), "0.2500·(0.0000 − 0.7500)");
    EXPECT_EQ(refusal(*softmax_jacobian(), {Shape::stack(2, 3, 4)}, {"attention_weights"}),
              "attention_weights is 2 × 3 × 4 but the slopes of one head are shown");
}

} // namespace
