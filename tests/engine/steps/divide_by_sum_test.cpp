#include <cmath>
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(DivideBySum, ByHand) {
    EXPECT_EQ(run(*divide_by_sum(), {matrix({{1, 3}, {-1, 5}, {2, 2}})}).values(),
              (std::vector<float>{0.25f, 0.75f, -0.25f, 1.25f, 0.5f, 0.5f}));
}

TEST(DivideBySum, RowsSumToOne) {
    Dice dice(1);
    for (int round = 0; round < 50; ++round) {
        std::vector<float> row = dice.tensor(Shape::vector(9)).values();
        for (float& x : row) x = std::fabs(x) + 0.1f;
        double sum = 0;
        for (float w : run(*divide_by_sum(), {matrix({row})}).values()) sum += static_cast<double>(w);
        EXPECT_NEAR(sum, 1.0, 1e-6);
        check_float64_twin(*divide_by_sum(), {matrix({row})});
    }
}

TEST(DivideBySum, ScalingARowChangesNothing) {
    Dice dice(2);
    const Tensor scores = dice.tensor(Shape::matrix(3, 5));
    EXPECT_TRUE(bit_equal(run(*divide_by_sum(), {scores}), run(*divide_by_sum(), {run(*scale(4.0f, "4"), {scores})})));
}

TEST(DivideBySum, MaskedKeysCountZero) {
    EXPECT_EQ(run(*divide_by_sum(), {matrix({{1, kMasked, 3}})}).values(), (std::vector<float>{0.25f, 0, 0.75f}));
    EXPECT_EQ(run(*divide_by_sum(), {matrix({{kMasked, kMasked}})}).values(), (std::vector<float>{0, 0}));
}

TEST(DivideBySum, ARowThatSumsToZeroBecomesZeros) {
    EXPECT_EQ(run(*divide_by_sum(), {matrix({{1, -1}, {0, 0}})}).values(), std::vector<float>(4, 0.0f));
    EXPECT_EQ(run(*divide_by_sum(), {matrix({{2, -2, kMasked}})}).values(), std::vector<float>(3, 0.0f));
}

TEST(DivideBySum, FacetsAgree) {
    Dice dice(3);
    check_facets(*divide_by_sum(), {dice.tensor(Shape::matrix(3, 5))});
    check_facets(*divide_by_sum(), {dice.tensor(Shape::stack(2, 2, 3))});
    check_facets(*divide_by_sum(), {matrix({{2}})});
    check_facets(
        *divide_by_sum(),
        {matrix(
            {{1, kMasked, 0.5f}, {kMasked, kMasked, kMasked}, {kMasked, kMasked, 3}, {1, -1, kMasked}, {0, 0, 0}})});
    check_facets(*divide_by_sum(),
                 {matrix({{1, kNaN, 2}, {kInfinity, 1, kMasked}, {3e38f, 3e38f, 1}, {kNaN, kMasked, kMasked}})});
}

// In float32 these sum to 0 or to 2⁻²⁷, in float64 to something else: the derivation must follow the cell.
TEST(DivideBySum, DerivesWhatFloat32Added) {
    check_facets(*divide_by_sum(), {matrix({{0.1f, 0.2f, -0.3f}, {0.3f, -0.1f, -0.2f}, {1e8f, 1, -1e8f}})});
}

TEST(DivideBySum, NoticesWhatIsWorthARemark) {
    const Tensor rows = matrix({{1, 2, 1},
                                {1, -1, 0},
                                {kMasked, kMasked, kMasked},
                                {3e38f, 3e38f, 1},
                                {1, kNaN, 1},
                                {1e6f, 1, 1},
                                {2, -1, 0}});
    EXPECT_EQ(notice(*divide_by_sum(), {rows}, 0), std::nullopt);
    EXPECT_EQ(notice(*divide_by_sum(), {rows}, 1), Notice::zero_sum);
    EXPECT_EQ(notice(*divide_by_sum(), {rows}, 2), Notice::all_keys_masked);
    EXPECT_EQ(notice(*divide_by_sum(), {rows}, 3), Notice::overflow);
    EXPECT_EQ(notice(*divide_by_sum(), {rows}, 4), Notice::overflow);
    EXPECT_EQ(notice(*divide_by_sum(), {rows}, 5), std::nullopt) << "nothing saturates here";
    EXPECT_EQ(notice(*divide_by_sum(), {rows}, 6), std::nullopt) << "a weight of 2";
}

TEST(DivideBySum, WritesItselfDown) {
    const Tensor scores = matrix({{1, kMasked, 3}, {1, -1, 0}});
    EXPECT_EQ(expression_text(derive(*divide_by_sum(), {scores}, {0, 0, 2})), "3.0000 / Σ");
    EXPECT_EQ(evaluated_text(derive(*divide_by_sum(), {scores}, {0, 0, 2})), "3.0000 / 4.0000");
    EXPECT_EQ(expression_text(derive(*divide_by_sum(), {scores}, {0, 0, 1})), "0.0000 (masked) / Σ");
    EXPECT_EQ(expression_text(derive(*divide_by_sum(), {scores}, {0, 1, 1})), "0.0000 (the row sums to zero)");
}

} // namespace
