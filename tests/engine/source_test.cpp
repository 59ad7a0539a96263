#include "engine/source.h"

#include <cmath>
#include <gtest/gtest.h>

#include "engine/sources.h"
#include "tests/engine/support.h"

namespace {

using namespace lab;
using namespace lab::test;

std::vector<float> reduced(const std::vector<float>& cells, const Shape& shape, int level, Reduction reduction) {
    const StoredSource source(ConstView<float>{cells.data(), shape});
    const Shape seen = seen_at_level(shape, level);
    std::vector<float> result(seen.size());
    source.reduce(Block::all(seen), {level, reduction}, result.data());
    return result;
}

TEST(Source, TexelsStandForSquaresOfCellsAndTheLastForWhatIsLeft) {
    const std::vector<float> cells{1, 2, 3, //
                                   4, 5, 6, //
                                   7, 8, -9};
    const Shape shape = Shape::matrix(3, 3);
    EXPECT_EQ(reduced(cells, shape, 0, Reduction::mean), cells);
    EXPECT_EQ(reduced(cells, shape, 1, Reduction::maximum), (std::vector<float>{5, 6, 8, -9}));
    EXPECT_EQ(reduced(cells, shape, 1, Reduction::mean), (std::vector<float>{3, 4.5f, 7.5f, -9}));
    EXPECT_EQ(reduced(cells, shape, 2, Reduction::mean), (std::vector<float>{3}));
}

TEST(Source, TexelsOfAPlaneAndAPartOfItAreReduced) {
    const std::vector<float> cells{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const StoredSource source(ConstView<float>{cells.data(), Shape::stack(2, 2, 3)});
    float result = 0;
    source.reduce({Range::at(1), Range::at(0), Range::at(1)}, {1, Reduction::mean}, &result);
    EXPECT_EQ(result, 10.5f) << "of 9 and 12, the column that hangs over";
}

TEST(Source, ASampleReadsTheMiddleRowOfThoseThatATexelStandsFor) {
    const std::vector<float> cells{1, 2, //
                                   3, 4, //
                                   5, 6, //
                                   7, 8, //
                                   9, 10};
    const StoredSource source(ConstView<float>{cells.data(), Shape::matrix(5, 2)});
    std::vector<float> result(2);
    source.reduce({{0, 1}, {0, 2}, {0, 1}}, {2, Reduction::maximum, true}, result.data());
    EXPECT_EQ(result, (std::vector<float>{6, 10})) << "of rows 1 to 4 the third, and the only one that is left";
}

TEST(Source, MaskedCellsCountOnlyWhereAllAreAndNotANumberAlways) {
    const Shape shape = Shape::matrix(2, 4);
    const std::vector<float> cells{kMasked, -2, kMasked, kMasked, //
                                   kMasked, -4, kMasked, kMasked};
    EXPECT_EQ(reduced(cells, shape, 1, Reduction::maximum), (std::vector<float>{-2, kMasked}));
    EXPECT_EQ(reduced(cells, shape, 1, Reduction::mean), (std::vector<float>{-3, kMasked}));
    EXPECT_TRUE(std::isnan(reduced({1, kNaN, 3, 4}, Shape::matrix(2, 2), 1, Reduction::maximum)[0]));
}

TEST(Source, OneNumberEverywhereIsReadAndReducedAsAnArrayOfItIs) {
    const Shape shape = Shape::stack(2, 3, 5);
    const std::vector<float> cells(shape.size(), -2.5f);
    const ConstantSource source(shape, -2.5f);
    EXPECT_EQ(read_all(source), cells);
    EXPECT_EQ(source.at({1, 2, 4}), -2.5f);
    for (Reduction reduction : {Reduction::maximum, Reduction::magnitude, Reduction::mean}) {
        const std::vector<float> expected = reduced(cells, shape, 1, reduction);
        std::vector<float> result(expected.size());
        source.reduce(Block::all(seen_at_level(shape, 1)), {1, reduction}, result.data());
        EXPECT_EQ(result, expected);
    }
}

} // namespace
