#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

const Tensor kTable = matrix({{1, 2}, {3, 4}, {5, 6}});

TEST(GatherRows, ByHand) {
    EXPECT_TRUE(bit_equal(run(*gather_rows(), {vector({2, 0, 2}), kTable}), matrix({{5, 6}, {1, 2}, {5, 6}})));
    EXPECT_TRUE(bit_equal(run(*scatter_rows(4), {vector({2, 0, 2}), matrix({{1, 2}, {3, 4}, {10, 20}})}),
                          matrix({{3, 4}, {0, 0}, {11, 22}, {0, 0}})));
}

TEST(GatherRows, IsTheProductWithOneHotRows) {
    Dice dice(1);
    const Tensor table = dice.tensor(Shape::matrix(5, 3));
    const Tensor g = dice.tensor(Shape::matrix(4, 3));
    const Tensor ids = vector({4, 0, 7, 4});
    const Tensor rows = run(*one_hot(5), {ids});
    EXPECT_TRUE(bit_equal(run(*gather_rows(), {ids, table}), run(*matrix_product(), {rows, table})));
    EXPECT_TRUE(
        bit_equal(run(*scatter_rows(5), {ids, g}), run(*matrix_product({.first_transposed = true}), {rows, g})));
}

TEST(GatherRows, ANumberThatIsNoRowsGivesZerosAndANotice) {
    const Tensor ids = vector({1, 3, -1, 0.5f, kNaN, kInfinity, -0.0f, 3e9f});
    const Tensor rows = run(*gather_rows(), {ids, kTable});
    const Tensor sums = run(*scatter_rows(3), {ids, Tensor(Shape::matrix(8, 2), 1.0f)});
    for (int i : {1, 2, 3, 4, 5, 7}) {
        for (float y : rows.row(i)) EXPECT_EQ(y, 0) << i;
        EXPECT_EQ(notice(*gather_rows(), {ids, kTable}, i), Notice::unknown_token) << i;
    }
    for (int i : {0, 6}) EXPECT_EQ(notice(*gather_rows(), {ids, kTable}, i), std::nullopt) << i;
    EXPECT_EQ(rows.at({0, 6, 0}), 1) << "−0 is 0";
    EXPECT_TRUE(bit_equal(sums, matrix({{1, 1}, {1, 1}, {0, 0}})));
}

TEST(GatherRows, AnInfiniteNumberStaysInItsRow) {
    const Tensor table = kTable.with({0, 1, 0}, kInfinity).with({0, 1, 1}, kNaN);
    EXPECT_TRUE(bit_equal(run(*gather_rows(), {vector({0, 2}), table}), matrix({{1, 2}, {5, 6}})));
    EXPECT_TRUE(
        bit_equal(run(*scatter_rows(2), {vector({0, 1}), matrix({{1}, {kInfinity}})}), matrix({{1}, {kInfinity}})));
}

TEST(GatherRows, FacetsAgree) {
    Dice dice(2);
    for (const Tensor& ids : {vector({2, 0, 1, 2}), vector({1, 3, -1, 0.5f}), vector({0, 0, 0, 0})}) {
        check_facets(*gather_rows(), {ids, dice.tensor(Shape::matrix(3, 2))});
        check_float64_twin(*gather_rows(), {ids, dice.tensor(Shape::matrix(3, 2))});
        check_facets(*scatter_rows(3), {ids, dice.tensor(Shape::matrix(4, 2))});
        check_float64_twin(*scatter_rows(3), {ids, dice.tensor(Shape::matrix(4, 2))});
        check_backward(gather_rows(), {ids, dice.tensor(Shape::matrix(3, 2))}, {0});
    }
    check_facets(*scatter_rows(2), {vector({1, 0}), matrix({{kInfinity}, {1}})});
}

// What the shapes alone say holds for any numbers.
TEST(GatherRows, ReachesNoMoreThanItsShapesSay) {
    const std::vector<Shape> taken = {Shape::vector(2), kTable.shape()},
                             placed = {Shape::vector(2), Shape::matrix(2, 2)};
    const Block row{{0, 1}, {1, 2}, {0, 1}};
    EXPECT_EQ(gather_rows()->reach(taken, Shape::matrix(2, 2), 1, row).blocks(),
              (std::vector<Block>{{{0, 1}, {0, 2}, {0, 1}}}));
    EXPECT_EQ(scatter_rows(3)->reach(placed, Shape::matrix(3, 2), 1, row).blocks(),
              (std::vector<Block>{{{0, 1}, {0, 3}, {0, 1}}}));
    const std::vector<Tensor> operands = {vector({1, 2}), kTable};
    EXPECT_EQ(reach(*gather_rows(), operands, 1, row).blocks(), (std::vector<Block>{{{0, 1}, {0, 1}, {0, 1}}}));
}

TEST(GatherRows, SaysWhichShapesDoNotFit) {
    const std::vector<std::string> names = {"token_ids", "W_embedding"};
    EXPECT_EQ(refusal(*gather_rows(), {Shape::matrix(2, 3), Shape::matrix(4, 2)}, names),
              "token_ids is 2 × 3 but must be one number per token");
    EXPECT_EQ(refusal(*gather_rows(), {Shape::vector(3), Shape::vector(4)}, names),
              "W_embedding is 4 but must be one row per word");
    EXPECT_EQ(refusal(*scatter_rows(5), {Shape::vector(3), Shape::matrix(4, 2)}, {"token_ids", "grad.inputs"}),
              "grad.inputs have 4 rows but token_ids is 3");
}

TEST(GatherRows, WritesItselfDown) {
    const Tensor ids = vector({2, 7});
    EXPECT_EQ(expression_text(derive(*gather_rows(), {ids, kTable}, {0, 0, 1})),
              "1.0000 (the token's number is 2)·6.0000");
    EXPECT_EQ(expression_text(derive(*gather_rows(), {ids, kTable}, {0, 1, 1})), "0.0000 (no word has the number 7)");
    EXPECT_EQ(expression_text(derive(*scatter_rows(3), {ids, matrix({{1}, {2}})}, {0, 2, 0})),
              "1.0000 (the token's number is 2)·1.0000 + 0.0000 (of other tokens)");
    EXPECT_EQ(expression_text(derive(*scatter_rows(3), {ids, matrix({{1}, {2}})}, {0, 0, 0})),
              "0.0000 (of other tokens)");
    EXPECT_EQ(gather_rows()->formula(std::vector<std::string>{"token_ids", "W_embedding"}), "W_embedding[token_ids]");
    EXPECT_NE(scatter_rows(3)->key(), scatter_rows(4)->key());
}

} // namespace
