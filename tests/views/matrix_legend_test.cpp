// What tells which numbers a matrix's colours stand for.
#include <gtest/gtest.h>

#include <imgui_internal.h>

#include "app/views/canvas_frame.h"
#include "app/views/legend_numbers.h"
#include "app/widgets/cell_colors.h"
#include "app/widgets/color_scale.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

// Corners of a bar of signed colours below a matrix.
int n_below(const test::Canvas& canvas, const std::string& tensor) {
    constexpr float kHeight = 20;
    const Camera& camera = canvas.views.ui.camera;
    const Rect cells = camera.to_screen(canvas.placed(tensor).cells);
    return test::n_vertices({cells.left, cells.bottom + 1, cells.right, cells.bottom + kHeight},
                            color_ramp(kDarkPalette, false).at(1).u32());
}

TEST(MatrixLegend, LargeWeightMatricesHaveOneAsWhatIsMadeFromThem) {
    test::Canvas canvas;
    for (const int d : {16, 32, 64}) {
        canvas.open(test::document_of({.n_tokens = 100, .d_in = d, .d_k = d, .d_v = d}));
        for (const char* tensor : {"W_query", "W_key", "W_value", "queries", "keys", "values"})
            EXPECT_GT(n_below(canvas, tensor), 0) << tensor << ", " << d;
    }
    canvas.open("trainable");
    for (const char* tensor : {"W_query", "queries"}) {
        EXPECT_FALSE(canvas.placed(tensor).has_legend) << tensor << ", all of whose numbers can be read";
        EXPECT_EQ(n_below(canvas, tensor), 0) << tensor;
    }
}

// Corners of what stands below its numbers, of the matrix that is the lowest of its column.
TEST(MatrixLegend, OfAWeightMatrixWithFewerPointsThanCellsSaysWhatAPointShows) {
    test::Canvas canvas;
    const auto n_words = [&](int d_in) {
        canvas.open(test::document_of({.n_tokens = 100, .d_in = d_in, .d_k = 64, .d_v = 64}));
        canvas.views.frame(4);
        const Rect cells = canvas.views.ui.camera.to_screen(canvas.placed("W_value").cells);
        return test::n_vertices({cells.left - 5, cells.bottom + 16, cells.right + 100, cells.bottom + 40},
                                kDarkPalette.faint.u32());
    };
    EXPECT_EQ(n_words(64), 0);
    EXPECT_EQ(n_words(1024), 4 * 9) << "strongest";
}

TEST(MatrixLegend, SaysWhatABentScaleMeans) {
    const ColorScale straight = color_scale(kDarkPalette, false, -1, 1);
    EXPECT_EQ(legend_sentence(straight), "");
    const ColorScale bent = with_typical_seen(straight, 0.1);
    EXPECT_EQ(legend_sentence(bent), "The scale is bent so that small numbers get more of the colours: ±0.266, at the "
                                     "ticks, stand halfway between 0 and the ends.");
    EXPECT_NEAR(bent.place_of(0.266f), 0.75f, 1e-3f);
    const ColorScale weights = with_typical_seen(color_scale(kDarkPalette, true, 0, 1), 0.1);
    EXPECT_NE(legend_sentence(weights).find("0.266, in the middle"), std::string::npos) << legend_sentence(weights);
    const ColorScale above = with_one_side(color_scale(kDarkPalette, false, 4, 12), 4, 12, 0);
    EXPECT_NE(legend_sentence(above).find("from the least to the greatest"), std::string::npos);
    const ColorScale near = with_near_told_apart(color_scale(kDarkPalette, true, 6, 10), 6, 10);
    EXPECT_NE(legend_sentence(near).find("from 6 to 10, the least"), std::string::npos) << legend_sentence(near);
}

