#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

// The slopes of n heads: what a key one place away is charged.
std::vector<float> slopes(int n_heads) {
    std::vector<float> slopes = run(*alibi(n_heads, 1, 1, 1), {}).values();
    for (float& slope : slopes) slope = -slope;
    return slopes;
}

TEST(Alibi, ByHand) {
    EXPECT_EQ(run(*alibi(1, 2, 3, 0), {}).values(),
              (std::vector<float>{0, -1 / 256.0f, -2 / 256.0f, -1 / 256.0f, 0, -1 / 256.0f}));
    EXPECT_EQ(run(*alibi(2, 1, 3, 2), {}).values(),
              (std::vector<float>{-2 / 16.0f, -1 / 16.0f, 0, -2 / 256.0f, -1 / 256.0f, 0}));
    EXPECT_EQ(run(*alibi(1, 2, 3, 0), {}).shape(), Shape::matrix(2, 3));
    EXPECT_EQ(run(*alibi(2, 2, 3, 0), {}).shape(), Shape::stack(2, 2, 3));
}

TEST(Alibi, SlopesAreThePapers) {
    EXPECT_EQ(slopes(8),
              (std::vector<float>{0.5f, 0.25f, 0.125f, 0.0625f, 1 / 32.0f, 1 / 64.0f, 1 / 128.0f, 1 / 256.0f}));
    EXPECT_EQ(slopes(3), (std::vector<float>{1 / 16.0f, 1 / 256.0f, 0.25f})) << "those of 2, then the first of 4";
    EXPECT_EQ(slopes(6), (std::vector<float>{0.25f, 1 / 16.0f, 1 / 64.0f, 1 / 256.0f, 0.5f, 0.125f}));
    const std::vector<float> sixteen = slopes(16);
    for (int h = 0; h < 16; ++h)
        EXPECT_FLOAT_EQ(sixteen[static_cast<std::size_t>(h)], std::pow(2.0f, -0.5f * static_cast<float>(h + 1)));
    const std::vector<float> twelve = slopes(12);
    for (std::size_t h = 0; h < 8; ++h) EXPECT_EQ(twelve[h], slopes(8)[h]);
    for (std::size_t h = 0; h < 4; ++h) EXPECT_EQ(twelve[8 + h], sixteen[2 * h]);
}

TEST(Alibi, FacetsAgree) {
    for (const StepPtr& step : {alibi(1, 3, 4, 0), alibi(2, 3, 3, 2), alibi(5, 2, 2, 0), alibi(16, 2, 3, 1)}) {
        check_facets(*step, {});
        check_float64_twin(*step, {});
    }
    EXPECT_EQ(expression_text(derive(*alibi(1, 3, 3, 0), {}, {0, 2, 0})), "0.0039·(−2.0000)");
    EXPECT_EQ(alibi(2, 3, 3, 0)->formula({}), "−slope · |i − j|");
    EXPECT_EQ(alibi(2, 3, 5, 2)->formula({}), "−slope · |i + 2 − j|");
    EXPECT_NE(alibi(2, 3, 5, 2)->key(), alibi(2, 3, 5, 1)->key());
    EXPECT_NE(alibi(2, 3, 5, 2)->key(), alibi(3, 3, 5, 2)->key());
}

TEST(RelativeBias, ByHand) {
    const Tensor table = matrix({{1, 2, 3}});
    EXPECT_TRUE(bit_equal(run(*relative_bias(3, 3, 0), {table}), matrix({{2, 3, 3}, {1, 2, 3}, {1, 1, 2}})));
    EXPECT_TRUE(bit_equal(run(*relative_bias(1, 3, 2), {table}), matrix({{1, 1, 2}})));
    const Tensor heads = run(*relative_bias(1, 2, 0), {matrix({{1, 2, 3}, {4, 5, 6}})});
    EXPECT_EQ(heads.shape(), Shape::stack(2, 1, 2));
    EXPECT_EQ(heads.values(), (std::vector<float>{2, 3, 5, 6}));
    EXPECT_TRUE(bit_equal(run(*relative_bias(2, 2, 0), {matrix({{7}})}), matrix({{7, 7}, {7, 7}})));
}

TEST(RelativeBias, FacetsAgree) {
    Dice dice(4);
    for (const StepPtr& step : {relative_bias(4, 4, 0), relative_bias(2, 5, 3), relative_bias(3, 1, 0)}) {
        for (const Shape& table :
             {Shape::matrix(1, 1), Shape::matrix(1, 3), Shape::matrix(2, 5), Shape::matrix(2, 13)}) {
            check_facets(*step, {dice.tensor(table)});
            check_float64_twin(*step, {dice.tensor(table)});
            check_backward(step, {dice.tensor(table)});
        }
    }
}

TEST(RelativeBias, SaysWhichTablesDoNotFit) {
    const std::vector<std::string> names = {"relative_bias"};
    EXPECT_EQ(refusal(*relative_bias(3, 3, 0), {Shape::matrix(2, 4)}, names),
              "relative_bias is 2 × 4 but distances from −r to r make a row of 2r + 1 for each head");
    EXPECT_EQ(relative_bias(3, 3, 0)->formula(names), "relative_bias[j − i]");
    EXPECT_EQ(relative_bias(3, 3, 2)->formula(names), "relative_bias[j − i − 2]");
    EXPECT_NE(relative_bias(3, 3, 2)->key(), relative_bias(3, 3, 1)->key());
}

} // namespace
