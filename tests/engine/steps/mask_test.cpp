#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"
#include "tests/engine/step_gradients.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(CombinedMask, CausalByHand) {
    EXPECT_EQ(run(*combined_mask({kAllBefore, 3, 3}), {}).values(),
              (std::vector<float>{0, kMasked, kMasked, 0, 0, kMasked, 0, 0, 0}));
    EXPECT_EQ(run(*combined_mask({kAllBefore, 2, 3}), {}).values(),
              (std::vector<float>{0, kMasked, kMasked, 0, 0, kMasked}));
}

TEST(CombinedMask, AWindowCountsTheQueryItself) {
    EXPECT_EQ(run(*combined_mask({1, 2, 2}), {}).values(), (std::vector<float>{0, kMasked, kMasked, 0}));
    EXPECT_EQ(run(*combined_mask({2, 3, 3}), {}).values(),
              (std::vector<float>{0, kMasked, kMasked, 0, 0, kMasked, kMasked, 0, 0}));
    const Tensor wide = run(*combined_mask({1000000, 3, 3}), {});
    EXPECT_TRUE(bit_equal(wide, run(*combined_mask({kAllBefore, 3, 3}), {})));
}

// Query i attends to key j where j ≤ i and, with a window w, j > i − w.
TEST(CombinedMask, EqualsTheRuleCellByCell) {
    for (int window = 1; window < 8; ++window) {
        const Tensor mask = run(*combined_mask({window, 6, 7}), {});
        for_each_cell(mask.shape(), [&](Cell cell) {
            const bool allowed = cell.col <= cell.row && cell.col > cell.row - window;
            EXPECT_EQ(mask.at(cell), allowed ? 0.0f : kMasked) << window << " " << to_text(cell);
        });
    }
}

TEST(CombinedMask, AddsTheDocumentsOwn) {
    const Tensor own = matrix({{0.5f, 1}, {kMasked, -2}});
    EXPECT_TRUE(bit_equal(run(*combined_mask({{}, 2, 2}), {own}), own));
    EXPECT_EQ(run(*combined_mask({kAllBefore, 2, 2}), {own}).values(),
              (std::vector<float>{0.5f, kMasked, kMasked, -2}));
}

