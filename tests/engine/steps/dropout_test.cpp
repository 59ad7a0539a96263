#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

// torch.manual_seed(123); dropout of [1, 2, …, 24] / 8 as 2 × 3 × 4 with p 0.25 (PyTorch 1.13, CPU): cells 8 and 10 are dropped.
TEST(Dropout, DropsWhatPyTorchDrops) {
    std::vector<float> x, expected;
    for (int c = 0; c < 24; ++c) {
        x.push_back(static_cast<float>(c + 1) / 8);
        expected.push_back(c == 8 || c == 10 ? 0.0f : x.back() * 0x1.555556p+0f);
    }
    const Shape shape = Shape::stack(2, 3, 4);
    EXPECT_TRUE(bit_equal(run(*dropout({0.25f, 123}, shape), {Tensor(shape, x)}), Tensor(shape, expected)));
    EXPECT_EQ(expected[4], 0x1.aaaaacp-1f) << "the fifth as PyTorch prints it";
}

// torch.manual_seed(7); dropout(ones(2, 5), 0.5), then dropout(ones(2, 5), 0.1).
TEST(Dropout, GoesOnWhereEarlierCellsEnded) {
    const Shape shape = Shape::matrix(2, 5);
    const Tensor ones(shape, 1.0f);
    EXPECT_EQ(run(*dropout({0.5f, 7}, shape), {ones}).values(), (std::vector<float>{2, 2, 0, 0, 0, 0, 2, 0, 0, 0}));
    const float ninth = 1.1111111640930176f;
    EXPECT_EQ(run(*dropout({0.1f, 7, 10}, shape), {ones}).values(),
              (std::vector<float>{ninth, ninth, ninth, ninth, ninth, ninth, ninth, 0, ninth, 0}));
}

TEST(Dropout, DropsAboutAsManyAsItShould) {
    const Shape shape = Shape::matrix(100, 100);
    for (float p : {0.1f, 0.5f, 0.9f}) {
        const std::vector<float> y = run(*dropout({p, 1}, shape), {Tensor(shape, 1.0f)}).values();
        double n_dropped = 0, sum = 0;
        for (float v : y) {
            n_dropped += v == 0 ? 1 : 0;
            sum += static_cast<double>(v);
        }
        EXPECT_NEAR(n_dropped / 10000, p, 0.015);
        EXPECT_NEAR(sum / 10000, 1, 0.1) << "on average nothing is lost";
    }
}

TEST(Dropout, WithoutProbabilityChangesNothing) {
    Dice dice(1);
    const Tensor x = dice.tensor(Shape::matrix(3, 4));
    EXPECT_TRUE(bit_equal(run(*dropout({0, 5}, x.shape()), {x}), x));
}

TEST(Dropout, DrawsNothingBeforeItIsComputed) {
    const Shape too_large = Shape::stack(1000, 1000000, 1000000);
    EXPECT_EQ(refusal(*dropout({0.5f, 1}, too_large), {too_large}, {"attention_weights"}), "");
}

TEST(Dropout, FacetsAgree) {
    Dice dice(2);
    for (const Shape& shape : {Shape::matrix(4, 5), Shape::stack(2, 3, 3)}) {
        for (const DropoutForm& form : {DropoutForm{0.5f, 3}, {0.1f, 4, 20}, {0, 1}}) {
            const Tensor x = dice.tensor(shape);
            check_facets(*dropout(form, shape), {x});
            check_float64_twin(*dropout(form, shape), {x});
            check_backward(dropout(form, shape), {x});
        }
    }
}

TEST(Dropout, WritesItselfDown) {
    const Shape shape = Shape::matrix(2, 5);
    const StepPtr step = dropout({0.5f, 7}, shape);
    const Tensor ones(shape, 1.0f);
    EXPECT_EQ(expression_text(derive(*step, {ones}, {0, 0, 0})), "1.0000·2.0000");
    EXPECT_EQ(expression_text(derive(*step, {ones}, {0, 0, 2})), "0.0000 (dropped)");
    const std::vector<std::string> names = {"attention_weights"};
    EXPECT_EQ(step->formula(names), "attention_weights / (1 − 0.5), or 0 with probability 0.5");
    EXPECT_EQ(refusal(*step, {Shape::matrix(2, 4)}, names),
              "attention_weights is 2 × 4 but what to drop was drawn for 2 × 5");
    for (const StepPtr& other : {dropout({0.25f, 7}, shape), dropout({0.5f, 8}, shape), dropout({0.5f, 7, 1}, shape),
                                 dropout({0.5f, 7}, Shape::matrix(5, 2))})
        EXPECT_NE(step->key(), other->key());
}

} // namespace
