// Matrices as pictures: which tiles there are at which level, what they hold, when they are read anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/views/matrix_picture.h"
#include "app/views/reduction_choice.h"
#include "app/widgets/cell_colors.h"
#include "engine/derivation.h"
#include "engine/kernels/elementary.h"
#include "tests/views/pictures.h"

namespace lab {

using test::Pictures;
using test::value_of;

TEST_F(Pictures, HoldTheirCellsAndFollowAnEdit) {
    open(64, 64);
    ASSERT_TRUE(picture("inputs").level.is_finest());
    const float other = texel("inputs", 9, 9);
    EXPECT_EQ(texel("inputs", 5, 7), canvas.value({"inputs", {0, 5, 7}}));
    ASSERT_TRUE(views.lab.perform(SetCell{"inputs", {0, 5, 7}, -1.25f}).has_value());
    views.frame(1);
    EXPECT_EQ(texel("inputs", 5, 7), -1.25f) << "in the very frame";
    EXPECT_EQ(texel("inputs", 9, 9), other);
    EXPECT_EQ(texel("queries", 5, 3), canvas.value({"queries", {0, 5, 3}}));
}

TEST_F(Pictures, MarkWhatAMaskForbids) {
    open(64, 4, MaskKind::causal);
    for (const int col : {31, 32, 63}) EXPECT_TRUE(is_masked(texel("attention_weights", 30, col))) << col;
    EXPECT_EQ(texel("attention_weights", 30, 30), canvas.value({"attention_weights", {0, 30, 30}}));
}

TEST_F(Pictures, ColoursOfALongTextFollowATypicalRowAndThoseOfAShortOneTheGreatest) {
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    ViewContext context = canvas.context(theme);
    const auto scale = [&](const std::string& name) {
        const MatrixView view{.node = node(name)};
        return matrix_frame(context, view).scale();
    };
    Document document = test::document_of({.n_tokens = 1024, .d_in = 8, .d_k = 8, .d_v = 8, .mask = MaskKind::causal});
    document.tensors["W_key"] = Tensor(Shape::matrix(8, 8), 0.0f); // so that all is attended to alike
    canvas.open(document);
    const float typical = views.lab.trace().typical_magnitude(node("context_vectors"));
    ASSERT_LT(typical, 0.1f * views.lab.trace().extent(node("context_vectors")).greatest)
        << "the first row is far above";
    EXPECT_NEAR(scale("context_vectors").place_of(typical), 0.5 + kTypicalPlace / 2, 1e-5);
    EXPECT_FALSE(scale("queries").is_bent()) << "all rows are alike";
    open(12, 8, MaskKind::causal);
    EXPECT_NEAR(scale("attention_weights").place_of(1.0f / 12), kTypicalPlace, 1e-5)
        << "a sentence, whose cells may have no room for numbers";
    open(8, 8, MaskKind::causal);
    EXPECT_FALSE(scale("attention_weights").is_bent() || scale("context_vectors").is_bent());
}

TEST_F(Pictures, SeenFromFarAPointIsTheGreatestOfItsCells) {
    open(1024, 8, MaskKind::causal);
    const PictureLevel level = picture("attention_weights").level;
    ASSERT_GT(level.rows, 0);
    const DrawnMatrix* drawn = nullptr;
    for (const DrawnMatrix& each : views.ui.drawn_matrices) {
        if (views.lab.program().node(each.node).name == "attention_weights") drawn = &each;
    }
    ASSERT_NE(drawn, nullptr);
    EXPECT_GE(drawn->pitch.y * static_cast<float>(1 << level.rows), 0.99f) << "points of the screen a texel is high";
    EXPECT_LT(drawn->pitch.y * static_cast<float>(1 << level.rows), 2);
    const int row = 100, col = 20, high = 1 << level.rows, wide = 1 << level.cols;
    EXPECT_EQ(texel("attention_weights", row, col),
              greatest("attention_weights", {row * high, (row + 1) * high}, {col * wide, (col + 1) * wide}));
    EXPECT_TRUE(is_masked(texel("attention_weights", 0, 200))) << "all of it is masked";
    EXPECT_FALSE(is_masked(texel("attention_weights", 50, 50 * high / wide))) << "some of it is not";
}

TEST_F(Pictures, AnEditReadsOnlyWhatItReaches) {
    open(1024, 8);
    ASSERT_TRUE(is_all_there());
    ASSERT_TRUE(views.lab.perform(SetCell{"W_value", {0, 2, 3}, 0.5f}).has_value());
    views.lab.refresh();
    const int seen = picture("queries").seen_update;
    EXPECT_TRUE(views.lab.changes_since(seen, "queries")->empty());
    const Region values = *views.lab.changes_since(seen, "values");
    ASSERT_FALSE(values.empty());
    for (const Block& block : values.blocks()) EXPECT_EQ(block.cols, Range::at(3));
    views.frame(1);
    EXPECT_EQ(picture("queries").seen_update, views.lab.n_updates());
    EXPECT_TRUE(is_all_there());
}

TEST_F(Pictures, WhatWasChangedTooLongAgoIsReadAnew) {
    const int long_ago = views.lab.n_updates();
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(views.lab.perform(SetCell{"inputs", {0, 0, 0}, 1.0f + static_cast<float>(i)}).has_value());
        views.lab.refresh();
    }
    EXPECT_FALSE(views.lab.changes_since(long_ago, "inputs").has_value());
    EXPECT_TRUE(views.lab.changes_since(views.lab.n_updates() - 1, "inputs").has_value());
}