TEST(MatrixLegend, WritesEndsThatAreNearToEachOtherSoThatTheyAreToldApart) {
    const auto sentence = [](float least, float greatest) {
        return legend_sentence(with_near_told_apart(color_scale(kDarkPalette, true, least, greatest), least, greatest));
    };
    const auto expect_ends = [&](float least, float greatest, const std::string& ends) {
        EXPECT_NE(sentence(least, greatest).find("from " + ends + ", "), std::string::npos)
            << sentence(least, greatest);
    };
    expect_ends(2.438e-4f, 2.445e-4f, "2.4380e−4 to 2.4450e−4");
    expect_ends(2.3e-4f, 2.6e-4f, "2.30e−4 to 2.60e−4");
    expect_ends(0.00331f, 0.00334f, "0.003310 to 0.003340");
    expect_ends(4.98e-4f, 5.02e-4f, "4.980e−4 to 5.020e−4"); // one form on both sides of where it would change
    expect_ends(0.0099f, 0.0101f, "0.00990 to 0.01010");
    expect_ends(150.2f, 150.4f, "150.20 to 150.40");
    expect_ends(6, 10, "6 to 10");
    expect_ends(0.132f, 0.134f, "0.1320 to 0.1340");
    expect_ends(2.0e5f, 2.1e5f, "2.00e5 to 2.10e5");
}

TEST(MatrixLegend, OfSmallNumbersAllHaveExponents) {
    const auto numbers = [](float greatest, double typical) {
        return legend_sentence(with_typical_seen(color_scale(kDarkPalette, true, 0, greatest), typical));
    };
    EXPECT_NE(numbers(6e-4f, 6e-5).find("1.6e−4, in the middle"), std::string::npos) << numbers(6e-4f, 6e-5);
}

// Of rounding colours would make a picture.
TEST(MatrixLegend, EndsThatOnlyRoundingKeepsApartAreThoseOfAScaleFrom0) {
    const ColorScale from_0 = color_scale(kDarkPalette, true, 0, 1e-3f);
    EXPECT_FALSE(with_near_told_apart(from_0, 9.76562209e-4f, 9.76562325e-4f).begins_above_0());
    EXPECT_TRUE(with_near_told_apart(from_0, 9.765e-4f, 9.767e-4f).begins_above_0());
}

// A few of the greatest of many stand below 0.
TEST(MatrixLegend, OfNumbersUsuallyOnOneSideTheColoursRunBetweenTheUsualEnds) {
    const ColorScale both = color_scale(kDarkPalette, false, -3, 17), side = with_usual_side(both, 2, 12);
    EXPECT_EQ(side.place_of(2), 0.5f);
    EXPECT_EQ(side.place_of(12), 1.0f);
    EXPECT_TRUE(side.is_open) << "there are numbers beyond";
    EXPECT_NE(legend_sentence(side).find("usually"), std::string::npos);
    EXPECT_EQ(with_usual_side(both, -2, 12).least, both.least) << "0 stays in the middle";
}

// Of −104 to −4 the greatest get more of the colours, which are not those that one would call small.
TEST(MatrixLegend, OfABentScaleOnOneSideSaysWhereItRunsAndWhereItIsBent) {
    const auto told = [](const std::string& middle) {
        return "The colours run from the least to the greatest number that points show: all are on one side of 0. The "
               "scale is bent so that those nearest to 0 get more of the colours: " +
               middle + ", in the middle, stands halfway along them.";
    };
    const ColorScale above = with_one_side(color_scale(kDarkPalette, false, 4, 104), 4, 104, 9);
    EXPECT_EQ(legend_sentence(above), told("21.8"));
    EXPECT_NEAR(above.place_of(21.8f), 0.75f, 1e-3f);
    const ColorScale below = with_one_side(color_scale(kDarkPalette, false, -104, -4), -104, -4, 9);
    EXPECT_EQ(legend_sentence(below), told("−21.8"));
    EXPECT_NEAR(below.place_of(-21.8f), 0.25f, 1e-3f);
}

