// Steps that read nothing.
#include <gtest/gtest.h>

#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;

TEST(Constants, HoldTogether) {
    const Shape shape = Shape::stack(2, 3, 4);
    check_facets(*zeros(shape, "rounding has no slope"), {});
    check_facets(*target_cells(shape, {Range::at(1), {0, 2}, {1, 4}}), {});
}

TEST(Constants, ZerosNeedNotBeLookedAtAndATargetHasTwoNumbers) {
    EXPECT_EQ(zeros(Shape::matrix(2, 2), "")->constant(), 0.0f);
    EXPECT_EQ(target_cells(Shape::matrix(2, 2), Block::at({0, 1, 1}))->constant(), std::nullopt);
}

} // namespace
