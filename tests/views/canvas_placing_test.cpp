#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "app/views/camera.h"
#include "app/views/canvas_layout.h"
#include "app/views/cell_numbers.h"
#include "app/views/matrix_metrics.h"
#include "app/views/matrix_picture.h"

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

void expect_no_overlap(const CanvasLayout& layout) {
    for (const PlacedNode& a : layout.placed) {
        for (const PlacedNode& b : layout.placed) {
            if (a.node >= b.node) continue;
            EXPECT_FALSE(a.around().grown(-0.1f).overlaps(b.around())) << a.node << " and " << b.node;
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
        EXPECT_GE(each.around().top, layout.bounds.top - 0.1f) << each.node;
        EXPECT_LE(each.around().bottom, layout.bounds.bottom + 0.1f) << each.node;
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
    request.items[1].wants_legend = true;
    const CanvasLayout layout = lay_out(request);
    EXPECT_TRUE(layout.find(1)->has_legend);
    EXPECT_TRUE(layout.find(1)->has_row_labels);
    EXPECT_FALSE(layout.find(0)->has_legend);
}

// As after a decode: keys and what is kept of them from before, in one column and on one branch.
TEST(CanvasPlacing, ThePastHasAPlaceOfItsOwnBelowWhatIsMadeNow) {
    LayoutRequest request{{item(0, 0), item(1, 1, Branch::query, Role::weight_matrix),
                           item(2, 1, Branch::key, Role::weight_matrix), item(3, 1, Branch::key, Role::bias),
                           item(4, 2, Branch::query, Role::projection), item(5, 2, Branch::key, Role::projection),
                           item(6, 2, Branch::key, Role::projection), item(7, 3, Branch::key, Role::projection)},
                          40,
                          {812, 724}};
    request.items[3].n_rows = 1;
    request.items[6].n_rows = 9;
    const CanvasLayout layout = lay_out(request);
    ASSERT_EQ(layout.placed.size(), 8u);
    expect_no_overlap(layout);
    const auto place = [&](int node) { return layout.find(node)->cells; };
    EXPECT_GE(place(6).top, place(5).bottom);
    for (int node : {2, 7}) EXPECT_NEAR(place(node).center().y, place(5).center().y, 0.1f) << "on one line";
    EXPECT_NEAR(place(1).center().y, place(4).center().y, 0.1f);
    EXPECT_GE(place(3).top, place(2).bottom);
}

LayoutItem with_legend(int n) {
    LayoutItem made = item(0, 0);
    made.n_rows = made.n_cols = n;
    made.wants_legend = true;
    return made;
}

// Below a narrow matrix stands what a point shows, as soon as it shows several cells: on a screen of fine points later.
TEST(CanvasPlacing, TheLegendHasALineMoreWherePointsShowSeveralCells) {
    const auto below = [](float texel) {
        const CanvasLayout layout = lay_out({{with_legend(200)}, 40, {150, 300}, false, texel});
        EXPECT_GT(layout.placed[0].pitch.x, 0.4f);
        EXPECT_LT(layout.placed[0].pitch.x, 0.8f);
        return layout.placed[0].room.below;
    };
    EXPECT_FLOAT_EQ(below(1), below(0.25f) + matrix_metrics::kLegendSubject);
}

// So does the word for masked ones, where their cells are too small for hatching; both need a wider one to stand beside the numbers.
TEST(CanvasPlacing, TheLegendHasALineMoreWhereMaskedCellsAreOfOneTone) {
    const auto line_more = [](int n, bool has_masked, ImVec2 view, float texel) {
        LayoutItem made = with_legend(n);
        made.has_masked_keys = has_masked;
        const PlacedNode placed = lay_out({{made}, 40, view, false, texel}).placed[0];
        return placed.room.below - (placed.is_compact ? matrix_metrics::kCompactLegend : matrix_metrics::kLegend);
    };
    using matrix_metrics::kLegendSubject;
    EXPECT_NEAR(line_more(40, true, {150, 300}, 0.25f) - line_more(40, false, {150, 300}, 0.25f), kLegendSubject, 0.1f);
    EXPECT_NEAR(line_more(3, true, {150, 300}, 0.25f), line_more(3, false, {150, 300}, 0.25f), 0.1f);
    int n_where_both_need_more = 0;
    for (float side = 150; side < 600; side += 20) {
        const float both = line_more(600, true, {side, side}, 1), one = line_more(600, false, {side, side}, 1);
        EXPECT_GE(both, one) << side;
        n_where_both_need_more += both - one > 0.9f * kLegendSubject ? 1 : 0;
    }
    EXPECT_GT(n_where_both_need_more, 0);
}

TEST(CanvasPlacing, TheLineMoreFitsIntoTheView) {
    for (int height = 300; height <= 900; height += 50) {
        const LayoutRequest request{{with_legend(300)}, 40, {160, static_cast<float>(height)}};
        const CanvasLayout layout = lay_out(request);
        EXPECT_LT(layout.placed[0].pitch.x, 1) << height;
        EXPECT_GE(fitting_zoom(layout.bounds.size(), request.view), 0.9999f) << height;
    }
}

TEST(CanvasPlacing, APointShowsSeveralCellsByPitchZoomAndRatio) {
    EXPECT_FALSE(shows_several_cells({1, 1}, {100, 100}, 1));
    EXPECT_FALSE(shows_several_cells({0.9996f, 1}, {100, 100}, 1)) << "but for rounding";
    EXPECT_TRUE(shows_several_cells({0.9f, 1}, {100, 100}, 1));
    EXPECT_TRUE(shows_several_cells({1, 0.9f}, {100, 100}, 1));
    EXPECT_FALSE(shows_several_cells({0.9f, 0.5f}, {100, 100}, 0.5f))
        << "two points of the screen to one of the window";
    EXPECT_FALSE(shows_several_cells({0.9f, 2}, {100, 1}, 1)) << "there is one only";
}

TEST(CellNumbers, WrittenAlikeSayTheSameNumber) {
    const auto said = [](float value, int decimals) { return number_said(cell_number(value, decimals)).value(); };
    for (const int decimals : {kWithWholeExponent, kWithExponent, 0, 1, 2, 4}) {
        float before = -0.1f;
        int n_alike = 0;
        for (int i = -999; i <= 1000; ++i) {
            const float value = static_cast<float>(i) * 1e-4f;
            const bool are_alike = cell_number(value, decimals) == cell_number(before, decimals);
            n_alike += are_alike ? 1 : 0;
            EXPECT_EQ(said(value, decimals) == said(before, decimals), are_alike) << value << ", " << decimals;
            before = value;
        }
        EXPECT_GT(n_alike, decimals == 4 ? -1 : 100);
    }
    EXPECT_FLOAT_EQ(said(0.2199f, 2), 0.22f);
    EXPECT_FLOAT_EQ(said(-3.14e-4f, kWithExponent), -3.1e-4f);
    EXPECT_FLOAT_EQ(number_said(whole_exponent_text(-3.14e-4f)).value(), -3e-4f);
    for (const char* none : {"…", "NaN", "−∞"}) EXPECT_FALSE(number_said(none).has_value()) << none;
}

// In the middle between two numbers it is the written one.
TEST(CellNumbers, HalfwayTheWrittenNumberIsSaid) {
    struct Halfway {
        float value;
        int decimals;
        const char* text;
        float said;
    };
    for (const Halfway& each : {Halfway{0.125f, 2, "0.12", 0.12f},
                                {0.375f, 2, "0.38", 0.38f},
                                {0.25f, 1, "0.2", 0.2f},
                                {-0.25f, 1, "−0.2", -0.2f},
                                {0.5f, 0, "0", 0},
                                {2.5f, 0, "2", 2},
                                {3.5f, 0, "4", 4}}) {
        const std::string text = cell_number(each.value, each.decimals);
        EXPECT_EQ(text, each.text);
        EXPECT_FLOAT_EQ(number_said(text).value(), each.said) << each.value;
    }
}

std::vector<std::string> texts(const std::vector<float>& cells, int n_figures = 6) {
    std::vector<std::string> found;
    for (float cell : cells) found.push_back(cell_number(cell, form_that_fits(cells, {n_figures, true})));
    return found;
}
using Texts = std::vector<std::string>;

TEST(CellNumbers, SmallOnesAreNotWrittenAsZero) {
    EXPECT_EQ(texts({0.5f, -0.25f}), (Texts{"0.50", "−0.25"}));
    EXPECT_EQ(texts({0.0034f, -0.002f, 0}), (Texts{"0.003", "−0.002", "0.000"}));
    EXPECT_EQ(texts({0.00034f, -0.0002f, 0}, 7), (Texts{"3.4e−4", "−2.0e−4", "0"}));
    EXPECT_EQ(whole_exponent_text(-0.00034f), "−3e−4");
    EXPECT_EQ(texts({6.1e-5f, 1e-4f, 3e-5f}), (Texts{"6.1e−5", "1.0e−4", "3.0e−5"})) << "of thousands of keys";
    EXPECT_EQ(texts({0.14f, 0.004f}), (Texts{"0.140", "0.004"})) << "it has a colour, thus a number";
    EXPECT_EQ(form_that_fits({0.14f, 0.004f}, {6, true}, 0.01f), 2) << "as good as 0 beside the other";
    EXPECT_EQ(texts({2e-4f, 0.5f, 1e-4f}), (Texts{"2.0e−4", "0.50", "1.0e−4"}));
    EXPECT_EQ(form_that_fits({11.4f, -7.1f, 0.5f}, {4, false}), 1) << "the longest has no sign";
    EXPECT_EQ(texts({-141291141291.0f, 0.5f})[0], "−1.4e11");
}

TEST(CellNumbers, OfThreeFiguresSaysAsMuchAsItCan) {
    const auto written = [](float cell, const std::vector<float>& cells, int n_figures) {
        const std::optional<NumberForm> form = short_form_that_fits(cells, n_figures);
        return form ? cell_number(cell, *form) : "";
    };
    EXPECT_EQ(written(0.083f, {0.083f, 0.5f}, 3), ".08");
    EXPECT_EQ(written(0.083f, {0.083f, 1}, 3), ".08") << "a first token's weight under a causal mask";
    EXPECT_EQ(written(0.54f, {0.54f, 2.31f}, 3), "0.5");
    EXPECT_EQ(written(-12, {-12, 3}, 3), "−12");
    EXPECT_EQ(written(0.083f, {0.083f, 0.5f}, 2), "");
    EXPECT_EQ(written(4, {123, 4}, 3), "4");
    EXPECT_EQ(written(4, {1234, 4}, 3), "");
    EXPECT_EQ(written(-0.26f, {0.54f, -0.26f}, 3), "−.3");
    EXPECT_EQ(written(0.54f, {0.54f, -2.31f}, 3), "") << "no sign fits";
    EXPECT_EQ(written(0.54f, {0.54f, 12.3f}, 3), "");
    EXPECT_EQ(written(-0.04f, {0.3f, -0.04f, 0.02f}, 3), "") << "most would read .0";
    EXPECT_EQ(written(0.004f, {0.004f, 0.003f, 0.01f, 0}, 3), "");
    EXPECT_EQ(written(0.06f, {0.06f, 0.3f, -1e-9f}, 3), ".06") << "rounding is no sign";
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(written(0.06f, {0.06f, 0.3f, kMasked, kMasked, kMasked}, 3), ".06") << "nor is a mask";
}

// Beside "−0.02" neither "−1e−3" nor "0.0": a column of numbers is read by where their points stand.
TEST(CellNumbers, OfAMatrixAllHaveOneForm) {
    EXPECT_EQ(texts({-0.0011f, -0.021f, 0}, 6), (Texts{"−0.001", "−0.021", "0.000"}));
    EXPECT_EQ(texts({-0.0011f, -0.021f, 0}, 5), (Texts{"−.001", "−.021", ".000"}));
    EXPECT_EQ(texts({0.0044f, -0.02f}, 5), (Texts{".004", "−.020"}));
    EXPECT_EQ(texts({-0.04f, 0.12f}, 4), (Texts{"−.04", ".12"})) << "of \"−0.0\" and \"0.1\" the first says nothing";
    EXPECT_EQ(texts({3.4e-4f, -2e-4f, 0}, 6), (Texts{"3e−4", "−2e−4", "0"})) << "\"−2.0e−4\" has no room";
    EXPECT_EQ(texts({-0.0041f, 1.5f}, 5), (Texts{"0.00", "1.50"})) << "nor has \"−.004\" beside 1.500";
    EXPECT_EQ(texts({2e-4f, 0.034f, 3e-4f}), (Texts{"2.0e−4", "3.4e−2", "3.0e−4"}));
}

TEST(CellNumbers, LongOnesGoByTheRoomOfSmallerFigures) {
    const std::vector<float> cells{-0.0011f, -0.021f, 0};
    EXPECT_EQ(form_that_fits(cells, {6, true, 6}), 3);
    EXPECT_EQ(form_that_fits(cells, {5, true, 6}), 3);
    EXPECT_EQ(form_that_fits(cells, {6, true, 5}), NumberForm(3, false));
    EXPECT_TRUE(NumberForm(3).is_long());
    EXPECT_TRUE(NumberForm(2, false).is_long());
    EXPECT_FALSE(NumberForm(2).is_long());
}

TEST(CellNumbers, ZeroHasNoSign) {
    EXPECT_EQ(cell_number(-0.0049f, 2), "0.00");
    EXPECT_EQ(cell_number(-0.005f, 2), "0.00") << "a float just below the middle";
    EXPECT_EQ(cell_number(-0.4f, 0), "0");
    EXPECT_EQ(cell_number(-0.0f, 2), "0.00");
    EXPECT_EQ(cell_number(-0.0051f, 2), "−0.01");
    EXPECT_EQ(cell_number(-INFINITY, 2), "−∞");
}

} // namespace
} // namespace lab
