// Pictures that take longer than a frame: how far they are, and what an edit does to them.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "app/views/matrix_cells.h"
#include "app/views/ongoing.h"
#include "app/views/reduction_choice.h"
#include "tests/views/pictures.h"

namespace lab {
namespace {

class PictureProgress : public test::Pictures {
  protected:
    // One part of a tile is read in a frame, until there is time again.
    void choose_the_mean_without_time() {
        open(1024, 8);
        views.platform.tick_s = 0.1;
        views.ui.reduction = Reduction::mean;
        views.frame(1);
    }
    double progress() { return views.ui.pictures.progress(); }
    std::optional<Ongoing> said() {
        const Theme theme{kDarkPalette, {}};
        const ViewContext context = canvas.context(theme);
        return ongoing(context);
    }
};

TEST_F(PictureProgress, HowMuchOfTheMeanIsThereIsSaidUntilItIs) {
    choose_the_mean_without_time();
    double before = progress();
    EXPECT_LT(before, 0.5);
    for (int i = 0; i < 5; ++i) {
        views.frame(1);
        EXPECT_GT(progress(), before);
        before = progress();
    }
    views.platform.time_s += 1;
    ASSERT_TRUE(said().has_value());
    EXPECT_EQ(said()->text, "drawing, " + std::to_string(static_cast<int>(100 * before)) + " %");
    EXPECT_EQ(said()->part, before);
    views.platform.tick_s = 0;
    views.frame(30);
    EXPECT_EQ(progress(), 1);
    EXPECT_FALSE(said().has_value());
}

TEST_F(PictureProgress, AnEditTakesOver) {
    choose_the_mean_without_time();
    views.frame(8);
    const double before = progress();
    ASSERT_GT(before, 0);
    ASSERT_TRUE(views.lab.perform(SetCell{"inputs", {0, 5, 7}, 0.5f}).has_value());
    views.lab.refresh();
    views.frame(1);
    EXPECT_LT(progress(), before) << "every weight is another";
}

TEST_F(PictureProgress, OfOtherPicturesItBeginsAnewAlsoWhereTheyAreSmaller) {
    choose_the_mean_without_time();
    views.frame(2);
    canvas.open(test::document_of({.n_tokens = 600, .d_in = 8, .d_k = 8, .d_v = 8}));
    const double before = progress();
    EXPECT_LT(before, 0.5);
    views.frame(1);
    EXPECT_GT(progress(), before);
}

TEST_F(PictureProgress, ItIsNotSaidThatAllIsThereWhileMoreIsToCome) {
    PictureStore& store = views.ui.pictures;
    TiledPicture& many = store.picture("many", {});
    for (int col = 0; store.may_make_tile(); ++col) store.make_tile(many, {{}, 0, col});
    EXPECT_TRUE(store.work([] { return true; })) << "tiles are left to be made";
    views.ui.reads_pictures_since_s = views.platform.now_s() - 1;
    ASSERT_TRUE(said().has_value());
    EXPECT_EQ(said()->text, "drawing, 99 %");
}

TEST_F(PictureProgress, OfLittleAsOfMuchItIsThePartThatIsRead) {
    open(4096, 8);
    ASSERT_EQ(progress(), 1);
    views.platform.tick_s = 0.1;
    ASSERT_TRUE(views.lab.perform(SetCell{"W_value", {0, 5, 7}, 0.5f}).has_value());
    views.lab.refresh();
    views.frame(1);
    EXPECT_LT(progress(), 0.9) << "values and contexts, of which one tile was read";
}

// Strips that have no time in one frame come in the next, and pictures take turns.
TEST_F(PictureProgress, AllPicturesAreEstimatedUnderAHandThatIsFasterThanOneOfThem) {
    open(2048, 16);
    views.frame(30);
    const auto texels = [&](const std::string& name) {
        std::vector<float> all;
        for (int row = 64; row < tile(name)->texture.n_rows(); ++row) all.push_back(texel(name, row, 9));
        return all;
    };
    const std::vector<float> scores = texels("attention_scores"), weights = texels("attention_weights");
    views.platform.tick_s = 0.1;
    views.computes = false;
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(views.lab.perform(SetCell{"W_query", {0, 3, 5}, 4 + 0.1f * static_cast<float>(i)}).has_value());
        views.frame(1);
        ASSERT_TRUE(views.lab.is_computing());
    }
    const auto n_other = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0, std::plus<>(), std::not_equal_to<>());
    };
    EXPECT_GT(n_other(texels("attention_scores"), scores), 20);
    EXPECT_GT(n_other(texels("attention_weights"), weights), 20);
}