TEST_F(Pictures, ReadForAsLongAsAFrameHasTimeAndGoOnInTheNext) {
    views.platform.tick_s = 0.004; // every look at the clock
    canvas.open(test::document_of({.n_tokens = 1024, .d_in = 8, .d_k = 8, .d_v = 8}));
    views.frame(1);
    EXPECT_FALSE(is_all_there());
    EXPECT_TRUE(views.ui.wants_frame);
    views.frame(300);
    EXPECT_TRUE(is_all_there());
    views.ui.wants_frame = false;
    views.frame(1);
    EXPECT_FALSE(views.ui.wants_frame) << "nothing moves any more";
}

TEST_F(Pictures, WhileAnEditIsReadTheOldNumbersStay) {
    open(512, 8);
    views.platform.tick_s = 0.1;
    const int last = tile("attention_scores")->texture.n_rows() - 1;
    const float before = texel("attention_scores", last, last);
    ASSERT_TRUE(views.lab.perform(SetCell{"W_query", {0, 0, 0}, 3.0f}).has_value());
    views.frame(1);
    EXPECT_FALSE(tile("attention_scores")->is_fresh());
    EXPECT_TRUE(tile("attention_scores")->is_whole()) << "no hole is seen";
    EXPECT_EQ(texel("attention_scores", last, last), before);
    for (int i = 0; i < 100; ++i) { // a drag: an edit in each frame
        ASSERT_TRUE(views.lab.perform(SetCell{"W_query", {0, 0, 0}, 4.0f + static_cast<float>(i % 7)}).has_value());
        views.frame(1);
    }
    EXPECT_NE(texel("attention_scores", last, last), before) << "each part has its turn";
}

TEST_F(Pictures, PanningReadsNothingTwice) {
    open(1024, 8);
    zoom_into({"attention_weights", {0, 512, 512}}, 16);
    ASSERT_TRUE(is_all_there());
    std::map<TiledPicture::Place, const PictureTile*> before;
    for (const auto& [place, each] : picture("attention_weights").tiles()) before[place] = each.get();
    pan(views.ui.camera, {-40, 30});
    views.platform.tick_s = 0.1; // no time for more than a part of one
    views.frame(1);
    for (const auto& [place, each] : before) EXPECT_EQ(picture("attention_weights").find(place), each);
    pan(views.ui.camera, {40, -30});
    views.frame(1);
    EXPECT_TRUE(is_all_there()) << "what was there is there";
}

TEST_F(Pictures, FromTheWholeMapToSingleNumbersAndBack) {
    open(1024, 8);
    const TensorCell cell{"attention_weights", {0, 600, 300}};
    const PictureLevel far = picture("attention_weights").level;
    int n_levels = 0;
    PictureLevel last = far;
    for (int i = 0; i < 80 && views.ui.camera.zoom < views.ui.camera.greatest_zoom; ++i) {
        views.wheel(canvas.middle_of(cell), 1.5f);
        const TiledPicture& now = picture("attention_weights");
        if (now.drawn_in_frame == ImGui::GetFrameCount() && now.level != last) {
            last = now.level;
            ++n_levels;
        }
    }
    EXPECT_GE(n_levels, 2);
    EXPECT_TRUE(last.is_finest());
    views.move_to(canvas.middle_of(cell));
    EXPECT_EQ(views.selection.hovered, cell);
    EXPECT_NE(picture("attention_weights").drawn_in_frame, ImGui::GetFrameCount()) << "numbers, no picture";
    EXPECT_TRUE(picture("attention_weights").find({far, 0, 0}) != nullptr) << "is still there when one goes back";
}

