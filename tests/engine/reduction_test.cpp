// Rows reduced to texels, against a plain loop.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/reduction.h"
#include "tests/engine/support.h"

namespace {

using namespace lab;
using namespace lab::test;

// Of the cells of a texel the greatest; NaN where one is.
float greatest_of(const std::vector<float>& cells, int texel, int level) {
    const auto begin = static_cast<std::size_t>(texel) << level;
    const std::size_t end = std::min(cells.size(), begin + (std::size_t{1} << level));
    float greatest = kMasked;
    for (std::size_t j = begin; j < end; ++j) {
        if (std::isnan(cells[j])) return cells[j];
        greatest = std::max(greatest, cells[j]);
    }
    return greatest;
}

void expect_greatest(const std::vector<float>& cells, int level) {
    const int n = static_cast<int>(cells.size());
    std::vector<float> reduced(static_cast<std::size_t>(n_texels(n, level)));
    reduce_row(cells.data(), n, level, Reduction::maximum, reduced.data());
    for (int texel = 0; texel < n_texels(n, level); ++texel) {
        const float expected = greatest_of(cells, texel, level), found = reduced[static_cast<std::size_t>(texel)];
        EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected)))
            << found << " instead of " << expected << ": texel " << texel << " of " << n << " cells at level " << level;
    }
}

TEST(Reduction, GreatestOfRowsOfEveryLengthAndLevel) {
    Dice dice(3);
    for (int n : {1, 2, 63, 2047, 2048, 2049, 4097, 10000}) {
        std::vector<float> cells(static_cast<std::size_t>(n));
        for (float& cell : cells) cell = dice.number();
        cells.back() = 5; // alone in its texel at some levels
        cells[cells.size() / 2] = kMasked;
        for (int level = 0; level <= 14; ++level) expect_greatest(cells, level);
        cells[cells.size() / 3] = std::numeric_limits<float>::quiet_NaN();
        for (int level = 0; level <= 14; ++level) expect_greatest(cells, level);
    }
}

// Of the cells of a texel the one farthest from 0; NaN where one is, masked where all are.
float farthest_of(const std::vector<float>& cells, int texel, int level) {
    const auto begin = static_cast<std::size_t>(texel) << level;
    const std::size_t end = std::min(cells.size(), begin + (std::size_t{1} << level));
    float least = std::numeric_limits<float>::infinity(), greatest = kMasked;
    for (std::size_t j = begin; j < end; ++j) {
        if (std::isnan(cells[j])) return cells[j];
        if (cells[j] == kMasked) continue;
        least = std::min(least, cells[j]);
        greatest = std::max(greatest, cells[j]);
    }
    return greatest == kMasked || greatest >= -least ? greatest : least;
}

void expect_farthest(const std::vector<float>& cells, int level) {
    const int n = static_cast<int>(cells.size());
    std::vector<float> reduced(static_cast<std::size_t>(n_texels(n, level)));
    reduce_row(cells.data(), n, level, Reduction::magnitude, reduced.data());
    for (int texel = 0; texel < n_texels(n, level); ++texel) {
        const float expected = farthest_of(cells, texel, level), found = reduced[static_cast<std::size_t>(texel)];
        EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected)))
            << found << " instead of " << expected << ": texel " << texel << " of " << n << " cells at level " << level;
    }
}

TEST(Reduction, FarthestFromZeroOfRowsOfEveryLengthAndLevel) {
    Dice dice(5);
    for (int n : {1, 2, 3, 64, 1000, 4097}) {
        std::vector<float> cells(static_cast<std::size_t>(n));
        for (float& cell : cells) cell = dice.number();
        for (std::size_t j = 0; j < cells.size() / 4; ++j) cells[j] = kMasked;
        for (int level = 0; level <= 13; ++level) expect_farthest(cells, level);
        cells[cells.size() / 2] = -7; // farther than all others, and below 0
        cells.back() = 7;
        for (int level = 0; level <= 13; ++level) expect_farthest(cells, level);
        cells[cells.size() / 3] = std::numeric_limits<float>::quiet_NaN();
        for (int level = 0; level <= 13; ++level) expect_farthest(cells, level);
    }
}

// Rows that come by one after another, as a square of cells does.
TEST(Reduction, FarthestFromZeroOfSquares) {
    const float rows[][4] = {{1, -2, kMasked, kMasked}, {2, -1, -0.5f, kMasked}, {-3, 2.5f, kMasked, kMasked}};
    TexelRow two({0, 2}, 1, 4, Reduction::magnitude), three = two;
    std::vector<float> result(2);
    for (int row = 0; row < 3; ++row) {
        if (row < 2) two.add(rows[row]);
        three.add(rows[row]);
    }
    two.finish(result.data());
    EXPECT_EQ(result, (std::vector<float>{2, -0.5f})) << "of −2 and 2 it is 2";
    three.finish(result.data());
    EXPECT_EQ(result, (std::vector<float>{-3, -0.5f}));
    three.add(rows[1]);
    three.finish(result.data());
    EXPECT_EQ(result, (std::vector<float>{2, -0.5f})) << "what came before is of the texels above";
}

} // namespace
