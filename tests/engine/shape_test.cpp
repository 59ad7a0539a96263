#include "engine/shape.h"

#include <gtest/gtest.h>

namespace {

using namespace lab;

TEST(Shape, NamesItsExtentByRank) {
    EXPECT_EQ(Shape::vector(3).to_text(), "3");
    EXPECT_EQ(Shape::matrix(6, 3).to_text(), "6 × 3");
    EXPECT_EQ(Shape::stack(2, 6, 3).to_text(), "2 × 6 × 3");
    EXPECT_EQ(Shape::stack(1, 6, 3).dims(), (std::vector<int>{1, 6, 3}));
    EXPECT_EQ(Shape::stack(2, 6, 3).size(), 36u);
}

TEST(Shape, DiffersByRankAlone) {
    EXPECT_NE(Shape::matrix(1, 3), Shape::vector(3));
    EXPECT_NE(Shape::matrix(2, 3), Shape::stack(1, 2, 3));
    EXPECT_EQ(Shape::matrix(2, 3), (Shape{1, 2, 3, 2}));
}

TEST(Range, IsHalfOpen) {
    const Range range{2, 4};
    EXPECT_FALSE(range.contains(1));
    EXPECT_TRUE(range.contains(2));
    EXPECT_TRUE(range.contains(3));
    EXPECT_FALSE(range.contains(4));
    EXPECT_TRUE(range.contains(Range{2, 4}));
    EXPECT_FALSE(range.contains(Range{2, 5}));
    EXPECT_TRUE((Range{4, 4}).empty());
}

TEST(Block, HoldsCellsInAllThreeDirections) {
    const Block block{{0, 1}, {1, 3}, {2, 4}};
    EXPECT_TRUE(block.contains(Cell{0, 1, 2}));
    EXPECT_FALSE(block.contains(Cell{1, 1, 2}));
    EXPECT_FALSE(block.contains(Cell{0, 0, 2}));
    EXPECT_FALSE(block.contains(Cell{0, 1, 4}));
    EXPECT_EQ(block.size(), 4u);
    EXPECT_TRUE((Block{{0, 1}, {1, 1}, {2, 4}}).empty());
    EXPECT_EQ(bounding_block(block, Block::at({1, 0, 5})), (Block{{0, 2}, {0, 3}, {2, 6}}));
}

TEST(Region, LeavesOutEmptyAndContainedBoxes) {
    Region region;
    region.add(Block{{0, 1}, {0, 0}, {0, 5}});
    EXPECT_TRUE(region.empty());
    region.add(Block::at({0, 1, 1}));
    region.add(Block::at({0, 1, 1}));
    EXPECT_EQ(region.blocks().size(), 1u);
    region.add(Block{{0, 1}, {0, 3}, {0, 3}});
    ASSERT_EQ(region.blocks().size(), 1u) << "the larger box replaces the one within it";
    EXPECT_EQ(region.blocks()[0], (Block{{0, 1}, {0, 3}, {0, 3}}));
}

TEST(Region, HoldsExactlyTheCellsOfFewBoxes) {
    Region cross;
    cross.add(Block{{0, 1}, {2, 3}, {0, 5}});
    cross.add(Block{{0, 1}, {0, 5}, {2, 3}});
    for (int row = 0; row < 5; ++row) {
        for (int col = 0; col < 5; ++col) EXPECT_EQ(cross.contains({0, row, col}), row == 2 || col == 2);
    }
}

TEST(Region, BecomesItsBoundingBoxBeyondTheMostBoxes) {
    const int most = static_cast<int>(Region::kMaxBlocks);
    Region diagonal;
    for (int i = 0; i < most; ++i) diagonal.add(Block::at({0, i, i}));
    EXPECT_EQ(diagonal.blocks().size(), Region::kMaxBlocks);
    EXPECT_FALSE(diagonal.contains({0, 0, 1}));
    diagonal.add(Block::at({0, most, most}));
    EXPECT_EQ(diagonal.blocks(), (std::vector<Block>{{{0, 1}, {0, most + 1}, {0, most + 1}}}));
}

TEST(Region, TakesInAnotherRegion) {
    Region both(Block::at({0, 0, 0}));
    Region other(Block::at({1, 4, 4}));
    both.add(other);
    EXPECT_TRUE(both.contains({0, 0, 0}));
    EXPECT_TRUE(both.contains({1, 4, 4}));
    EXPECT_FALSE(both.contains({0, 4, 4}));
}

} // namespace
