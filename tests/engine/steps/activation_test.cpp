#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

const Tensor kNumbers = matrix({{-3, -0.5f, 0.25f, 2}});

TEST(Activation, AsPyTorchComputesIt) { // torch.nn.functional
    expect_near(run(*activation(Function::relu), {kNumbers}), {0, 0, 0.25, 2});
    expect_near(run(*activation(Function::gelu), {kNumbers}), {-0.004049694, -0.154268769, 0.149676581, 1.954499736});
    expect_near(run(*activation(Function::gelu_tanh), {kNumbers}),
                {-0.003637392, -0.154285990, 0.149675351, 1.954597694});
    expect_near(run(*activation(Function::silu), {kNumbers}), {-0.142277620, -0.188770334, 0.140544125, 1.761594156});
}

TEST(Activation, FacetsAgree) {
    Dice dice(1);
    for (Function function :
         {Function::relu, Function::gelu, Function::gelu_tanh, Function::silu, Function::tanh, Function::sigmoid}) {
        for (const Shape& shape : {Shape::matrix(3, 4), Shape::stack(2, 2, 2), Shape::vector(3)}) {
            const Tensor x = dice.tensor(shape);
            check_facets(*activation(function), {x});
            check_float64_twin(*activation(function), {x});
            check_backward(activation(function), {x});
        }
        const Tensor extremes = matrix({{kInfinity, -kInfinity, kNaN, 1e30f, -1e30f, -0.0f}});
        check_facets(*activation(function), {extremes});
        check_facets(*activation_slope(function), {extremes, dice.tensor(Shape::matrix(1, 6))});
    }
}

TEST(Activation, TheSlopeOfReluIsZeroAtItsKink) {
    EXPECT_EQ(run(*activation_slope(Function::relu), {matrix({{-1, 0, 2}}), matrix({{5, 5, 5}})}).values(),
              (std::vector<float>{0, 0, 5}));
}

TEST(Activation, WritesItselfDown) {
    EXPECT_EQ(expression_text(derive(*activation(Function::gelu), {kNumbers}, {0, 0, 3})), "gelu(2.0000)");
    EXPECT_EQ(expression_text(derive(*activation_slope(Function::silu), {kNumbers, kNumbers}, {0, 0, 3})),
              "silu′(2.0000)·2.0000");
    EXPECT_EQ(activation(Function::silu)->formula(std::vector<std::string>{"mlp_gate"}), "silu(mlp_gate)");
    EXPECT_NE(activation(Function::gelu)->key(), activation(Function::gelu_tanh)->key());
}

TEST(Multiply, ByHand) {
    EXPECT_EQ(run(*multiply(), {matrix({{1, -2}, {0, 4}}), matrix({{3, 5}, {7, 0.5f}})}).values(),
              (std::vector<float>{3, -10, 0, 2}));
}

TEST(Multiply, FacetsAgree) {
    Dice dice(2);
    for (const Shape& shape : {Shape::matrix(3, 4), Shape::stack(2, 2, 2), Shape::vector(3)}) {
        const Tensor a = dice.tensor(shape), b = dice.tensor(shape);
        check_facets(*multiply(), {a, b});
        check_float64_twin(*multiply(), {a, b});
        check_backward(multiply(), {a, b});
    }
    check_facets(*multiply(), {matrix({{0, kInfinity, kNaN}}), matrix({{2, 0, 1}})});
}

TEST(Multiply, SaysWhichShapesDoNotFit) {
    EXPECT_EQ(refusal(*multiply(), {Shape::matrix(2, 3), Shape::matrix(2, 4)}, {"mlp_gate", "mlp_up"}),
              "mlp_up is 2 × 4 but mlp_gate is 2 × 3");
    EXPECT_EQ(multiply()->formula(std::vector<std::string>{"a", "b"}), "a × b");
}

} // namespace
