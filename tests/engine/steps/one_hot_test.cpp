#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(OneHot, ByHand) {
    const Tensor rows = run(*one_hot(3), {vector({2, 0, 1, 2})});
    EXPECT_TRUE(bit_equal(rows, matrix({{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})));
}

TEST(OneHot, PicksRowsOfATable) {
    Dice dice(1);
    const Tensor table = dice.tensor(Shape::matrix(3, 4));
    const Tensor picked = run(*matrix_product(), {run(*one_hot(3), {vector({2, 0})}), table});
    for (int j = 0; j < 4; ++j) {
        EXPECT_EQ(picked.at({0, 0, j}), table.at({0, 2, j}));
        EXPECT_EQ(picked.at({0, 1, j}), table.at({0, 0, j}));
    }
}

TEST(OneHot, ANumberThatIsNoWordsGivesZerosAndANotice) {
    const Tensor ids = vector({1, 3, -1, 0.5f, kNaN, kInfinity, -0.0f, 3e9f});
    const Tensor rows = run(*one_hot(3), {ids});
    for (int i : {1, 2, 3, 4, 5, 7}) {
        for (float y : rows.row(i)) EXPECT_EQ(y, 0) << i;
        EXPECT_EQ(notice(*one_hot(3), {ids}, i), Notice::unknown_token) << i;
    }
    for (int i : {0, 6}) EXPECT_EQ(notice(*one_hot(3), {ids}, i), std::nullopt) << i;
    EXPECT_EQ(rows.at({0, 6, 0}), 1) << "−0 is 0";
}

TEST(OneHot, FacetsAgree) {
    for (const Tensor& ids : {vector({2, 0, 1, 2}), vector({1, 3, -1, 0.5f, kNaN})}) {
        check_facets(*one_hot(3), {ids});
        check_float64_twin(*one_hot(3), {ids});
    }
    check_backward(one_hot(3), {vector({2, 0, 1})}, {0});
}

TEST(OneHot, SaysWhichShapesDoNotFit) {
    EXPECT_EQ(refusal(*one_hot(3), {Shape::matrix(2, 3)}, {"token_ids"}),
              "token_ids is 2 × 3 but must be one number per token");
}

TEST(OneHot, WritesItselfDown) {
    const Tensor ids = vector({2, 7});
    EXPECT_EQ(expression_text(derive(*one_hot(3), {ids}, {0, 0, 2})), "1.0000 (the token's number is 2)");
    EXPECT_EQ(expression_text(derive(*one_hot(3), {ids}, {0, 0, 1})), "0.0000 (the token's number is 2)");
    EXPECT_EQ(expression_text(derive(*one_hot(3), {ids}, {0, 1, 1})), "0.0000 (no word has the number 7)");
}

} // namespace