TEST_F(Pictures, AtANewLevelTheOldOneIsShownMeanwhile) {
    open(1024, 8);
    const PictureLevel far = picture("attention_weights").level;
    views.platform.tick_s = 0.1;
    while (picture("attention_weights").level == far)
        views.wheel(canvas.middle_of({"attention_weights", {0, 512, 512}}), 1);
    ASSERT_FALSE(tile("attention_weights", 1, 1) != nullptr && tile("attention_weights", 1, 1)->is_whole());
    views.frame(1);
    const PictureTile* stand_in = picture("attention_weights").find({far, 0, 0});
    ASSERT_NE(stand_in, nullptr);
    EXPECT_EQ(stand_in->used_in_frame, ImGui::GetFrameCount());
}

TEST_F(Pictures, TakeNoMoreThanTheyMay) {
    open(1024, 8);
    for (int i = 0; i < 60; ++i) {
        zoom_into({"attention_weights", {0, 17 * i, 1000 - 16 * i}}, 1);
        views.ui.camera.is_fitted = i % 10 == 9;
        views.frame(1);
        EXPECT_LE(views.ui.pictures.n_bytes(), PictureStore::kMostBytes);
    }
}

TEST_F(Pictures, OtherColoursReadNothing) {
    open(64, 64);
    views.platform.tick_s = 0.1;
    views.ui.is_dark = !views.ui.is_dark;
    views.frame(1);
    EXPECT_TRUE(is_all_there());
    EXPECT_EQ(tile("queries")->texture.to_draw().Status, ImTextureStatus_OK) << "nothing is uploaded";
}

TEST_F(Pictures, TheMeanTakesThePlaceOfTheGreatestWhenItIsChosen) {
    open(1024, 8);
    const float before = texel("attention_weights", 10, 10);
    views.ui.reduction = Reduction::mean;
    views.frame(1);
    EXPECT_LT(texel("attention_weights", 10, 10), before);
    EXPECT_TRUE(is_all_there());
}

TEST_F(Pictures, NothingOfAnotherReductionIsShownUnderItsName) {
    open(1024, 8);
    ASSERT_FALSE(views.ui.reads_pictures_since_s.has_value());
    views.platform.tick_s = 0.1; // no time for more than a part
    views.ui.reduction = Reduction::mean;
    views.frame(1);
    const PictureTile* const weights = tile("attention_weights");
    EXPECT_TRUE(weights == nullptr || !weights->is_whole());
    EXPECT_TRUE(views.ui.reads_pictures_since_s.has_value()) << "the status tells of it";
    views.platform.tick_s = 0;
    for (int i = 0; i < 30 && views.ui.reads_pictures_since_s; ++i) {
        views.ui.wants_frame = false;
        views.frame(1);
        EXPECT_TRUE(views.ui.wants_frame) << "until it was said that all is there";
    }
    EXPECT_TRUE(is_all_there());
    EXPECT_FALSE(views.ui.reads_pictures_since_s.has_value());
    views.frame(2);
    views.ui.wants_frame = false;
    views.frame(1);
    EXPECT_FALSE(views.ui.wants_frame);
}

// What the colours of the means of weights span, beside what the texels say.
TEST_F(Pictures, ColoursOfMeansSpanTheMeans) {
    open(1024, 8);
    views.ui.reduction = Reduction::mean;
    views.frame(2);
    expect_span_of_texels("attention_weights");
    expect_span_of_texels("attention_scores");
    EXPECT_LT(span("attention_weights").greatest, views.lab.trace().extent(node("attention_weights")).greatest);
    EXPECT_LT(span("attention_scores").least, 0);
    views.ui.wants_frame = false;
    views.frame(1);
    EXPECT_FALSE(views.ui.wants_frame) << "no colour is on its way";
}

