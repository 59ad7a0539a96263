// Pictures that take longer than a frame: how far they are, and what an edit does to them.
#include "app/views/ongoing.h"
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
    open(1024, 8);
    ASSERT_EQ(progress(), 1);
    views.platform.tick_s = 0.1;
    ASSERT_TRUE(views.lab.perform(SetCell{"W_value", {0, 5, 7}, 0.5f}).has_value());
    views.lab.refresh();
    views.frame(1);
    EXPECT_LT(progress(), 0.9) << "values and contexts, of which one tile was read";
}

} // namespace
} // namespace lab
