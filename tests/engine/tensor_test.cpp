#include "engine/tensor.h"

#include <gtest/gtest.h>

#include "tests/engine/support.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr std::size_t kTileBytes = 4096 * sizeof(float);

const std::vector<Shape> kShapes = {
    Shape::vector(5),         Shape::matrix(6, 3),    Shape::stack(3, 4, 5),  Shape::matrix(1, 1),
    Shape::matrix(2000, 3),   Shape::matrix(3, 5000), Shape::matrix(2, 4096), Shape::matrix(2, 4097),
    Shape::stack(3, 1500, 2), Shape::vector(10000),   Shape::matrix(0, 3),    Shape::matrix(3, 0),
    Shape::stack(0, 3, 3),    Shape::stack(2, 0, 3),  Shape::vector(0),       Shape{},
};

TEST(Tensor, ReadsBackWhatItWasMadeOf) {
    Dice dice(1);
    for (const Shape& shape : kShapes) {
        std::vector<float> values(shape.size());
        for (float& value : values) value = dice.number();
        const Tensor tensor(shape, values);
        EXPECT_EQ(tensor.shape(), shape);
        EXPECT_EQ(tensor.values(), values) << shape.to_text();
        std::size_t i = 0;
        for (int flat_row = 0; flat_row < shape.planes * shape.rows; ++flat_row) {
            const auto row = tensor.row(flat_row);
            ASSERT_EQ(row.size(), static_cast<std::size_t>(shape.cols));
            for (float value : row) ASSERT_EQ(value, values[i++]) << shape.to_text() << " row " << flat_row;
        }
    }
}

TEST(Tensor, IsFilledWithOneNumber) {
    const Tensor tensor(Shape::stack(2, 2, 2), 1.5f);
    EXPECT_EQ(tensor.values(), std::vector<float>(8, 1.5f));
    EXPECT_TRUE(Tensor().values().empty());
}

TEST(Tensor, WithChangesOneCellAndNothingElse) {
    Dice dice(2);
    for (const Shape& shape : kShapes) {
        if (shape.size() == 0) continue;
        const Tensor before = dice.tensor(shape);
        const std::vector<float> values = before.values();
        for (int round = 0; round < 5; ++round) {
            const Cell cell{dice.below(shape.planes), dice.below(shape.rows), dice.below(shape.cols)};
            const Tensor after = before.with(cell, 99.0f);
            std::vector<float> expected = values;
            const int flat_row = cell.plane * shape.rows + cell.row;
            expected[static_cast<std::size_t>(flat_row * shape.cols + cell.col)] = 99.0f;
            EXPECT_EQ(after.values(), expected);
            EXPECT_EQ(after.at(cell), 99.0f);
            EXPECT_EQ(before.values(), values) << "the tensor that it came from stays as it was";
            const Region changed = difference(before, after);
            ASSERT_EQ(changed.blocks().size(), 1u);
            EXPECT_EQ(changed.blocks()[0], Block::at(cell)) << shape.to_text();
        }
    }
}

TEST(Tensor, SharesEveryTileThatDidNotChange) {
    const Tensor before(Shape::matrix(1000, 1000));
    const Tensor after = before.with({0, 500, 500}, 1.0f);
    EXPECT_EQ(before.bytes_not_shared_with(before), 0u);
    EXPECT_LE(after.bytes_not_shared_with(before), kTileBytes);
    EXPECT_GT(after.bytes_not_shared_with(before), 0u);
    Tensor history = before;
    for (int i = 0; i < 100; ++i) history = history.with({0, 500, i}, 1.0f);
    EXPECT_LE(history.bytes_not_shared_with(before), kTileBytes) << "a hundred edits of one row are one tile";
    EXPECT_EQ(Tensor(Shape::matrix(1000, 1000)).bytes_not_shared_with(before), before.shape().size() * sizeof(float));
}

TEST(Tensor, ARowWiderThanATileIsATileOfItsOwn) {
    const Tensor before(Shape::matrix(3, 5000));
    const Tensor after = before.with({0, 1, 4999}, 1.0f);
    EXPECT_EQ(after.bytes_not_shared_with(before), 5000 * sizeof(float));
    EXPECT_EQ(after.at({0, 1, 4999}), 1.0f);
    EXPECT_EQ(after.at({0, 2, 0}), 0.0f);
}

TEST(Tensor, DifferenceComparesBits) {
    const Tensor plain = matrix({{0, 1}, {2, kNaN}});
    EXPECT_TRUE(difference(plain, matrix({{0, 1}, {2, kNaN}})).empty()) << "NaN equals NaN of the same bits";
    const Region zero = difference(plain, plain.with({0, 0, 0}, -0.0f));
    EXPECT_EQ(zero.blocks(), std::vector<Block>{Block::at({0, 0, 0})}) << "0 differs from -0";
    EXPECT_TRUE(difference(plain, plain.with({0, 0, 1}, 1.0f)).empty()) << "a copied tile with the same bits";
    EXPECT_FALSE(bit_equal(plain, plain.with({0, 0, 0}, -0.0f)));
    EXPECT_TRUE(bit_equal(plain, plain.with({0, 1, 0}, 5.0f).with({0, 1, 0}, 2.0f)));
}

TEST(Tensor, DifferenceIsPerRowFromFirstToLast) {
    const Tensor before(Shape::stack(2, 3, 6));
    const Tensor after = before.with({1, 2, 1}, 1.0f).with({1, 2, 4}, 1.0f).with({0, 1, 5}, 1.0f);
    const std::vector<Block> expected = {Block::at({0, 1, 5}), {Range::at(1), Range::at(2), {1, 5}}};
    EXPECT_EQ(difference(before, after).blocks(), expected);
}

TEST(Tensor, DifferenceHoldsEveryChangedCell) {
    Dice dice(3);
    for (const Shape& shape : kShapes) {
        if (shape.size() == 0) continue;
        const Tensor before = dice.tensor(shape);
        Tensor after = before;
        std::vector<Cell> cells;
        for (int i = 0; i < 100; ++i) {
            cells.push_back({dice.below(shape.planes), dice.below(shape.rows), dice.below(shape.cols)});
            after = after.with(cells.back(), 99.0f);
        }
        const Region changed = difference(before, after);
        for (Cell cell : cells) EXPECT_TRUE(changed.contains(cell)) << shape.to_text() << " " << to_text(cell);
    }
}

TEST(Tensor, WithoutCellsIsEqualToItself) {
    for (const Shape& shape : kShapes) {
        const Tensor a(shape, 1.0f);
        EXPECT_TRUE(difference(a, Tensor(shape, 1.0f)).empty()) << shape.to_text();
        EXPECT_TRUE(bit_equal(a, Tensor(shape, 1.0f)));
    }
    EXPECT_FALSE(bit_equal(Tensor(Shape::matrix(0, 3)), Tensor(Shape::matrix(3, 0))));
    EXPECT_FALSE(bit_equal(vector({1, 2}), matrix({{1, 2}}))) << "the rank is part of the shape";
}

} // namespace