// Zoomed in the legend stands beside the title, where there may be little room, or at the view's lower edge.
TEST(MatrixLegend, IsNotCutByTheViewsEdgeHoweverCloselyALongTextIsSeen) {
    for (const float width : {812.0f, 640.0f, 420.0f, 300.0f}) {
        test::Canvas canvas({width, 560});
        canvas.open(test::document_of({.n_tokens = 2000, .d_in = 3, .d_k = 2, .d_v = 2}));
        const TensorCell cell{"attention_weights", {0, 1000, 1000}};
        const float below_title = width > 300 ? 0 : 70; // there the title has the whole line
        for (int i = 0; i < 12; ++i) {
            for (int j = 0; j < 4; ++j) canvas.views.wheel(canvas.middle_of(cell), 1);
            canvas.views.move_to({-1, -1});
            canvas.views.frame(4);
            if (i < 5) continue; // other matrices are in sight, whose titles the view's edge may cut
            int n_cut = 0, n_whole = 0;
            for (const test::Letter& letter : test::letters("Canvas")) {
                if (letter.color != kDarkPalette.faint.u32() || letter.box.left > width) continue;
                if (letter.box.top < below_title) continue;
                (letter.box.right > width + 1 ? n_cut : n_whole) += 1;
            }
            EXPECT_EQ(n_cut, 0) << width << " points wide, after " << 4 * (i + 1) << " notches";
            EXPECT_GT(n_whole, 4) << width << " points wide, after " << 4 * (i + 1) << " notches";
        }
    }
}

// Letters below a matrix, or where its legend stands at the view's foot.
std::vector<test::Letter> letters_between(float top, float bottom) {
    std::vector<test::Letter> all = test::letters("Canvas");
    std::erase_if(all, [&](const test::Letter& letter) {
        return letter.color != kDarkPalette.faint.u32() || letter.box.top < top || letter.box.bottom > bottom;
    });
    return all;
}

TEST(MatrixLegend, IsNotCutByTheLeftEdgeOfTheView) {
    test::Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 100, .d_in = 64, .d_k = 64, .d_v = 64}));
    const auto cells = [&] { return canvas.views.ui.camera.to_screen(canvas.placed("W_value").cells); };
    for (int i = 0; i < 8; ++i) canvas.views.wheel(cells().center(), 1);
    ASSERT_GT(cells().width(), 250);
    pan(canvas.views.ui.camera, {-60 - cells().left, 300 - cells().bottom});
    canvas.views.frame(2);
    const auto n_letters = [&] { return letters_between(cells().bottom, cells().bottom + 30).size(); };
    const std::size_t n_cut = n_letters(); // what is beyond the edge is not drawn at all
    pan(canvas.views.ui.camera, {100 - cells().left, 0});
    canvas.views.frame(2);
    EXPECT_GT(n_letters(), 8u);
    EXPECT_EQ(n_cut, n_letters());
}

// The swatches beside the word, which is written where cells are too small to be hatched: within so much of the window.
int n_swatches(const Rect& part) { return test::n_vertices(part, masked_color(kDarkPalette).u32()) / 4; }

// Below its cells, in the room that is its own.
int n_swatches(test::Canvas& canvas, const std::string& tensor) {
    const PlacedNode& placed = canvas.placed(tensor);
    const CanvasFrame frame{canvas.views.ui.canvas.layout, canvas.views.ui.camera};
    const Rect cells = frame.cells(placed), around = frame.around(placed);
    return n_swatches({cells.left - 1, cells.bottom + 3, around.right, around.bottom + 1});
}