TEST_F(PictureProgress, WhatRunsWithinAFrameIsNotSampled) {
    for (const auto& [n_tokens, is_sampled] : {std::pair(400, false), std::pair(1024, true)}) {
        open(n_tokens, 64);
        views.frame(30);
        const TexelSource weights{&views.lab.trace(), node("attention_weights"), 0, {}, {}, n_tokens, n_tokens};
        EXPECT_EQ(weights.can_sample({1, 1}, Reduction::maximum), is_sampled) << n_tokens;
    }
}

// A text so long that weights are computed for longer than a frame: what its points will say is estimated meanwhile.
class EstimatedPictures : public test::Pictures {
  protected:
    static constexpr int kTokens = 2048;
    void SetUp() override {
        open(kTokens, 16);
        views.frame(30);
    }
    void edit_without_computing() {
        ASSERT_TRUE(views.lab.perform(SetCell{"W_query", {0, 3, 5}, 4}).has_value());
        views.computes = false;
        views.frame(40);
        ASSERT_TRUE(views.lab.is_computing());
    }
    std::vector<float> samples(const std::string& name) {
        const ValueTexture& texture = tile(name)->texture;
        const Block block{{0, 1}, {0, texture.n_rows()}, {0, texture.n_cols()}};
        std::vector<float> all(block.size());
        const Seen seen{picture(name).level.rows, Reduction::maximum, true};
        views.lab.trace().source(node(name))->reduce(block, seen, all.data());
        return all;
    }
};

TEST_F(EstimatedPictures, PointsFollowASampleUntilTheirRowsAreComputed) {
    const std::vector<float> weights = texels("attention_weights"), weight_samples = samples("attention_weights");
    const std::vector<float> scores = texels("attention_scores"), score_samples = samples("attention_scores");
    edit_without_computing();
    const std::vector<float> weight_samples_now = samples("attention_weights");
    const std::vector<float> score_samples_now = samples("attention_scores");
    const std::vector<float> weights_now = texels("attention_weights"), scores_now = texels("attention_scores");
    int n_other = 0;
    for (std::size_t i = weights.size() / 2; i < weights.size(); ++i) { // the first rows are computed at once
        EXPECT_FLOAT_EQ(weights_now[i], weight_samples_now[i] * (weights[i] / weight_samples[i])) << i;
        EXPECT_FLOAT_EQ(scores_now[i], score_samples_now[i] + (scores[i] - score_samples[i])) << i;
        n_other += weights_now[i] != weights[i] ? 1 : 0;
    }
    EXPECT_GT(n_other, static_cast<int>(weights.size()) / 4) << "all over the map, not from above";
    EXPECT_TRUE(views.ui.pictures.shows_estimates());

    while (views.lab.is_computing()) views.lab.work();
    views.frame(30);
    EXPECT_FALSE(views.ui.pictures.shows_estimates());
    const int side = 1 << picture("attention_weights").level.rows;
    EXPECT_EQ(texel("attention_weights", 100, 30),
              greatest("attention_weights", {100 * side, 101 * side}, {30 * side, 31 * side}));
}

// To be read the mean takes all cells, and is still to be read when all is computed.
TEST_F(EstimatedPictures, MeansFollowASampleToo) {
    views.ui.reduction = Reduction::mean;
    views.frame(60);
    const std::vector<float> before = texels("attention_weights");
    edit_without_computing();
    const std::vector<float> now = texels("attention_weights");
    const auto n_other = [&](const std::vector<float>& others) {
        int n = 0;
        for (std::size_t i = 0; i < before.size(); ++i) n += before[i] != others[i] ? 1 : 0;
        return n;
    };
    EXPECT_GT(n_other(now), static_cast<int>(before.size()) / 2);
    EXPECT_TRUE(views.ui.pictures.shows_estimates());
    while (views.lab.is_computing()) views.lab.work();
    views.frame(60);
    EXPECT_FALSE(views.ui.pictures.shows_estimates());
    const int level = picture("attention_weights").level.rows;
    std::vector<float> read(1);
    views.lab.trace()
        .source(node("attention_weights"))
        ->reduce({{0, 1}, Range::at(100), Range::at(30)}, {level, Reduction::mean}, read.data());
    EXPECT_EQ(texel("attention_weights", 100, 30), read[0]);
}

