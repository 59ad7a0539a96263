#include <cmath>

#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

// The Jacobians of every normaliser that there is: its own step says which.
namespace {

using namespace lab;
using namespace lab::test;

struct Case {
    const char* title;
    StepPtr step;
    std::vector<Tensor> operands; // away from the kinks of top-k and sparsemax
};

std::vector<Case> cases() {
    Dice dice(1);
    const Tensor sinks = vector({0.3f, -0.8f});
    const auto scores = [&] { return dice.tensor(Shape::stack(2, 3, 4)); };
    Tensor masked = scores().with({0, 1, 2}, -kInfinity).with({1, 0, 0}, -kInfinity);
    for (int k = 0; k < 4; ++k) masked = masked.with({1, 2, k}, -kInfinity);
    const Tensor some = Tensor(Shape::stack(1, 2, 4), std::vector<float>{0.5f, 0.25f, -1, 0.375f, 3, -1, 0, -2});
    return {{"softmax", softmax(), {masked}},
            {"naive softmax", naive_softmax(), {masked}},
            {"softmax with sinks", softmax_with_sink(), {masked, sinks}},
            {"naive softmax with sinks", naive_softmax_with_sink(), {masked, sinks}},
            {"the 2 greatest", top_k_softmax(2), {masked}},
            {"the 2 greatest with sinks", top_k_softmax(2, true), {masked, sinks}},
            {"sum", divide_by_sum(), {masked}},
            {"sparsemax", sparsemax(), {some}},
            {"sparsemax of masked", sparsemax(), {masked}}};
}

using Cells = std::vector<double>;

Cells cells_of(const Tensor& tensor) {
    const std::vector<float> values = tensor.values();
    return {values.begin(), values.end()};
}

// The step in float64 on cells of the operands' shapes.
Cells compute(const Step& step, const std::vector<Cells>& cells, const std::vector<Shape>& shapes) {
    std::vector<ConstView<double>> views;
    for (std::size_t i = 0; i < cells.size(); ++i) views.push_back({cells[i].data(), shapes[i]});
    const Result<Shape> shape = step.shape(shapes, std::vector<std::string>(shapes.size()));
    Cells result(shape->size());
    step.forward(views, Block::all(*shape), {result.data(), Block::all(*shape)});
    return result;
}

Cells weights_of(const Case& one, const Cells& scores) {
    std::vector<Cells> cells{scores};
    std::vector<Shape> shapes{one.operands[0].shape()};
    for (std::size_t i = 1; i < one.operands.size(); ++i) {
        cells.push_back(cells_of(one.operands[i]));
        shapes.push_back(one.operands[i].shape());
    }
    return compute(*one.step, cells, shapes);
}

Cells slopes_of(const Case& one, const Cells& scores) {
    const std::optional<RowSlopes> slopes = one.step->row_slopes();
    return compute(*slopes->step, {slopes->reads_result ? weights_of(one, scores) : scores}, {one.operands[0].shape()});
}

// (P(x + h) − P(x − h)) / 2h in float64, cell by cell: a head's scores move no other head's weights.
TEST(SoftmaxJacobian, OfEveryNormaliserIsTheLimitOfDifferences) {
    constexpr double kStep = 1e-6;
    for (const Case& one : cases()) {
        ASSERT_TRUE(one.step->row_slopes()) << one.title;
        const Shape shape = one.operands[0].shape();
        const Cells scores = cells_of(one.operands[0]);
        const Cells slopes = slopes_of(one, scores);
        ASSERT_EQ(slopes.size(), scores.size() * static_cast<std::size_t>(shape.cols)) << one.title;
        for_each_cell(Shape::stack(shape.planes * shape.cols, shape.rows, shape.cols), [&](Cell cell) {
            const int head = cell.plane / shape.cols, key = cell.plane % shape.cols;
            const auto flat = [&](int k) {
                return static_cast<std::size_t>((head * shape.rows + cell.row) * shape.cols + k);
            };
            Cells above = scores, below = scores;
            above[flat(cell.col)] += kStep;
            below[flat(cell.col)] -= kStep;
            const double slope = (weights_of(one, above)[flat(key)] - weights_of(one, below)[flat(key)]) / (2 * kStep);
            const auto at = static_cast<std::size_t>((cell.plane * shape.rows + cell.row) * shape.cols + cell.col);
            EXPECT_NEAR(slopes[at], slope, 1e-8 * (1 + std::fabs(slope))) << one.title << " " << to_text(cell);
        });
    }
}

// Σ_j g[j] · ∂y[j]/∂x[k] is what running backwards gives.
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

TEST(SoftmaxJacobian, ByHand) {
    const Tensor slopes = run(*softmax_jacobian(), {matrix({{0.25f, 0.75f}, {1, 0}})});
    EXPECT_EQ(slopes.shape(), Shape::stack(2, 2, 2)) << "keys × queries × keys";
    EXPECT_EQ(slopes.values(), (std::vector<float>{0.1875f, -0.1875f, 0, 0, -0.1875f, 0.1875f, 0, 0}));
}

TEST(SoftmaxJacobian, OfOthersByHand) {
    const Tensor two = run(*sparsemax_jacobian(), {matrix({{0.25f, 0.75f, 0}})});
    EXPECT_EQ(two.values(), (std::vector<float>{0.5f, -0.5f, 0, -0.5f, 0.5f, 0, 0, 0, 0}));
    const Tensor sum = run(*divide_by_sum_jacobian(), {matrix({{1, 3, -kInfinity}})});
    EXPECT_EQ(sum.values(), (std::vector<float>{0.1875f, -0.0625f, 0, -0.1875f, 0.0625f, 0, 0, 0, 0}));
    const Tensor nothing = run(*divide_by_sum_jacobian(), {matrix({{1, -1}})});
    EXPECT_EQ(nothing.values(), (std::vector<float>{0, 0, 0, 0})) << "a row that sums to 0";
}

TEST(SoftmaxJacobian, FacetsAgree) {
    Dice dice(3);
    for (const Tensor& row : {dice.tensor(Shape::matrix(3, 4)), run(*softmax(), {dice.tensor(Shape::stack(2, 2, 3))}),
                              run(*sparsemax(), {dice.tensor(Shape::stack(2, 2, 4))}),
                              matrix({{1, 0, 0}, {0, 0, 0}, {0.5f, kNaN, 0.5f}})}) {
        for (const StepPtr& step : {softmax_jacobian(), sparsemax_jacobian(), divide_by_sum_jacobian()}) {
            check_facets(*step, {row});
            check_float64_twin(*step, {row});
        }
    }
    check_facets(*divide_by_sum_jacobian(), {matrix({{1, 3, -kInfinity}, {-kInfinity, -kInfinity, -kInfinity}})});
}

TEST(SoftmaxJacobian, WritesItselfDown) {
    const Tensor weights = Tensor(Shape::stack(2, 1, 2), std::vector<float>{0.5f, 0.5f, 0.25f, 0.75f});
    EXPECT_EQ(expression_text(derive(*softmax_jacobian(), {weights}, {2, 0, 0})), "0.2500·(1.0000 − 0.2500)");
    EXPECT_EQ(expression_text(derive(*softmax_jacobian(), {weights}, {2, 0, 1})), "0.2500·(0.0000 − 0.7500)");
    EXPECT_EQ(expression_text(derive(*divide_by_sum_jacobian(), {matrix({{1, 3}})}, {0, 0, 1})),
              "(0.0000 − 1.0000 / Σ) / Σ");
}

} // namespace