TEST(MatrixLegend, SaysWhichColourMaskedKeysHave) {
    test::Canvas canvas;
    for (const int n : {24, 100, 200, 230, 256, 300, 400, 500, 600, 700, 1000}) {
        canvas.open(test::document_of({.n_tokens = n, .d_in = 16, .d_k = 16, .d_v = 16, .mask = MaskKind::causal}));
        EXPECT_EQ(n_swatches(canvas, "attention_weights"), 1) << n;
        EXPECT_EQ(n_swatches(canvas, "attention_scores"), 0) << n;
        canvas.views.selection.toggle_fold("masked_scores");
        canvas.views.selection.toggle_fold("combined_mask");
        canvas.views.frame(3);
        EXPECT_EQ(n_swatches(canvas, "masked_scores"), 1) << n;
        EXPECT_EQ(n_swatches(canvas, "combined_mask"), 1) << n;
    }
}

TEST(MatrixLegend, OfWhatHasNoMaskedKeysNamesNone) {
    test::Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 100, .d_in = 16, .d_k = 16, .d_v = 16}));
    EXPECT_EQ(n_swatches(canvas, "attention_weights"), 0);
    AttentionSettings attention = canvas.views.lab.document().attention;
    attention.position = Position::alibi;
    ASSERT_TRUE(canvas.views.lab.perform(SetAttention{attention}).has_value());
    for (const char* tensor : {"masked_scores", "combined_mask", "position_bias"})
        canvas.views.selection.toggle_fold(tensor);
    canvas.views.frame(3);
    for (const char* tensor : {"masked_scores", "combined_mask", "position_bias", "attention_weights"})
        EXPECT_EQ(n_swatches(canvas, tensor), 0) << tensor << ", to which a bias is added that forbids no key";
    canvas.open(test::document_of({.n_tokens = 6, .mask = MaskKind::causal}));
    EXPECT_EQ(n_swatches({0, 0, 812, 724}), 0) << "masked cells are hatched";
}

TEST(MatrixLegend, OfATallMatrixWhoseLowerEdgeIsOutOfSightStandsAtTheFoot) {
    test::Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 100, .d_in = 64, .d_k = 64, .d_v = 64}));
    const auto cells = [&] { return canvas.views.ui.camera.to_screen(canvas.placed("W_value").cells); };
    const float height = 724;
    while (cells().height() < 0.7f * height) canvas.views.wheel(cells().center(), 1);
    ASSERT_LT(cells().height(), height);
    pan(canvas.views.ui.camera, {200 - cells().left, -20 - cells().top + 0.4f * height});
    canvas.views.frame(2);
    ASSERT_GT(cells().bottom, height);
    EXPECT_GT(letters_between(height - 24, height).size(), 8u);
}

TEST(MatrixLegend, OfABentScaleHasATip) {
    test::Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 100, .d_in = 16, .d_k = 16, .d_v = 16, .mask = MaskKind::causal}));
    const auto has_tip_at = [&](const std::string& tensor) {
        const Rect cells = canvas.views.ui.camera.to_screen(canvas.placed(tensor).cells);
        canvas.views.move_to({cells.left + 20, cells.bottom + 9});
        canvas.views.frame(60);
        return shown_tip() != nullptr;
    };
    EXPECT_TRUE(has_tip_at("attention_weights"));
    EXPECT_FALSE(has_tip_at("W_query")) << "whose colours run evenly from 0";
}

TEST(MatrixLegend, WithATipDoesNotKeepTheCanvasFromBeingMoved) {
    test::Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 100, .d_in = 16, .d_k = 16, .d_v = 16, .mask = MaskKind::causal}));
    const Camera& camera = canvas.views.ui.camera;
    const auto cells = [&] { return camera.to_screen(canvas.placed("attention_weights").cells); };
    const Rect before = cells();
    const ImVec2 on_legend{before.left + 20, before.bottom + 9};
    canvas.views.move_to(on_legend);
    canvas.views.frame(60);
    ASSERT_NE(shown_tip(), nullptr);
    canvas.views.drag(on_legend, {on_legend.x - 40, on_legend.y - 30});
    EXPECT_NEAR(cells().left, before.left - 40, 1);
    EXPECT_NEAR(cells().bottom, before.bottom - 30, 1);
}

} // namespace
} // namespace lab
