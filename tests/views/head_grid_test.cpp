#include "app/views/head_grid.h"

#include <gtest/gtest.h>

#include "app/views/head_combination.h"

namespace lab {
namespace {

Rect cells_of(const HeadTilesRequest& request, const HeadTiles& tiles, int tile) {
    return Rect::at(tiles.cells_at(tile), {tiles.pitch.x * static_cast<float>(request.n_cols),
                                           tiles.pitch.y * static_cast<float>(request.n_rows)});
}

TEST(HeadTiles, FitFromTwoHeadsToSixtyFour) {
    for (int n_heads : {2, 3, 4, 8, 12, 16, 32, 64}) {
        for (int n_tokens : {1, 6, 64, 1024}) {
            SCOPED_TRACE(std::to_string(n_heads) + " heads, " + std::to_string(n_tokens) + " tokens");
            const HeadTilesRequest request{n_heads, n_tokens, n_tokens, {812, 684}, 60};
            const HeadTiles tiles = lay_out_heads(request);
            const Rect last = cells_of(request, tiles, n_heads - 1);
            EXPECT_LE(cells_of(request, tiles, tiles.n_columns - 1).right, request.area.x + 0.1f);
            EXPECT_LE(last.bottom, request.area.y + 0.1f);
            EXPECT_GE(last.height(), n_tokens > 1 ? 44 : 20);
            EXPECT_GE(last.width(), n_tokens > 1 ? 44 : 20);
            for (int tile = 1; tile < n_heads; ++tile) {
                const Rect before = cells_of(request, tiles, tile - 1), here = cells_of(request, tiles, tile);
                EXPECT_TRUE(here.left > before.right || here.top - tiles.above >= before.bottom);
            }
        }
    }
}

TEST(HeadTiles, TwoHeadsUseTheRoomOfALargeScreen) {
    const HeadTilesRequest request{2, 6, 6, {1404, 920}, 60};
    const Rect cells = cells_of(request, lay_out_heads(request), 0);
    EXPECT_GT(2 * cells.width() * cells.height(), 0.35f * request.area.x * request.area.y);
}

TEST(HeadTiles, StandSideBySideWhereCellsAreAsLargeSo) {
    EXPECT_EQ(lay_out_heads({2, 6, 6, {1404, 920}, 60}).n_columns, 2);
    EXPECT_EQ(lay_out_heads({3, 6, 2, {1404, 920}, 60}).n_columns, 3);
    EXPECT_EQ(lay_out_heads({2, 6, 6, {700, 920}, 60}).n_columns, 1) << "larger below each other";
    EXPECT_EQ(lay_out_heads({6, 6, 2, {1404, 920}, 60}).n_columns, 3) << "lines are even";
    EXPECT_EQ(lay_out_heads({4, 4, 4, {1404, 920}, 60}).n_columns, 2);
    EXPECT_TRUE(lay_out_heads({12, 6, 6, {812, 684}, 60}).has_words) << "words count more";
}

TEST(HeadTiles, FewHeadsHaveWordsAndManyHaveNone) {
    EXPECT_TRUE(lay_out_heads({2, 6, 6, {812, 684}, 60}).has_words);
    EXPECT_FALSE(lay_out_heads({64, 6, 6, {812, 684}, 60}).has_words);
    EXPECT_FALSE(lay_out_heads({24, 6, 6, {812, 684}, 60}).has_words) << "they would leave cells of 9 points";
    EXPECT_TRUE(lay_out_heads({4, 1024, 1024, {812, 684}, 60}).has_words) << "some, where a matrix is large";
    EXPECT_FALSE(lay_out_heads({64, 1024, 1024, {812, 684}, 60}).has_words);
}

TEST(HeadTiles, WhatWouldBecomeTooSmallScrolls) {
    const HeadTilesRequest request{64, 100, 100, {300, 200}, 60};
    const HeadTiles tiles = lay_out_heads(request);
    EXPECT_GT(cells_of(request, tiles, 63).bottom, request.area.y);
    EXPECT_GE(cells_of(request, tiles, 0).height(), 40);
}

TEST(HeadCombination, SaysWhichHeads) {
    EXPECT_EQ((HeadCombination{{0, 2}, false}.title()), "average over heads 1, 3");
    EXPECT_EQ((HeadCombination{{1}, true}.title()), "maximum over head 2");
    EXPECT_EQ((HeadCombination{{0, 1, 2, 3, 6, 7}, false}.title()), "average over heads 1–4, 7, 8");
}

} // namespace
} // namespace lab