// Read from above they would show nothing of the rest for seconds.
TEST_F(EstimatedPictures, MeansBeginWithSamplesUntilTheyAreRead) {
    views.ui.reduction = Reduction::mean;
    views.platform.tick_s = 1e-4; // so that reading takes many frames
    int n_estimated = 0, n_frames = 0;
    for (; n_frames < 400; ++n_frames) {
        views.frame(1);
        const PictureTile* now = tile("attention_weights");
        if (now == nullptr || !now->is_whole() || now->is_fresh()) continue;
        ++n_estimated;
        const std::vector<float> all = texels("attention_weights");
        EXPECT_TRUE(std::all_of(all.begin(), all.end(), [](float texel) { return texel > 0; }));
        EXPECT_TRUE(now->shows_estimates());
        if (n_estimated > 3) break;
    }
    EXPECT_GT(n_estimated, 1) << "shown as a whole before it is read";
    views.platform.tick_s = 0;
    views.frame(60);
    EXPECT_FALSE(views.ui.pictures.shows_estimates());
    const int level = picture("attention_weights").level.rows;
    std::vector<float> read(1);
    views.lab.trace()
        .source(node("attention_weights"))
        ->reduce({{0, 1}, Range::at(100), Range::at(30)}, {level, Reduction::mean}, read.data());
    EXPECT_EQ(texel("attention_weights", 100, 30), read[0]);
}

// What was read from farther away stands there until what is nearer is read.
TEST_F(EstimatedPictures, ZoomedIntoTheyShowNoSamplesOverWhatWasRead) {
    for (const Reduction reduction : {Reduction::maximum, Reduction::mean}) {
        views.ui.reduction = reduction;
        views.platform.tick_s = 0;
        views.frame(60);
        const PictureLevel far = picture("attention_weights").level;
        views.platform.tick_s = 1e-3;
        zoom_into({"attention_weights", {0, 900, 900}}, 3);
        ASSERT_LT(picture("attention_weights").level.rows, far.rows);
        for (int i = 0; i < 200; ++i) {
            views.frame(1);
            EXPECT_FALSE(views.ui.pictures.shows_estimates("attention_weights"));
        }
        views.platform.tick_s = 0;
        for (int i = 0; i < 3; ++i) views.wheel(canvas.middle_of({"attention_weights", {0, 900, 900}}), -1);
    }
}

// From far away a row of texels is read in pieces: samples that still stand beside them are farther apart.
TEST_F(PictureProgress, ATileIsMeasuredByWhatWasRead) {
    constexpr PictureLevel kFar{6, 6};
    RetiredTextures retired;
    PictureTile tile(4, PictureTile::kSide, retired);
    while (tile.may_begin_with_samples())
        tile.begin_with_samples(
            [](Range, Range, float* samples) { std::fill_n(samples, 4 * PictureTile::kSide, 100); });
    EXPECT_TRUE(tile.is_whole());
    EXPECT_TRUE(tile.row_extents().front().is_empty());
    const auto read = [](Range rows, Range cols, float* texels) {
        std::fill_n(texels, rows.size() * cols.size(), static_cast<float>(1 + cols.begin));
    };
    const PictureTile::Part first = tile.refresh(kFar, read);
    ASSERT_LT(first.cols.size(), PictureTile::kSide);
    EXPECT_EQ(tile.row_extents().front().extent(), (Extent{1, 1}));
    const PictureTile::Part second = tile.refresh(kFar, read);
    EXPECT_EQ(tile.row_extents().front().extent(), (Extent{1, static_cast<float>(1 + second.cols.begin)}));
}

