#include "app/views/joined_lines.h"

#include <gtest/gtest.h>

namespace {

using namespace lab;
using Lines = std::vector<BlockRef>;

BlockRef line(int tensor, Range rows, Range cols) { return {tensor, {{0, 1}, rows, cols}}; }

BlockRef cell(int tensor, int row, int col) { return line(tensor, Range::at(row), Range::at(col)); }

// As of a softmax: the cell's own score, the greatest, and the row.
TEST(JoinedLines, CellsOfALineAreNotApartFromIt) {
    const BlockRef row = line(0, {2, 3}, {0, 9}), column = line(1, {0, 9}, {4, 5});
    EXPECT_EQ(joined_lines({cell(0, 2, 5), cell(0, 2, 0), row, column, cell(1, 3, 4)}), (Lines{row, column}));
    EXPECT_EQ(joined_lines({cell(0, 3, 5), row}), (Lines{row, cell(0, 3, 5)})) << "of another row";
    EXPECT_EQ(joined_lines({cell(1, 2, 5), row}), (Lines{row, cell(1, 2, 5)})) << "of another tensor";
}

TEST(JoinedLines, CellsThatFollowOneAnotherAreALine) {
    EXPECT_EQ(joined_lines({cell(0, 1, 3), cell(0, 1, 1), cell(0, 1, 2)}), (Lines{line(0, {1, 2}, {1, 4})}));
    EXPECT_EQ(joined_lines({cell(0, 2, 1), cell(0, 1, 1)}), (Lines{line(0, {1, 3}, {1, 2})}));
    EXPECT_EQ(joined_lines({cell(0, 1, 1), cell(0, 1, 3)}), (Lines{cell(0, 1, 1), cell(0, 1, 3)})) << "one between";
    const Block head{{0, 1}, {1, 2}, {1, 2}}, next_head{{1, 2}, {1, 2}, {1, 2}};
    EXPECT_EQ(joined_lines({{0, next_head}, {0, head}}), (Lines{{0, {{0, 2}, {1, 2}, {1, 2}}}}));
}

TEST(JoinedLines, LinesThatOverlapAreOne) {
    EXPECT_EQ(joined_lines({line(0, {1, 2}, {2, 7}), line(0, {1, 2}, {0, 4})}), (Lines{line(0, {1, 2}, {0, 7})}));
}

// As of contexts of values that are the inputs: a column, and every row.
TEST(JoinedLines, AColumnThatRowsCrossIsWithinThem) {
    Lines lines{line(0, {0, 5}, {3, 4})};
    for (int row = 0; row < 5; ++row) lines.push_back(line(0, Range::at(row), {0, 6}));
    EXPECT_EQ(joined_lines(lines), (Lines{line(0, {0, 5}, {0, 6})}));
}

TEST(JoinedLines, AllRowsAndAllColumnsAreOneBox) {
    const BlockRef all = line(0, {0, 2}, {0, 2});
    EXPECT_EQ(joined_lines(
                  {line(0, {0, 1}, {0, 2}), line(0, {1, 2}, {0, 2}), line(0, {0, 2}, {0, 1}), line(0, {0, 2}, {1, 2})}),
              (Lines{all}));
    EXPECT_EQ(joined_lines({all, all}), (Lines{all}));
    EXPECT_EQ(joined_lines({cell(0, 0, 0), cell(0, 0, 1), cell(0, 1, 0), cell(0, 1, 1)}), (Lines{all}));
}

TEST(JoinedLines, ADiagonalIsCells) {
    Lines lines;
    for (int i = 0; i < 20000; ++i) lines.push_back(cell(0, i, i));
    EXPECT_EQ(joined_lines(lines), lines);
}

TEST(JoinedLines, ACrossIsTwoLines) {
    const BlockRef row = line(0, {2, 3}, {0, 6}), column = line(0, {0, 5}, {3, 4});
    EXPECT_EQ(joined_lines({row, column}), (Lines{column, row}));
    EXPECT_TRUE(joined_lines({}).empty());
}

} // namespace
