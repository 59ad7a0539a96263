#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(Scale, ByHand) {
    const Tensor scores = matrix({{1, -2}, {0.5f, 0}});
    EXPECT_EQ(run(*scale(0.5f, "1/√4"), {scores}).values(), (std::vector<float>{0.5f, -1, 0.25f, 0}));
}

TEST(Scale, ByOneKeepsEveryBit) {
    Dice dice(1);
    const Tensor scores = dice.tensor(Shape::matrix(5, 7)).with({0, 0, 0}, -0.0f).with({0, 1, 1}, kInfinity);
    EXPECT_TRUE(bit_equal(run(*scale(1.0f, "1"), {scores}), scores));
}

TEST(Scale, KeepsAnyShape) {
    for (const Shape& shape : {Shape::vector(3), Shape::stack(2, 3, 4), Shape::matrix(0, 3)}) {
        EXPECT_EQ(run(*scale(2.0f, "2"), {Tensor(shape)}).shape(), shape);
    }
}

TEST(Scale, FacetsAgree) {
    Dice dice(2);
    for (float factor : {0.70710677f, 1.0f, -3.0f, 0.0f, 1e30f}) {
        check_facets(*scale(factor, "factor"), {dice.tensor(Shape::matrix(3, 4))});
        check_float64_twin(*scale(factor, "factor"), {dice.tensor(Shape::matrix(3, 4))});
    }
    check_facets(*scale(0.5f, "0.5"), {matrix({{kInfinity, -kInfinity, kNaN, -0.0f, 1e-45f}})});
    check_facets(*scale(1e30f, "1e30"), {dice.tensor(Shape::stack(2, 2, 2)).with({1, 1, 1}, 1e20f)});
}

TEST(Scale, IsTheSameStepForTheSameFactorHoweverItIsWritten) {
    EXPECT_EQ(scale(0.5f, "1/√4")->key(), scale(0.5f, "0.5")->key());
    EXPECT_NE(scale(0.70710677f, "")->key(), scale(0.70710683f, "")->key()) << "neighbours in float32";
    EXPECT_EQ(scale(0.5f, "1/√4")->formula(std::vector<std::string>{"attention_scores"}), "attention_scores · 1/√4");
}

} // namespace
