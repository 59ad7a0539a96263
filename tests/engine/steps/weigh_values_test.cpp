#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(WeighValues, ByHand) {
    const Tensor weights = matrix({{0.5f, 0.25f, 0.25f}, {1, 0, 0}});
    const Tensor values = matrix({{2, 4}, {8, 12}, {16, 0}});
    const Tensor weighted = run(*weigh_values(), {weights, values});
    EXPECT_EQ(weighted.shape(), Shape::stack(3, 2, 2)) << "keys × queries × d_v";
    EXPECT_EQ(weighted.values(), (std::vector<float>{1, 2, 2, 4, 2, 3, 0, 0, 4, 0, 0, 0}));
}

TEST(WeighValues, AddUpToTheContextVectors) {
    Dice dice(1);
    const Tensor weights = dice.tensor(Shape::matrix(4, 5));
    const Tensor values = dice.tensor(Shape::matrix(5, 3));
    const Tensor weighted = run(*weigh_values(), {weights, values});
    const Tensor contexts = run(*matrix_product(), {weights, values});
    for_each_cell(contexts.shape(), [&](Cell cell) {
        float sum = 0;
        for (int j = 0; j < 5; ++j) sum += weighted.at({j, cell.row, cell.col});
        EXPECT_EQ(bits_of(sum), bits_of(contexts.at(cell))) << to_text(cell);
    });
}

TEST(WeighValues, FacetsAgree) {
    Dice dice(2);
    check_facets(*weigh_values(), {dice.tensor(Shape::matrix(3, 4)), dice.tensor(Shape::matrix(4, 2))});
    check_facets(*weigh_values(), {matrix({{0, 1}, {0, kNaN}}), matrix({{0, 2}, {kInfinity, 3}})});
    check_float64_twin(*weigh_values(), {dice.tensor(Shape::matrix(3, 4)), dice.tensor(Shape::matrix(4, 2))});
}

TEST(WeighValues, SaysWhichShapesDoNotFit) {
    EXPECT_EQ(refusal(*weigh_values(), {Shape::matrix(3, 4), Shape::matrix(5, 2)}, {"attention_weights", "values"}),
              "attention_weights have 4 columns but values have 5 rows");
    EXPECT_EQ(refusal(*weigh_values(), {Shape::stack(2, 3, 4), Shape::matrix(4, 2)}, {"attention_weights", "values"}),
              "attention_weights is 2 × 3 × 4 but the values of one head are weighed");
    EXPECT_EQ(refusal(*weigh_values(), {Shape::matrix(3, 4), Shape::stack(2, 4, 2)}, {"attention_weights", "values"}),
              "values is 2 × 4 × 2 but the values of one head are weighed");
}

} // namespace
