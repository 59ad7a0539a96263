#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(AddRows, ByHand) {
    const Tensor x = matrix({{1, 2}, {3, 4}});
    const Tensor table = matrix({{10, 20}, {30, 40}, {50, 60}, {70, 80}});
    EXPECT_EQ(run(*add_rows(0), {x, table}).values(), (std::vector<float>{11, 22, 33, 44}));
    EXPECT_EQ(run(*add_rows(2), {x, table}).values(), (std::vector<float>{51, 62, 73, 84}));
}

TEST(AddRows, FacetsAgree) {
    Dice dice(1);
    for (int first : {0, 1, 3}) {
        const std::vector<Tensor> operands = {dice.tensor(Shape::matrix(2, 3)), dice.tensor(Shape::matrix(5, 3))};
        check_facets(*add_rows(first), operands);
        check_float64_twin(*add_rows(first), operands);
        check_backward(add_rows(first), operands);
    }
}

TEST(AddRows, OnlyRowsOfTheTableThatAreAddedReachAnything) {
    const std::vector<Tensor> operands = {Tensor(Shape::matrix(2, 3)), Tensor(Shape::matrix(5, 3))};
    const auto reached = [&](Range rows) { return reach(*add_rows(2), operands, 1, {{0, 1}, rows, {1, 2}}); };
    EXPECT_TRUE(reached({0, 2}).empty());
    EXPECT_TRUE(reached({4, 5}).empty());
    EXPECT_EQ(reached({0, 5}).blocks(), (std::vector<Block>{{{0, 1}, {0, 2}, {1, 2}}}));
}

TEST(AddRows, SaysWhichShapesDoNotFit) {
    const std::vector<std::string> names = {"inputs", "W_position"};
    EXPECT_EQ(refusal(*add_rows(0), {Shape::matrix(6, 3), Shape::matrix(4, 3)}, names),
              "W_position has 4 rows but inputs have 6 rows");
    EXPECT_EQ(refusal(*add_rows(2), {Shape::matrix(3, 3), Shape::matrix(4, 3)}, names),
              "W_position has 4 rows but inputs have 3 rows after 2 of the past");
    EXPECT_EQ(refusal(*add_rows(2), {Shape::matrix(2, 3), Shape::matrix(4, 3)}, names), "");
    EXPECT_EQ(refusal(*add_rows(0), {Shape::matrix(2, 3), Shape::matrix(4, 2)}, names),
              "W_position has 2 columns but inputs have 3 columns");
    EXPECT_EQ(refusal(*add_rows(0), {Shape::stack(2, 2, 3), Shape::matrix(4, 3)}, names),
              "inputs is 2 × 2 × 3 but rows are added to a matrix");
}

// sin(p / 10000^(2m/d)) in column 2m, cos in 2m + 1, from the standard library.
std::vector<double> slow_table(int n_rows, int d, int first) {
    std::vector<double> table;
    for (int p = first; p < first + n_rows; ++p) {
        for (int m = 0; m < d; ++m) {
            const double angle = p / std::pow(10000.0, (m - m % 2) / static_cast<double>(d));
            table.push_back(m % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return table;
}

TEST(PositionTable, EqualsTheSlowTwin) {
    for (int d : {1, 2, 3, 4, 6, 7, 64}) expect_near(run(*position_table(9, d), {}), slow_table(9, d, 0), 1e-7);
    expect_near(run(*position_table(3, 8, 5), {}), slow_table(3, 8, 5), 1e-7);
    expect_near(run(*position_table(2, 8, 1000000), {}), slow_table(2, 8, 1000000), 1e-7);
}

TEST(PositionTable, PlaceZeroIsSinesOfZeroAndCosinesOfZero) {
    EXPECT_EQ(run(*position_table(1, 5), {}).values(), (std::vector<float>{0, 1, 0, 1, 0}));
}

TEST(PositionTable, FacetsAgree) {
    for (const StepPtr& step : {position_table(4, 5), position_table(3, 6, 100000)}) {
        check_facets(*step, {});
        check_float64_twin(*step, {});
    }
    check_backward(position_table(3, 4), {});
}

TEST(PositionTable, WritesItselfDown) {
    EXPECT_EQ(expression_text(derive(*position_table(4, 6, 2), {}, {0, 1, 3})), "0.9903 (cos(3 / 10000^(2/6)))");
    EXPECT_EQ(expression_text(derive(*position_table(4, 6), {}, {0, 1, 0})), "0.8415 (sin(1 / 10000^(0/6)))");
    EXPECT_EQ(position_table(4, 6)->formula({}), "sin, cos of place / 10000^(2m/6)");
    EXPECT_NE(position_table(4, 6)->key(), position_table(4, 6, 1)->key());
}

} // namespace
