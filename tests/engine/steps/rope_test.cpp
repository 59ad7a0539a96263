#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

// The rotation as complex numbers, with the platform's functions in float64.
std::vector<double> slow_rope(const RopeForm& form, const Tensor& x) {
    const std::vector<float> values = x.values();
    std::vector<double> y(values.begin(), values.end());
    const int d = x.shape().cols;
    const int r = form.dims.value_or(d);
    for_each_cell(x.shape(), [&](Cell cell) {
        const int m = cell.col;
        if (m >= r / 2) return;
        const int a = form.pairs == RopePairs::half ? m : 2 * m;
        const int b = form.pairs == RopePairs::half ? a + r / 2 : a + 1;
        const double place = (cell.row + form.first_place) / static_cast<double>(form.scaling);
        const double turn = place * std::pow(static_cast<double>(form.base), -2.0 * m / r) * (form.inverse ? -1 : 1);
        const auto row = static_cast<std::size_t>((cell.plane * x.shape().rows + cell.row) * x.shape().cols);
        const double x_a = static_cast<double>(x.at({cell.plane, cell.row, a}));
        const double x_b = static_cast<double>(x.at({cell.plane, cell.row, b}));
        y[row + static_cast<std::size_t>(a)] = x_a * std::cos(turn) - x_b * std::sin(turn);
        y[row + static_cast<std::size_t>(b)] = x_b * std::cos(turn) + x_a * std::sin(turn);
    });
    return y;
}

std::vector<RopeForm> forms() {
    return {{},
            {.pairs = RopePairs::interleaved},
            {.base = 100, .dims = 2},
            {.base = 500000, .dims = 4, .first_place = 3},
            {.pairs = RopePairs::interleaved, .dims = 4, .scaling = 4},
            {.dims = 0},
            {.pairs = RopePairs::interleaved, .dims = 2, .first_place = 1000},
            {.inverse = true}};
}

TEST(Rope, ByHand) {
    const auto c = static_cast<float>(std::cos(1.0)), s = static_cast<float>(std::sin(1.0));
    EXPECT_EQ(run(*rope(), {matrix({{1, 2}, {1, 2}, {0, 0}})}).values(),
              (std::vector<float>{1, 2, c - 2 * s, 2 * c + s, 0, 0}))
        << "row 0 stays";
    const Tensor one = matrix({{1, 0, 0, 0}});
    const auto slow = [&](int m) { return static_cast<float>(std::cos(2 * std::pow(10000.0, -m / 2.0))); };
    EXPECT_FLOAT_EQ(run(*rope({.first_place = 2}), {one}).values()[0], slow(0));
    EXPECT_FLOAT_EQ(run(*rope({.first_place = 2}), {one}).values()[2], static_cast<float>(std::sin(2.0)));
    EXPECT_FLOAT_EQ(run(*rope({.pairs = RopePairs::interleaved, .first_place = 2}), {one}).values()[1],
                    static_cast<float>(std::sin(2.0)));
    EXPECT_FLOAT_EQ(run(*rope({.first_place = 2}), {matrix({{0, 1, 0, 0}})}).values()[1], slow(1));
    EXPECT_EQ(run(*rope({.dims = 2, .first_place = 1}), {matrix({{0, 0, 5, 6}})}).values(),
              (std::vector<float>{0, 0, 5, 6}));
}

TEST(Rope, EqualsTheSlowTwin) {
    Dice dice(1);
    for (const RopeForm& form : forms()) {
        for (const Shape& shape : {Shape::matrix(5, 8), Shape::stack(3, 4, 16)}) {
            const Tensor x = dice.tensor(shape);
            const std::vector<float> y = run(*rope(form), {x}).values();
            const std::vector<double> expected = slow_rope(form, x);
            for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(static_cast<double>(y[i]), expected[i], 4e-7);
        }
    }
}

// What it is for: moving query and key by as much changes no score.
TEST(Rope, ScoresDependOnTheDistanceAlone) {
    Dice dice(2);
    const Tensor query = dice.tensor(Shape::matrix(1, 8)), key = dice.tensor(Shape::matrix(1, 8));
    const auto score = [&](int query_place, int key_place) {
        const std::vector<float> q = run(*rope({.first_place = query_place}), {query}).values();
        const std::vector<float> k = run(*rope({.first_place = key_place}), {key}).values();
        double sum = 0;
        for (std::size_t i = 0; i < q.size(); ++i) sum += static_cast<double>(q[i]) * static_cast<double>(k[i]);
        return sum;
    };
    EXPECT_NEAR(score(5, 3), score(205, 203), 2e-6);
    EXPECT_GT(std::fabs(score(5, 3) - score(5, 4)), 1e-3);
}

TEST(Rope, TheInverseTurnsBack) {
    Dice dice(3);
    for (RopeForm form : forms()) {
        const Tensor x = dice.tensor(Shape::matrix(4, 8));
        const Tensor turned = run(*rope(form), {x});
        form.inverse = !form.inverse;
        const Tensor back = run(*rope(form), {turned});
        for_each_cell(x.shape(), [&](Cell cell) { EXPECT_NEAR(back.at(cell), x.at(cell), 1e-6); });
    }
}

TEST(Rope, FacetsAgree) {
    Dice dice(4);
    for (const RopeForm& form : forms()) {
        for (const Shape& shape : {Shape::matrix(3, 8), Shape::stack(2, 2, 8)}) {
            check_facets(*rope(form), {dice.tensor(shape)});
            check_float64_twin(*rope(form), {dice.tensor(shape)});
            check_backward(rope(form), {dice.tensor(shape)});
        }
    }
}

TEST(Rope, SaysWhichShapesDoNotFit) {
    const std::vector<std::string> names = {"queries"};
    EXPECT_EQ(refusal(*rope(), {Shape::matrix(2, 3)}, names),
              "queries have 3 columns per head but pairs of them are rotated");
    EXPECT_EQ(refusal(*rope({.dims = 3}), {Shape::matrix(2, 8)}, names),
              "rope_dims is 3 but pairs of dimensions are rotated");
    EXPECT_EQ(refusal(*rope({.dims = 6}), {Shape::stack(2, 2, 4)}, names),
              "rope_dims is 6 but queries have 4 columns per head");
    EXPECT_EQ(refusal(*rope({.dims = 2}), {Shape::matrix(2, 3)}, names), "") << "the third is not rotated";
}

TEST(Rope, WritesItselfDown) {
    const Tensor x = matrix({{0, 0}, {0.5f, -2}});
    EXPECT_EQ(expression_text(derive(*rope(), {x}, {0, 1, 0})), "0.5000·cos(1.0000) − (−2.0000)·sin(1.0000)");
    EXPECT_EQ(expression_text(derive(*rope(), {x}, {0, 1, 1})), "−2.0000·cos(1.0000) + 0.5000·sin(1.0000)");
    const std::vector<std::string> names = {"queries"};
    EXPECT_EQ(rope()->formula(names), "queries rotated by i · 10000^(−2m/d)");
    EXPECT_EQ(rope({.dims = 4, .scaling = 2, .first_place = 3, .inverse = true})->formula(names),
              "queries rotated back by (i + 3) / 2 · 10000^(−2m/4)");
    const std::vector<RopeForm> all = forms();
    for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) EXPECT_NE(rope(all[a])->key(), rope(all[b])->key());
    }
}

} // namespace