TEST(CombinedMask, FacetsAgree) {
    Dice dice(1);
    for (const std::optional<int> n_seen : {std::optional<int>(), std::optional(kAllBefore)}) {
        check_facets(*combined_mask({n_seen, 4, 5}), {});
        check_facets(*combined_mask({n_seen, 4, 5}), {dice.tensor(Shape::matrix(4, 5)).with({0, 1, 0}, kMasked)});
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

TEST(CombinedMask, AfterAPastAQueryStandsFurtherOn) {
    EXPECT_EQ(run(*combined_mask({.n_seen = kAllBefore, .n_queries = 2, .n_keys = 4, .n_past = 2}), {}).values(),
              (std::vector<float>{0, 0, 0, kMasked, 0, 0, 0, 0}));
    EXPECT_EQ(run(*combined_mask({.n_seen = 2, .n_queries = 2, .n_keys = 4, .n_past = 2}), {}).values(),
              (std::vector<float>{kMasked, 0, 0, kMasked, kMasked, kMasked, 0, 0}));
}

TEST(CombinedMask, EveryQuerySeesThePrefix) {
    EXPECT_EQ(run(*combined_mask({.n_seen = kAllBefore, .n_queries = 3, .n_keys = 3, .prefix = 2}), {}).values(),
              (std::vector<float>{0, 0, kMasked, 0, 0, kMasked, 0, 0, 0}));
    EXPECT_EQ(run(*combined_mask({.n_seen = 1, .n_queries = 3, .n_keys = 3, .prefix = 1}), {}).values(),
              (std::vector<float>{0, kMasked, kMasked, 0, 0, kMasked, 0, kMasked, 0}));
}

TEST(CombinedMask, DocumentsDoNotSeeOneAnother) {
    const MaskRule free{.n_queries = 3, .n_keys = 3, .document_lengths = {2, 1}};
    EXPECT_EQ(run(*combined_mask(free), {}).values(),
              (std::vector<float>{0, 0, kMasked, 0, 0, kMasked, kMasked, kMasked, 0}));
    const MaskRule after_past{.n_queries = 2, .n_keys = 3, .n_past = 1, .document_lengths = {2, 1}};
    EXPECT_EQ(run(*combined_mask(after_past), {}).values(), (std::vector<float>{0, 0, kMasked, kMasked, kMasked, 0}));
    const MaskRule beyond{.n_queries = 2, .n_keys = 1, .document_lengths = {1}};
    EXPECT_EQ(run(*combined_mask(beyond), {}).values(), (std::vector<float>{0, kMasked}))
        << "query 1 lies in no document";
}

TEST(CombinedMask, PaddingIsNotSeen) {
    const MaskRule rule{.n_queries = 1, .n_keys = 4, .nonpad_keys = 2};
    EXPECT_EQ(run(*combined_mask(rule), {}).values(), (std::vector<float>{0, 0, kMasked, kMasked}));
    EXPECT_EQ(run(*combined_mask({.n_queries = 1, .n_keys = 2, .nonpad_keys = 5}), {}).values(),
              (std::vector<float>{0, 0}));
}

TEST(CombinedMask, HasAPlaneForEveryHead) {
    const StepPtr step = combined_mask({.n_seen = kAllBefore, .n_queries = 1, .n_keys = 2, .n_heads = 2});
    EXPECT_EQ(run(*step, {}).shape(), Shape::stack(2, 1, 2));
    EXPECT_EQ(run(*step, {}).values(), (std::vector<float>{0, kMasked, 0, kMasked}));
    EXPECT_EQ(run(*step, {matrix({{3, 4}})}).values(), (std::vector<float>{3, kMasked, 3, kMasked}))
        << "they share the mask";
    check_facets(*step, {matrix({{3, 4}})});
    check_backward(step, {matrix({{3, 4}})});
    EXPECT_EQ(refusal(*step, {Shape::stack(3, 1, 2)}, {"mask"}), "scores are 2 × 1 × 2 but mask is 3 × 1 × 2");
}

TEST(CombinedMask, MaskAndBiasAreAddedHeadByHead) {
    const Tensor bias(Shape::stack(2, 1, 2), std::vector<float>{1, 2, 3, 4});
    const StepPtr step = combined_mask({kAllBefore, 1, 2});
    const Tensor both = run(*step, {matrix({{10, 20}}), bias});
    EXPECT_EQ(both.shape(), Shape::stack(2, 1, 2));
    EXPECT_EQ(both.values(), (std::vector<float>{11, kMasked, 13, kMasked}));
    EXPECT_EQ(run(*combined_mask({{}, 1, 2}), {bias, matrix({{10, 20}})}).values(),
              (std::vector<float>{11, 22, 13, 24}));
    EXPECT_EQ(run(*step, {Tensor(Shape::stack(1, 1, 2), 1.0f)}).shape(), Shape::stack(1, 1, 2));
    EXPECT_EQ(run(*step, {matrix({{kInfinity, kNaN}})}).values(), (std::vector<float>{kInfinity, kMasked}))
        << "what is forbidden is −∞ whatever is added";
}

std::vector<MaskRule> rules_of_every_kind() {
    return {{kAllBefore, 4, 5},
            {{}, 4, 5},
            {.n_seen = kAllBefore, .n_queries = 4, .n_keys = 5, .n_past = 1},
            {.n_seen = 2, .n_queries = 4, .n_keys = 5, .n_past = 1},
            {.n_seen = kAllBefore, .n_queries = 4, .n_keys = 5, .prefix = 3},
            {.n_seen = 2, .n_queries = 4, .n_keys = 5, .prefix = 1},
            {.n_queries = 4, .n_keys = 5, .document_lengths = {2, 3}},
            {.n_queries = 4, .n_keys = 5, .document_lengths = {3, 2}},
            {.n_seen = kAllBefore, .n_queries = 4, .n_keys = 5, .n_past = 1, .document_lengths = {2, 1, 2}},
            {.n_queries = 4, .n_keys = 5, .nonpad_keys = 3},
            {.n_seen = 3,
             .n_queries = 4,
             .n_keys = 5,
             .n_past = 1,
             .prefix = 1,
             .document_lengths = {2, 3},
             .nonpad_keys = 4}};
}

TEST(CombinedMask, FacetsAgreeForEveryRule) {
    Dice dice(3);
    for (const MaskRule& rule : rules_of_every_kind()) {
        const StepPtr step = combined_mask(rule);
        const Tensor own = dice.tensor(Shape::matrix(4, 5));
        const Tensor bias = dice.tensor(Shape::stack(2, 4, 5));
        check_facets(*step, {});
        check_facets(*step, {own, bias});
        check_facets(*step, {bias, bias.with({1, 2, 0}, kMasked)});
        check_float64_twin(*step, {own, bias});
        check_backward(step, {own});
        check_backward(step, {own, bias});
        check_backward(step, {bias});
        check_backward(step, {dice.tensor(Shape::stack(1, 4, 5)), bias});
    }
}

TEST(CombinedMask, SaysWhyAKeyIsNotSeen) {
    const auto why = [](const MaskRule& rule, Cell cell) { return derive(*combined_mask(rule), {}, cell).label; };
    const MaskRule rule{
        .n_seen = 2, .n_queries = 2, .n_keys = 6, .n_past = 3, .document_lengths = {4, 2}, .nonpad_keys = 4};
    EXPECT_EQ(why(rule, {0, 0, 4}), "the key comes after the query");
    EXPECT_EQ(why(rule, {0, 0, 1}), "the key is outside the window");
    EXPECT_EQ(why(rule, {0, 1, 3}), "the key is in another document");
    EXPECT_EQ(why(rule, {0, 1, 4}), "the key is padding");
    EXPECT_EQ(why(rule, {0, 0, 3}), "this key may be attended to");
    EXPECT_EQ(expression_text(derive(*combined_mask({{}, 1, 1}), {matrix({{1}}), matrix({{2}})}, {0, 0, 0})),
              "1.0000 + 2.0000");
}

TEST(CombinedMask, SaysWhichOperandsDoNotFit) {
    const std::vector<std::string> names = {"mask", "position_bias"};
    EXPECT_EQ(refusal(*combined_mask({{}, 3, 3}), {Shape::stack(2, 3, 3), Shape::stack(4, 3, 3)}, names),
              "mask is 2 × 3 × 3 but position_bias is 4 × 3 × 3");
    EXPECT_EQ(refusal(*combined_mask({{}, 3, 3}), {Shape::matrix(3, 3), Shape::stack(4, 2, 3)}, names),
              "position_bias is 4 × 2 × 3 but the scores are 3 × 3");
    EXPECT_EQ(refusal(*combined_mask({.n_queries = 3, .n_keys = 4, .document_lengths = {2, 3}}), {}, {}),
              "document_lengths add up to 5 but there are 4 keys");
    constexpr int kMost = std::numeric_limits<int>::max();
    EXPECT_EQ(refusal(*combined_mask({.n_queries = 3, .n_keys = 4, .document_lengths = {kMost, kMost}}), {}, {}),
              "document_lengths add up to 4294967294 but there are 4 keys");
}

TEST(CombinedMask, DiffersByEveryPartOfItsRule) {
    std::vector<MaskRule> rules = rules_of_every_kind();
    for (const MaskRule& rule : {MaskRule{2, 4, 5},
                                 {3, 4, 5},
                                 {.n_seen = 2, .n_queries = 4, .n_keys = 5, .n_heads = 2},
                                 {kAllBefore, 4, 4},
                                 {kAllBefore, 3, 5}})
        rules.push_back(rule);
    for (std::size_t a = 0; a < rules.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) EXPECT_NE(combined_mask(rules[a])->key(), combined_mask(rules[b])->key());
    }
}

TEST(CombinedMask, WritesItsRuleDown) {
    EXPECT_EQ(combined_mask({2, 4, 4})->formula({}), "0 where j ≤ i < j + 2, else −∞");
    const std::vector<std::string> own = {"mask"};
    EXPECT_EQ(combined_mask({kAllBefore, 4, 4})->formula(own), "mask + (0 where j ≤ i, else −∞)");
    EXPECT_EQ(combined_mask({{}, 4, 4})->formula(own), "mask");
    const std::vector<std::string> both = {"mask", "position_bias"};
    EXPECT_EQ(combined_mask({{}, 4, 4})->formula(both), "mask + position_bias");
    const MaskRule rule{.n_seen = kAllBefore,
                        .n_queries = 4,
                        .n_keys = 5,
                        .n_past = 1,
                        .prefix = 2,
                        .document_lengths = {2, 3},
                        .nonpad_keys = 4};
    EXPECT_EQ(combined_mask(rule)->formula({}), "0 where j ≤ i + 1 or j < 2 and in one document and j < 4, else −∞");
}

TEST(AddMask, ByHand) {
    const Tensor scores = matrix({{1, 2}, {3, 4}});
    const Tensor mask = matrix({{0, kMasked}, {0.5f, 0}});
    EXPECT_EQ(run(*add_mask(), {scores, mask}).values(), (std::vector<float>{1, kMasked, 3.5f, 4}));
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
    check_facets(*add_mask(), {scores.with({0, 1, 1}, kInfinity), Tensor(Shape::matrix(4, 4), kMasked)});
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
