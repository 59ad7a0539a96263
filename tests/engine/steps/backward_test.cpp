#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(StepBackward, OfEveryFormOfTheMatrixProduct) {
    Dice dice(3);
    const auto random = [&](const Shape& shape) { return dice.tensor(shape); };
    const Tensor x = random(Shape::matrix(3, 4));
    check_backward(matrix_product(), {x, random(Shape::matrix(4, 2)), random(Shape::vector(2))});
    check_backward(matrix_product({.second_transposed = true}),
                   {x, random(Shape::matrix(5, 4)), random(Shape::vector(5))});
    const ProductForm heads_of_second{.n_second = 2, .has_planes = true};
    check_backward(matrix_product(heads_of_second), {x, random(Shape::matrix(4, 6)), random(Shape::vector(6))});
    check_backward(matrix_product(), {x, random(Shape::stack(2, 4, 3)), random(Shape::vector(6))});
    const ProductForm grouped{.second_transposed = true};
    check_backward(matrix_product(grouped), {random(Shape::stack(4, 3, 2)), random(Shape::stack(2, 5, 2))});
    check_backward(matrix_product(grouped), {random(Shape::stack(4, 3, 2)), random(Shape::stack(1, 5, 2))});
    const ProductForm beside{.second_transposed = true, .n_first = 4, .n_second = 2, .has_planes = true};
    check_backward(matrix_product(beside), {random(Shape::matrix(3, 8)), random(Shape::matrix(2, 4))});
    check_backward(matrix_product({.n_second = 2}), {random(Shape::stack(4, 3, 2)), random(Shape::matrix(2, 6))});
}

TEST(StepBackward, OfScaleAndMasks) {
    Dice dice(5);
    const Tensor scores = dice.tensor(Shape::stack(2, 3, 3));
    check_backward(scale(-0.7f, "x"), {scores});
    check_backward(add_mask(), {scores, dice.tensor(Shape::matrix(3, 3))});
    check_backward(add_mask(), {scores, dice.tensor(Shape::stack(2, 3, 3))});
    check_backward(combined_mask({std::nullopt, 3, 3}), {dice.tensor(Shape::matrix(3, 3))});
}

TEST(StepBackward, OfNormalisers) {
    Dice dice(7);
    const Tensor scores = dice.tensor(Shape::stack(2, 3, 4)).with({0, 1, 2}, -kInfinity);
    check_backward(softmax(), {scores});
    check_backward(naive_softmax(), {scores});
    check_backward(divide_by_sum(), {matrix({{1, 2, 3}, {0.5f, -kInfinity, 2}, {-kInfinity, -kInfinity, -kInfinity}})});
    check_backward(round_rows(2), {matrix({{0.123f, 0.456f, 0.421f}})}, {0});
}

TEST(StepBackward, OfWeighedValuesAndHeads) {
    Dice dice(9);
    check_backward(weigh_values(), {dice.tensor(Shape::matrix(3, 4)), dice.tensor(Shape::matrix(4, 2))});
    check_backward(join_heads(), {dice.tensor(Shape::stack(3, 2, 2))});
    check_backward(split_heads(3), {dice.tensor(Shape::matrix(2, 6))});
    check_backward(sum(), {dice.tensor(Shape::matrix(2, 2)), dice.tensor(Shape::matrix(2, 2))});
}

} // namespace