// Large queries set them apart.
TEST_F(Pictures, ColoursOfMeansThatHardlyDifferDoNotBeginAt0) {
    open(1024, 8);
    const auto shown = [&] { return colors_of("attention_weights", 0.1f); };
    views.ui.reduction = Reduction::mean;
    views.frame(2);
    const Extent means = span("attention_weights");
    ASSERT_GT(means.least, means.greatest / 2);
    ASSERT_TRUE(shown().has_value());
    EXPECT_EQ(shown()->least, means.least);
    EXPECT_EQ(shown()->greatest, means.greatest);
    multiply_queries(20);
    views.frame(4);
    ASSERT_LT(span("attention_weights").least, span("attention_weights").greatest / 2);
    EXPECT_EQ(shown()->least, 0);
}

// Of 1,024 weights that differ a lot the greatest of four are nearly everywhere beyond 64 equal shares.
TEST_F(Pictures, ColoursOfTheGreatestOfPeakedWeightsEndWhereTheyUsuallyDo) {
    for (const MaskKind mask : {MaskKind::none, MaskKind::causal}) {
        SCOPED_TRACE(mask == MaskKind::none ? "no mask" : "causal");
        open(1024, 8, mask);
        multiply_queries(1000);
        views.frame(4);
        const std::vector<float> points = texels("attention_weights");
        const float share = 1.0f / 1024;
        const ColorScale near = *colors_of("attention_weights", 20), far = *colors_of("attention_weights", 0.1f);
        EXPECT_FLOAT_EQ(near.greatest, static_cast<float>(kMostTypical) * share) << "of single weights, as before";
        EXPECT_GT(far.greatest, 2 * near.greatest);
        const auto n_at_end = [&](const ColorScale& scale) {
            return std::count_if(points.begin(), points.end(), [&](float point) { return point >= scale.greatest; });
        };
        EXPECT_GT(n_at_end(near), static_cast<std::ptrdiff_t>(points.size() / 10));
        EXPECT_LT(n_at_end(far), n_at_end(near) / 4);
        const auto n_seen = std::count_if(points.begin(), points.end(), [&](float point) {
            return far.place_of(point) > static_cast<float>(kTypicalPlace);
        });
        EXPECT_GT(n_seen, static_cast<std::ptrdiff_t>(points.size() / 8)) << "not as pale as nothing";
    }
}

TEST_F(Pictures, ColoursOfTheGreatestOfEvenWeightsAreThoseOfSingleOnes) {
    open(1024, 8);
    multiply_queries(0);
    views.frame(4);
    EXPECT_EQ(colors_of("attention_weights", 0.1f)->greatest, colors_of("attention_weights", 20)->greatest);
}

// From 0 on they would be one colour, as means would.
TEST_F(Pictures, ColoursOfTheGreatestOfNearlyEvenWeightsDoNotBeginAt0) {
    open(1024, 8);
    multiply_queries(0.05f);
    views.frame(4);
    const Extent points = span("attention_weights");
    ASSERT_GT(points.least, points.greatest / 2);
    ASSERT_LT(points.least, 0.99f * points.greatest);
    EXPECT_EQ(colors_of("attention_weights", 0.1f)->least, points.least);
    EXPECT_EQ(colors_of("attention_weights", 0.1f)->greatest, points.greatest);
}

TEST_F(Pictures, ColoursOfMeansFollowAnEditBothWays) {
    open(1024, 8);
    views.ui.reduction = Reduction::mean;
    views.frame(2);
    const Extent before = span("attention_scores");
    for (const float factor : {40.0f, 0.01f}) {
        ASSERT_TRUE(views.lab.perform(SetCell{"W_query", {0, 0, 0}, factor}).has_value());
        views.ui.wants_frame = false;
        views.frame(1);
        EXPECT_TRUE(views.ui.wants_frame) << "the frame was drawn in the colours of before";
        views.frame(1);
        expect_span_of_texels("attention_scores");
    }
    EXPECT_LT(span("attention_scores").greatest, 10 * before.greatest) << "it does not stay with what was";
}

TEST_F(Pictures, ColoursOfMeansOnlyGrowWhileNumbersComeIn) {
    open(1024, 8);
    views.ui.reduction = Reduction::mean;
    views.frame(2);
    ASSERT_TRUE(views.lab.perform(SetCell{"W_query", {0, 0, 0}, 5.0f}).has_value());
    views.platform.tick_s = 0.1; // no time for more than a part of a tile
    for (Extent before = span("attention_scores"); !is_all_there();) {
        views.frame(1);
        const Extent now = span("attention_scores");
        EXPECT_TRUE(is_all_there() || (now.least <= before.least && now.greatest >= before.greatest));
        before = now;
    }
    views.frame(1);
    expect_span_of_texels("attention_scores");
}

