#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

const Tensor kRows = matrix({{1, 2, 4}, {-1, 0.5f, 0}});
const Tensor kGain = vector({1, 2, -0.5f});
const Tensor kBias = vector({0, 1, 2});

TEST(LayerNorm, AsPyTorchComputesIt) { // torch.nn.functional.layer_norm(x, (3,), gain, bias, 1e-5)
    expect_near(run(*layer_norm(1e-5f), {kRows, kGain, kBias}),
                {-1.069041531, 0.465479234, 1.331849043, -1.336289029, 3.138062446, 1.866371097});
}

TEST(RmsNorm, AsPyTorchComputesIt) { // x / √(mean of x² + 1e-6) · gain, as torch.nn.RMSNorm
    expect_near(run(*rms_norm(1e-6f), {kRows, kGain}),
                {0.377964446, 1.511857784, -0.755928892, -1.549191479, 1.549191479, 0});
}

TEST(LayerNorm, GivesMeanZeroAndVarianceOneWhateverAddsToOrScalesTheRow) {
    Dice dice(1);
    const Tensor x = dice.tensor(Shape::matrix(4, 16));
    std::vector<float> moved = x.values();
    for (float& value : moved) value = 3 * value + 7;
    const Tensor y = run(*layer_norm(0), {x});
    for (int i = 0; i < 4; ++i) {
        double sum = 0, squares = 0;
        for (float value : y.row(i)) sum += static_cast<double>(value), squares += static_cast<double>(value * value);
        EXPECT_NEAR(sum, 0, 1e-5);
        EXPECT_NEAR(squares / 16, 1, 1e-5);
    }
    const std::vector<float> values = y.values();
    expect_near(run(*layer_norm(0), {Tensor(x.shape(), moved)}), {values.begin(), values.end()}, 1e-5);
}

TEST(LayerNorm, TheEpsilonKeepsARowOfEqualNumbersFinite) {
    EXPECT_EQ(run(*layer_norm(1e-5f), {matrix({{3, 3, 3}}), kGain, kBias}).values(), (std::vector<float>{0, 1, 2}));
    EXPECT_EQ(run(*rms_norm(1e-5f), {matrix({{0, 0, 0}}), kGain}).values(), (std::vector<float>{0, 0, -0.0f}));
    EXPECT_TRUE(std::isnan(run(*layer_norm(0), {matrix({{3, 3, 3}})}).at({0, 0, 0}))) << "0 / 0, as PyTorch";
}

TEST(LayerNorm, FacetsAgree) {
    Dice dice(2);
    for (const StepPtr& step : {layer_norm(1e-5f), rms_norm(1e-5f), layer_norm(0.5f)}) {
        for (const Shape& shape : {Shape::matrix(3, 5), Shape::stack(2, 2, 3), Shape::vector(4)}) {
            const Tensor x = dice.tensor(shape);
            const Tensor gain = dice.tensor(Shape::vector(shape.cols)), bias = dice.tensor(Shape::vector(shape.cols));
            for (const std::vector<Tensor>& operands :
                 {std::vector<Tensor>{x}, std::vector<Tensor>{x, gain}, std::vector<Tensor>{x, gain, bias}}) {
                check_facets(*step, operands);
                check_float64_twin(*step, operands);
                check_backward(step, operands);
            }
        }
    }
}

TEST(LayerNorm, FacetsAgreeOnNotableRows) {
    const Tensor rows = matrix({{0, 0, 0}, {1e20f, 1, -1e20f}, {kInfinity, 1, 2}, {kNaN, 0, 1}, {2, 2, 2}});
    for (const StepPtr& step : {layer_norm(1e-5f), rms_norm(1e-5f)}) {
        check_facets(*step, {rows, kGain, kBias});
        check_facets(*step, {kRows, vector({0, 1, kNaN}), kBias});
    }
}

TEST(LayerNorm, SaysWhichShapesDoNotFit) {
    const std::vector<std::string> names = {"inputs", "attention_norm_gain", "attention_norm_bias"};
    EXPECT_EQ(refusal(*layer_norm(1e-5f), {Shape::matrix(2, 3), Shape::vector(4)}, names),
              "attention_norm_gain has 4 numbers but inputs have 3 columns");
    EXPECT_EQ(refusal(*rms_norm(1e-5f), {Shape::matrix(2, 3), Shape::matrix(1, 3)}, names),
              "attention_norm_gain is 1 × 3 but inputs have 3 columns");
    EXPECT_EQ(refusal(*layer_norm(1e-5f), {Shape::matrix(2, 3), Shape::vector(3), Shape::vector(1)}, names),
              "attention_norm_bias has 1 number but inputs have 3 columns");
}

TEST(LayerNorm, WritesItselfDown) {
    EXPECT_EQ(expression_text(derive(*layer_norm(0), {matrix({{1, 3}}), vector({2, 2}), vector({5, 5})}, {0, 0, 1})),
              "((3.0000 − mean) / deviation)·2.0000 + 5.0000");
    EXPECT_EQ(expression_text(derive(*rms_norm(0), {matrix({{3, 3}}), vector({2, 2})}, {0, 0, 1})),
              "(3.0000 / root mean square)·2.0000");
    EXPECT_EQ(layer_norm(0)->formula(std::vector<std::string>{"x", "gain", "bias"}), "layer_norm(x) × gain + bias");
    EXPECT_NE(layer_norm(1e-5f)->key(), layer_norm(1e-6f)->key());
    EXPECT_NE(layer_norm(0)->kind(), rms_norm(0)->kind());
}

} // namespace
