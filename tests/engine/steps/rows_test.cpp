#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(AppendRows, ByHand) {
    EXPECT_EQ(run(*append_rows(), {matrix({{1, 2}}), matrix({{3, 4}, {5, 6}})}).values(),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
    const Tensor past(Shape::stack(2, 1, 1), std::vector<float>{1, 2});
    const Tensor fresh(Shape::stack(2, 2, 1), std::vector<float>{3, 4, 5, 6});
    const Tensor both = run(*append_rows(), {past, fresh});
    EXPECT_EQ(both.shape(), Shape::stack(2, 3, 1));
    EXPECT_EQ(both.values(), (std::vector<float>{1, 3, 4, 2, 5, 6})) << "plane by plane";
    EXPECT_TRUE(bit_equal(run(*append_rows(), {Tensor(Shape::matrix(0, 2)), matrix({{1, 2}})}), matrix({{1, 2}})));
}

TEST(AppendRows, FacetsAgree) {
    Dice dice(1);
    const auto random = [&](const Shape& shape) { return dice.tensor(shape); };
    for (const auto& [a, b] : {std::pair{random(Shape::matrix(2, 3)), random(Shape::matrix(3, 3))},
                               {random(Shape::stack(2, 1, 2)), random(Shape::stack(2, 3, 2))}}) {
        check_facets(*append_rows(), {a, b});
        check_float64_twin(*append_rows(), {a, b});
        check_backward(append_rows(), {a, b});
    }
}

TEST(AppendRows, SaysWhichShapesDoNotFit) {
    const std::vector<std::string> names = {"past_keys", "keys"};
    EXPECT_EQ(refusal(*append_rows(), {Shape::matrix(2, 3), Shape::matrix(2, 4)}, names),
              "past_keys have 3 columns but keys have 4 columns");
    EXPECT_EQ(refusal(*append_rows(), {Shape::stack(2, 2, 3), Shape::stack(4, 2, 3)}, names),
              "past_keys have 2 heads but keys have 4 heads");
    EXPECT_EQ(refusal(*append_rows(), {Shape::stack(1, 2, 3), Shape::matrix(2, 3)}, names),
              "past_keys is 1 × 2 × 3 but keys is 2 × 3, and they are to be one tensor");
}

TEST(TakeRows, ByHand) {
    const Tensor x = matrix({{1, 2}, {3, 4}, {5, 6}});
    EXPECT_TRUE(bit_equal(run(*take_rows({1, 3}), {x}), matrix({{3, 4}, {5, 6}})));
    EXPECT_TRUE(bit_equal(run(*place_rows(3, 1), {matrix({{3, 4}})}), matrix({{0, 0}, {3, 4}, {0, 0}})));
    const Tensor heads(Shape::stack(2, 2, 1), std::vector<float>{1, 2, 3, 4});
    EXPECT_EQ(run(*take_rows({1, 2}), {heads}).values(), (std::vector<float>{2, 4}));
    EXPECT_EQ(run(*take_rows({1, 2}), {heads}).shape(), Shape::stack(2, 1, 1));
}

TEST(TakeRows, FacetsAgree) {
    Dice dice(2);
    for (const Tensor& x : {dice.tensor(Shape::matrix(4, 2)), dice.tensor(Shape::stack(2, 4, 2))}) {
        for (const StepPtr& step : {take_rows({0, 3}), take_rows({1, 3}), take_rows({3, 4}), take_rows({0, 4}),
                                    place_rows(6, 2), place_rows(6, 0), place_rows(4, 0)}) {
            check_facets(*step, {x});
            check_float64_twin(*step, {x});
            check_backward(step, {x});
        }
    }
}

TEST(TakeRows, SaysWhichRowsAreMissing) {
    EXPECT_EQ(refusal(*take_rows({2, 6}), {Shape::matrix(4, 3)}, {"W_position"}),
              "W_position has 4 rows but 6 rows are needed");
    EXPECT_EQ(refusal(*place_rows(4, 3), {Shape::matrix(2, 3)}, {"x"}), "x has 2 rows but there is room for 1");
    EXPECT_EQ(take_rows({0, 2})->formula(std::vector<std::string>{"inputs"}), "the first 2 rows of inputs");
    EXPECT_EQ(take_rows({3, 4})->formula(std::vector<std::string>{"x"}), "1 row of x from row 3");
    EXPECT_NE(take_rows({0, 2})->key(), take_rows({0, 3})->key());
    EXPECT_NE(place_rows(3, 1)->key(), place_rows(3, 2)->key());
}

} // namespace
