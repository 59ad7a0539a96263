#include <gtest/gtest.h>

#include "app/views/canvas_layout.h"

// Layouts of made-up nodes: what no preset has.
namespace lab {
namespace {

LayoutItem item(int node, int column, Branch branch = Branch::none, Role role = Role::hidden) {
    return {.node = node,
            .n_rows = 4,
            .n_cols = 3,
            .column = column,
            .branch = branch,
            .role = role,
            .title_width = 60,
            .compact_title_width = 40};
}

Rect around(const PlacedNode& placed) { return placed.room.around(placed.cells, 1); }

void expect_no_overlap(const CanvasLayout& layout) {
    for (const PlacedNode& a : layout.placed) {
        for (const PlacedNode& b : layout.placed) {
            if (a.node >= b.node) continue;
            EXPECT_FALSE(around(a).grown(-0.1f).overlaps(around(b))) << a.node << " and " << b.node;
        }
    }
}

// Queries, keys and values in column 2, and beside them what is on no branch: one before them, one after.
TEST(CanvasPlacing, WhatIsOnNoBranchHasItsPlaceAmongBranches) {
    LayoutRequest request{{item(0, 0), item(1, 2), item(2, 2, Branch::query), item(3, 2, Branch::key),
                           item(4, 2, Branch::value), item(5, 2), item(6, 3)},
                          40,
                          {812, 724}};
    const CanvasLayout layout = lay_out(request);
    ASSERT_EQ(layout.placed.size(), 7u);
    expect_no_overlap(layout);
    const auto place = [&](int node) { return layout.find(node)->cells; };
    EXPECT_LE(place(1).bottom, place(2).top);
    EXPECT_GE(place(5).top, place(4).bottom);
    for (int node : {1, 5}) EXPECT_NEAR(place(node).center().x, place(3).center().x, 0.1f);
    for (const PlacedNode& each : layout.placed) {
        EXPECT_GE(around(each).top, layout.bounds.top - 0.1f) << each.node;
        EXPECT_LE(around(each).bottom, layout.bounds.bottom + 0.1f) << each.node;
    }
}

TEST(CanvasPlacing, GuestsStandLeftOfEverythingWithTheirWords) {
    LayoutRequest request{{item(7, 5), item(8, 0), item(9, 1)}, 40, {812, 724}};
    request.items[0].is_guest = true;
    const CanvasLayout layout = lay_out(request);
    expect_no_overlap(layout);
    EXPECT_LT(layout.find(7)->cells.right, layout.find(8)->cells.left);
    EXPECT_LT(layout.find(8)->cells.right, layout.find(9)->cells.left);
    EXPECT_TRUE(layout.find(7)->has_row_labels);
    EXPECT_TRUE(layout.find(7)->is_guest);
    EXPECT_EQ(layout.find(1), nullptr);
}

// An output projection stands to the right of what is between tokens.
TEST(CanvasPlacing, WhatIsBetweenTokensKeepsWordsAndLegendBeforeLaterColumns) {
    LayoutRequest request{{item(0, 0), item(1, 1), item(2, 2)}, 40, {812, 724}};
    request.items[1].is_between_tokens = true;
    request.items[1].role = Role::weights;
    const CanvasLayout layout = lay_out(request);
    EXPECT_TRUE(layout.find(1)->has_legend);
    EXPECT_TRUE(layout.find(1)->has_row_labels);
    EXPECT_FALSE(layout.find(0)->has_legend);
}

} // namespace
} // namespace lab