// Rows that are read whole are measured as they are written: as those of which only a part was read again.
TEST_F(PictureProgress, RowsReadWholeAreMeasuredAsInParts) {
    constexpr int kCols = 20;
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kMasked = -std::numeric_limits<float>::infinity();
    const float odd[] = {1, kNaN, kMasked, -kMasked, -7};
    RetiredTextures retired;
    PictureTile tile(5, kCols, retired);
    const auto number = [&](int row, int col) {
        return col % 4 == row % 4 ? odd[row] : 0.5f * static_cast<float>(row + col);
    };
    const auto read = [&](Range rows, Range cols, float* texels) {
        for (int row = rows.begin; row < rows.end; ++row)
            for (int col = cols.begin; col < cols.end; ++col) *texels++ = number(row, col);
    };
    const auto expect_measured = [&](const char* how) {
        for (int row = 0; row < 5; ++row) {
            ExtentSum expected;
            for (int col = 0; col < kCols; ++col) {
                const float cell = number(row, col);
                expected.add_finite(&cell, 1);
            }
            EXPECT_EQ(tile.row_extents()[static_cast<std::size_t>(row)].extent(), expected.extent()) << how << row;
        }
    };
    while (!tile.is_fresh()) tile.refresh({}, read);
    expect_measured("whole, row ");
    tile.mark({0, 5}, {3, 9});
    while (!tile.is_fresh()) tile.refresh({}, read);
    expect_measured("in parts, row ");
}

TEST_F(EstimatedPictures, AnotherMaskIsFollowed) {
    const auto masked_share = [&] {
        const std::vector<float> all = texels("attention_weights");
        const auto is_masked = [](float texel) { return std::isinf(texel); };
        return static_cast<double>(std::count_if(all.begin(), all.end(), is_masked)) / static_cast<double>(all.size());
    };
    for (const MaskKind mask : {MaskKind::causal, MaskKind::none}) {
        AttentionSettings settings = views.lab.document().attention;
        settings.mask = mask;
        views.computes = false;
        ASSERT_TRUE(views.lab.perform(SetAttention{settings}).has_value());
        views.frame(60);
        ASSERT_TRUE(views.lab.is_computing());
        EXPECT_NEAR(masked_share(), mask == MaskKind::causal ? 0.5 : 0, 0.05);
        while (views.lab.is_computing()) views.lab.work();
        views.frame(30);
    }
}

// Contexts are stored, and as they were until the update has come by them: their points follow rows that are read ahead.
TEST_F(EstimatedPictures, ContextsFollowRowsThatAreReadAhead) {
    const char* name = "context_vectors";
    for (const char* edited : {"W_query", "W_value"}) {
        const std::vector<float> before = texels(name);
        const int n_rows = 1 << picture(name).level.rows, n_cols = tile(name)->texture.n_cols();
        ASSERT_GT(n_rows, 1);
        const Trace& trace = views.lab.trace();
        const auto middle = [&](int texel_row) { return texel_row * n_rows + n_rows / 2; };
        const auto row_of = [&](int row) {
            const Block block{{0, 1}, Range::at(row), {0, n_cols}};
            std::vector<float> cells(block.size());
            if (trace.is_pending(node(name)))
                trace.read_ahead(node(name), 0, std::span(&row, 1), cells.data());
            else
                trace.source(node(name))->read(block, cells.data());
            return cells;
        };
        const int texel_row = tile(name)->texture.n_rows() / 2;
        const std::vector<float> sample = row_of(middle(texel_row));
        views.computes = false;
        ASSERT_TRUE(views.lab.perform(SetCell{edited, {0, 3, 5}, 4}).has_value());
        views.frame(60);
        ASSERT_TRUE(trace.is_pending(node(name)));
        const std::vector<float> now = texels(name), sample_now = row_of(middle(texel_row));
        int n_other = 0;
        for (int col = 0; col < n_cols; ++col) {
            const auto at = static_cast<std::size_t>(texel_row * n_cols + col), k = static_cast<std::size_t>(col);
            EXPECT_FLOAT_EQ(now[at], sample_now[k] + (before[at] - sample[k])) << edited;
            n_other += now[at] != before[at] ? 1 : 0;
        }
        EXPECT_GT(n_other, 0) << edited;
        views.computes = true;
        while (views.lab.is_computing()) views.lab.work();
        views.frame(30);
        EXPECT_TRUE(tile(name)->is_fresh());
        Reducer strongest(Reduction::magnitude);
        for (int row = texel_row * n_rows; row < (texel_row + 1) * n_rows; ++row)
            strongest.add(std::vector{canvas.value({name, {0, row, 3}})}.data(), 1);
        EXPECT_EQ(texel(name, texel_row, 3), strongest.result()) << edited;
    }
}

