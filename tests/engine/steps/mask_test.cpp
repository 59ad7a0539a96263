#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr float kNo = -kInfinity;

TEST(CombinedMask, CausalByHand) {
    EXPECT_EQ(run(*combined_mask({kAllBefore, 3, 3}), {}).values(),
              (std::vector<float>{0, kNo, kNo, 0, 0, kNo, 0, 0, 0}));
    EXPECT_EQ(run(*combined_mask({kAllBefore, 2, 3}), {}).values(), (std::vector<float>{0, kNo, kNo, 0, 0, kNo}));
}

TEST(CombinedMask, AWindowCountsTheQueryItself) {
    EXPECT_EQ(run(*combined_mask({1, 2, 2}), {}).values(), (std::vector<float>{0, kNo, kNo, 0}));
    EXPECT_EQ(run(*combined_mask({2, 3, 3}), {}).values(), (std::vector<float>{0, kNo, kNo, 0, 0, kNo, kNo, 0, 0}));
    const Tensor wide = run(*combined_mask({1000000, 3, 3}), {});
    EXPECT_TRUE(bit_equal(wide, run(*combined_mask({kAllBefore, 3, 3}), {})));
}

// Query i attends to key j where j ≤ i and, with a window w, j > i − w.
TEST(CombinedMask, EqualsTheRuleCellByCell) {
    for (int window = 1; window < 8; ++window) {
        const Tensor mask = run(*combined_mask({window, 6, 7}), {});
        for_each_cell(mask.shape(), [&](Cell cell) {
            const bool allowed = cell.col <= cell.row && cell.col > cell.row - window;
            EXPECT_EQ(mask.at(cell), allowed ? 0.0f : kNo) << window << " " << to_text(cell);
        });
    }
}

TEST(CombinedMask, AddsTheDocumentsOwn) {
    const Tensor own = matrix({{0.5f, 1}, {kNo, -2}});
    EXPECT_TRUE(bit_equal(run(*combined_mask({{}, 2, 2}), {own}), own));
    EXPECT_EQ(run(*combined_mask({kAllBefore, 2, 2}), {own}).values(), (std::vector<float>{0.5f, kNo, kNo, -2}));
}

TEST(CombinedMask, FacetsAgree) {
    Dice dice(1);
    for (const std::optional<int> n_seen : {std::optional<int>(), std::optional(kAllBefore)}) {
        check_facets(*combined_mask({n_seen, 4, 5}), {});
        check_facets(*combined_mask({n_seen, 4, 5}), {dice.tensor(Shape::matrix(4, 5)).with({0, 1, 0}, kNo)});
    }
    for (int window : {1, 2, 3}) {
        check_facets(*combined_mask({window, 5, 4}), {});
        check_facets(*combined_mask({window, 5, 4}), {dice.tensor(Shape::matrix(5, 4))});
    }
}

TEST(CombinedMask, DerivationSaysWhy) {
    const StepPtr step = combined_mask({2, 4, 4});
    EXPECT_EQ(expression_text(derive(*step, {}, {0, 0, 3})), "−∞ (the key comes after the query)");
    EXPECT_EQ(expression_text(derive(*step, {}, {0, 3, 0})), "−∞ (the key is outside the window)");
    EXPECT_EQ(expression_text(derive(*step, {}, {0, 3, 2})), "0.0000 (this key may be attended to)");
}

TEST(CombinedMask, SaysWhichShapesDoNotFit) {
    EXPECT_EQ(refusal(*combined_mask({{}, 3, 3}), {Shape::matrix(3, 4)}, {"mask"}),
              "mask is 3 × 4 but the scores are 3 × 3");
}

TEST(CombinedMask, DiffersByEveryPartOfItsRule) {
    const std::vector<MaskRule> rules = {{kAllBefore, 3, 3}, {{}, 3, 3},         {2, 3, 3},
                                         {3, 3, 3},          {kAllBefore, 3, 4}, {kAllBefore, 4, 3}};
    for (std::size_t a = 0; a < rules.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) EXPECT_NE(combined_mask(rules[a])->key(), combined_mask(rules[b])->key());
    }
    EXPECT_EQ(combined_mask({2, 4, 4})->formula({}), "0 where j ≤ i < j + 2, else −∞");
    const std::vector<std::string> own = {"mask"};
    EXPECT_EQ(combined_mask({kAllBefore, 4, 4})->formula(own), "mask + (0 where j ≤ i, else −∞)");
    EXPECT_EQ(combined_mask({{}, 4, 4})->formula(own), "mask");
}

TEST(AddMask, ByHand) {
    const Tensor scores = matrix({{1, 2}, {3, 4}});
    const Tensor mask = matrix({{0, kNo}, {0.5f, 0}});
    EXPECT_EQ(run(*add_mask(), {scores, mask}).values(), (std::vector<float>{1, kNo, 3.5f, 4}));
}

TEST(AddMask, OneMaskServesAllHeads) {
    const Tensor scores(Shape::stack(2, 1, 2), std::vector<float>{1, 2, 3, 4});
    EXPECT_EQ(run(*add_mask(), {scores, matrix({{10, 20}})}).values(), (std::vector<float>{11, 22, 13, 24}));
}

TEST(AddMask, FacetsAgree) {
    Dice dice(2);
    const Tensor scores = dice.tensor(Shape::matrix(4, 4));
    check_facets(*add_mask(), {scores, run(*combined_mask({kAllBefore, 4, 4}), {})});
    check_facets(*add_mask(), {scores, dice.tensor(Shape::matrix(4, 4)).with({0, 0, 0}, kInfinity)});
    check_facets(*add_mask(), {scores.with({0, 1, 1}, kInfinity), Tensor(Shape::matrix(4, 4), kNo)});
    check_facets(*add_mask(), {dice.tensor(Shape::stack(2, 2, 3)), dice.tensor(Shape::matrix(2, 3))});
    check_facets(*add_mask(), {dice.tensor(Shape::stack(2, 2, 3)), dice.tensor(Shape::stack(2, 2, 3))});
    check_float64_twin(*add_mask(), {scores, dice.tensor(Shape::matrix(4, 4))});
}

TEST(AddMask, SaysWhichShapesDoNotFit) {
    const std::vector<std::string> names = {"scaled_scores", "combined_mask"};
    EXPECT_EQ(refusal(*add_mask(), {Shape::matrix(3, 3), Shape::matrix(3, 4)}, names),
              "combined_mask is 3 × 4 but scaled_scores are 3 × 3");
    EXPECT_EQ(refusal(*add_mask(), {Shape::stack(4, 3, 3), Shape::stack(2, 3, 3)}, names),
              "combined_mask is 2 × 3 × 3 but scaled_scores are 4 × 3 × 3");
}

} // namespace