TEST_F(Pictures, ColoursOfMeansFromFartherAwayBeginWithTheMeansThatAreThere) {
    open(2048, 4);
    views.ui.reduction = Reduction::mean;
    views.frame(20);
    const PictureLevel far = picture("attention_scores").level;
    zoom_into({"attention_scores", {0, 1024, 1024}}, 6);
    views.frame(20);
    ASSERT_LT(picture("attention_scores").level.rows, far.rows);
    const float nearer = span("attention_scores").greatest; // of fewer cells: farther apart
    for (auto& [place, each] : picture("attention_scores").tiles())
        each->mark({0, each->texture.n_rows()}, {0, each->texture.n_cols()});
    std::erase_if(picture("attention_scores").tiles(), [&](const auto& each) { return each.first.level == far; });
    views.platform.tick_s = 0.1; // no time for more than a part of a tile
    views.ui.camera.is_fitted = true;
    views.frame(3);
    ASSERT_EQ(picture("attention_scores").level, far);
    ASSERT_FALSE(is_all_there());
    EXPECT_LT(span("attention_scores").greatest, nearer);
    ExtentSum read; // samples, which stand for what is still to be read, do not count
    for (const Extent& row : picture("attention_scores").row_extents(far)) read.add(row);
    EXPECT_EQ(span("attention_scores"), read.extent());
}

TEST_F(Pictures, ColoursOfMeansAreNotSaidBeforeThereIsOne) {
    open(1024, 8);
    const auto shown = [&] { return colors_of("attention_scores", 0.1f); };
    EXPECT_TRUE(shown().has_value());
    views.ui.reduction = Reduction::mean;
    EXPECT_FALSE(shown().has_value());
    views.frame(2);
    ASSERT_TRUE(shown().has_value());
    EXPECT_EQ(shown()->greatest, std::max(span("attention_scores").greatest, -span("attention_scores").least));
}

TEST_F(Pictures, ColoursOfMeansStayWhereverOneLooks) {
    open(2048, 4);
    views.ui.reduction = Reduction::mean;
    zoom_into({"attention_weights", {0, 1024, 1024}}, 4);
    views.frame(20);
    const PictureLevel level = picture("attention_weights").level;
    ASSERT_FALSE(level.is_finest());
    for (Extent before = span("attention_weights"); views.ui.camera.origin.x > -1e4f;) {
        pan(views.ui.camera, {150, 0});
        views.frame(3);
        if (picture("attention_weights").drawn_in_frame != ImGui::GetFrameCount()) break;
        ASSERT_EQ(picture("attention_weights").level, level);
        const Extent now = span("attention_weights");
        EXPECT_TRUE(now.least <= before.least && now.greatest >= before.greatest);
        before = now;
    }
}

TEST(ValueTextures, HoldEveryNumberAndKnowWhatIsMissing) {
    EXPECT_EQ(value_of(texel_of(-1.5f)), -1.5f);
    EXPECT_EQ(value_of(texel_of(-INFINITY)), -INFINITY);
    EXPECT_TRUE(std::isnan(value_of(texel_of(value_of(kMissingTexel))))) << "but no texel that is missing:";
    EXPECT_NE(texel_of(value_of(kMissingTexel)), kMissingTexel);
}

// On a fine screen, where no point stands for several cells: the weights of so many tokens are not stored.
TEST_F(Pictures, OfWeightsThatAreNotStoredHaveTheirColorsCellByCell) {
    ImGui::GetIO().DisplayFramebufferScale = {4, 4};
    open(370, 16);
    views.frame(20);
    ASSERT_TRUE(picture("attention_weights").level.is_finest());
    ASSERT_FALSE(views.lab.trace().is_stored(node("attention_weights")));
    const float most = greatest("attention_weights", {0, 370}, {0, 370});
    EXPECT_EQ(static_cast<float>(views.lab.trace().extent(node("attention_weights")).greatest), most);
    ImGui::GetIO().DisplayFramebufferScale = {1, 1};
}

} // namespace lab
