#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(RoundCells, ByHandTiesToEven) {
    EXPECT_EQ(run(*round_cells(0), {matrix({{0.5f, 1.5f, 2.5f, -0.5f, 0.9f}})}).values(),
              (std::vector<float>{0, 2, 2, -0.0f, 1}));
    EXPECT_EQ(run(*round_cells(1), {matrix({{0.25f, 0.35f, 0.04f}})}).values(),
              (std::vector<float>{0.2f, 0.4f, 0}));
    EXPECT_EQ(run(*round_cells(2), {matrix({{0.125f, 0.375f, 1}})}).values(),
              (std::vector<float>{0.12f, 0.38f, 1}));
}

TEST(RoundCells, LeavesWhatHasFewerDecimals) {
    const Tensor weights = matrix({{0.25f, 0.5f, 0.75f, 0, 1}});
    EXPECT_TRUE(bit_equal(run(*round_cells(2), {weights}), weights));
    EXPECT_TRUE(
        bit_equal(run(*round_cells(1), {run(*round_cells(1), {weights})}), run(*round_cells(1), {weights})))
        << "once is enough";
}

TEST(RoundCells, IsNeverFurtherThanHalfAUnit) {
    Dice dice(1);
    const Tensor numbers = dice.tensor(Shape::matrix(10, 10));
    for (int decimals = 0; decimals < 5; ++decimals) {
        const Tensor rounded = run(*round_cells(decimals), {numbers});
        const double half = 0.5 * std::pow(10.0, -decimals);
        for_each_cell(numbers.shape(), [&](Cell cell) {
            EXPECT_LE(
                std::fabs(static_cast<double>(rounded.at(cell)) - static_cast<double>(numbers.at(cell))),
                half + 1e-6);
        });
    }
}

TEST(RoundCells, FacetsAgree) {
    Dice dice(2);
    for (int decimals : {0, 1, 4, -1})
        check_facets(*round_cells(decimals), {dice.tensor(Shape::matrix(3, 4))});
    check_facets(*round_cells(2), {matrix({{kNaN, kInfinity, -kInfinity, 3e38f, -0.0f}})});
    check_float64_twin(*round_cells(1), {matrix({{0.33f, 0.46f, -1.51f}})});
}

TEST(RoundCells, WritesItselfDown) {
    EXPECT_EQ(expression_text(derive(*round_cells(2), {matrix({{0.125f}})}, {0, 0, 0})),
              "round(0.1250, 2 decimals)");
    EXPECT_EQ(expression_text(derive(*round_cells(1), {matrix({{0.125f}})}, {0, 0, 0})),
              "round(0.1250, 1 decimal)");
    EXPECT_EQ(round_cells(2)->formula(std::vector<std::string>{"attention_weights"}),
              "round(attention_weights, 2)");
    EXPECT_NE(round_cells(2)->key(), round_cells(3)->key());
}

} // namespace