// Of the rows that are known by then the scale would be another in every frame of a drag.
TEST_F(EstimatedPictures, ColoursKeepTheirScaleUntilAllIsComputed) {
    const auto scale = [&] {
        const Theme theme{kDarkPalette, {}};
        ViewContext context = canvas.context(theme);
        return matrix_frame(context, {.node = node("attention_weights")}).scale().greatest;
    };
    const float before = scale();
    const std::vector<std::vector<float>> zeros(16, std::vector<float>(16)); // all weights become the same
    ASSERT_TRUE(views.lab.perform(SetCells{"W_query", {}, zeros}).has_value());
    views.computes = false;
    for (int i = 0; i < 20; ++i) {
        views.frame(1);
        EXPECT_GE(scale(), before) << i;
        if (i % 4 == 0) views.lab.work();
    }
    ASSERT_TRUE(views.lab.is_computing());
    while (views.lab.is_computing()) views.lab.work();
    views.frame(2);
    EXPECT_EQ(scale(), views.lab.trace().extent(node("attention_weights")).greatest);
}

TEST_F(EstimatedPictures, ItIsSaidThatTheyAreEstimated) {
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    const std::string before = reduction_said(canvas.context(theme));
    edit_without_computing();
    EXPECT_EQ(reduction_said(canvas.context(theme)), "estimated " + before);
}

// The legend says so, of what is not estimated.
TEST_F(EstimatedPictures, WhatStaysAsItWasForLongIsKnown) {
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    ASSERT_TRUE(views.lab.perform(AddTensor{"W_output"}).has_value());
    views.frame(30);
    const auto stays = [&](const std::string& name) {
        ViewContext context = canvas.context(theme);
        return stays_as_before(context, node(name));
    };
    views.computes = false;
    const auto drag_on = [&](float value) {
        ASSERT_TRUE(views.lab.perform(SetCell{"W_query", {0, 3, 5}, value}).has_value());
        views.frame(1);
        ASSERT_TRUE(views.lab.is_computing());
    };
    EXPECT_FALSE(stays("outputs"));
    drag_on(4);
    EXPECT_FALSE(stays("outputs")) << "a moment";
    views.wait(0.3);
    drag_on(5);
    views.wait(0.3);
    drag_on(6);
    EXPECT_TRUE(stays("outputs"));
    EXPECT_FALSE(stays("queries")) << "which are up to date";
    EXPECT_FALSE(stays("attention_scores")) << "which are computed where they are looked at";
    while (views.lab.is_computing()) views.lab.work();
    EXPECT_FALSE(stays("outputs"));
    drag_on(7);
    EXPECT_FALSE(stays("outputs")) << "another moment";
}

TEST_F(EstimatedPictures, ASecondEditIsFollowedTooAndWhatWasUndoneIsAsItWas) {
    const std::vector<float> before = texels("attention_weights");
    edit_without_computing();
    ASSERT_NE(texels("attention_weights"), before);
    ASSERT_TRUE(views.lab.undo());
    views.frame(40);
    ASSERT_TRUE(views.lab.is_computing());
    const std::vector<float> after = texels("attention_weights");
    for (std::size_t i = before.size() / 2; i < before.size(); ++i) EXPECT_NEAR(after[i] / before[i], 1, 1e-5) << i;
}

TEST_F(EstimatedPictures, WhatWasNeverThereIsNotEstimated) {
    Document other = test::document_of({.n_tokens = kTokens, .d_in = 8, .d_k = 8, .d_v = 8});
    ASSERT_TRUE(views.lab.perform(OpenDocument{other}).has_value());
    views.computes = false;
    views.frame(10);
    ASSERT_TRUE(views.lab.is_computing());
    EXPECT_FALSE(views.ui.pictures.shows_estimates());
}

} // namespace
} // namespace lab
