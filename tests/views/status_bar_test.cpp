// The line at the bottom: what went wrong, what is under the pointer.
#include <algorithm>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "app/views/views.h"
#include "tests/views/canvas_support.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

constexpr Rect kBar{0, 772, 1280, 800};

class StatusBar : public testing::Test {
  protected:
    HeadlessViews views{[](ViewContext& context) { draw_status_bar(context, kBar); }};

    int n_vertices() {
        views.frame(2);
        return ImGui::GetDrawData()->TotalVtxCount;
    }
};

TEST_F(StatusBar, AClickOnAnErrorTakesItAway) {
    for (const float x : {40.0f, 104.0f}) { // the sentence, its cross
        views.ui.error = "it does not fit";
        views.click({x, 786});
        EXPECT_EQ(views.ui.error, "") << x;
    }
    views.ui.error = "it does not fit";
    views.click({600, 786});
    EXPECT_NE(views.ui.error, "");
}

// On the canvas it would stand on numbers.
TEST_F(StatusBar, AButtonAtItsEndFitsWhereOneLooksAtAPart) {
    constexpr ImVec2 kButton{1280 - 27, 786};
    views.click(kButton);
    EXPECT_TRUE(views.take_actions().empty()) << "all of it is shown";
    views.ui.camera.is_fitted = false;
    views.click(kButton);
    EXPECT_EQ(views.take_actions(), std::vector{Action::fit_view});
}

TEST_F(StatusBar, BesideAnErrorStandsWhatIsUnderThePointer) {
    views.ui.error = std::string(300, 'w'); // far wider than the bar
    const int without = n_vertices();
    views.ui.status = "inputs[journey, d₁] = 0.5500";
    EXPECT_GT(n_vertices(), without + 4 * 20);
}

TEST_F(StatusBar, WhatThePointerIsToldIsWholeWhereTheMeasuresCanBeShorter) {
    views.ui.engine_us = 1873e3;
    views.ui.status = "attention_weights[token 12048, token 12959] = 0.000112";
    views.ui.status_hint = "this point: the greatest of rows 12033–12160 × columns 12929–13056 and more of this kind, "
                           "so that it takes most of the bar";
    const int before = n_vertices();
    views.ui.status_hint += "x";
    EXPECT_EQ(n_vertices(), before + 4) << "one more letter is one more that is drawn";
    views.ui.status_hint = "";
    EXPECT_GT(n_vertices(), 4 * 70) << "where nothing is told the measures are whole";
}

// Letters up to where the measures begin.
std::size_t n_letters_of_hint(const std::vector<test::Letter>& drawn) {
    constexpr float kGap = 20;
    std::size_t n = 1;
    while (n < drawn.size() && drawn[n].box.left - drawn[n - 1].box.right < kGap) ++n;
    return n;
}

TEST_F(StatusBar, AHintTakesTheRoomOfTheMeasuresAndThenLosesWholeParts) {
    constexpr std::size_t kTail = 5; // "·tail"
    std::size_t most_whole = 0, most_shortened = 0;
    bool had_measures = false;
    for (std::size_t n = 20; n < 260; ++n) {
        views.ui.status_hint = std::string(n, 'x') + " · tail";
        views.frame(2);
        const std::vector<test::Letter> drawn = test::letters("##status bar");
        ASSERT_LE(drawn.back().box.right, kBar.right - spacing::kPanel + 1) << n;
        const std::size_t n_hint = n_letters_of_hint(drawn);
        had_measures = had_measures || n_hint < drawn.size();
        if (n_hint == n + kTail)
            most_whole = n;
        else if (n_hint == n)
            most_shortened = n;
        else
            ASSERT_LT(n_hint, n) << "an end that is cut has an ellipsis";
    }
    EXPECT_TRUE(had_measures) << "where there is room for both";
    views.ui.status_hint = std::string(most_whole, 'x') + " · tail";
    views.frame(2);
    const std::vector<test::Letter> drawn = test::letters("##status bar");
    EXPECT_EQ(n_letters_of_hint(drawn), drawn.size()) << "the hint has all of the bar";
    EXPECT_GT(drawn.back().box.right, kBar.right - spacing::kPanel - 8);
    EXPECT_GT(most_shortened, most_whole) << "then the last part goes, and no word is cut";
}

TEST_F(StatusBar, ATimeIsSaidWithWhatItIs) {
    views.frame(2);
    const std::size_t without = test::letters("##status bar").size();
    views.ui.engine_us = 1200;
    views.frame(2);
    EXPECT_EQ(test::letters("##status bar").size(), without + std::string_view("·computedin1.2ms").size() - 1);
    views.ui.engine_us = 11'758'000; // "11.8 s"
    views.frame(2);
    EXPECT_EQ(test::letters("##status bar").size(), without + std::string_view("·computedin11.8s").size() - 1);
}

TEST_F(StatusBar, TheTimeThatAGradientTookIsNotSaidOfTheNumbers) {
    ASSERT_TRUE(views.lab.perform(SetGradient{"sum(context_vectors)"}).has_value());
    views.lab.refresh();
    views.ui.engine_us = 1.2e6;
    views.selection.shows_gradient = true;
    views.frame(2);
    const std::size_t with = test::letters("##status bar").size();
    views.selection.shows_gradient = false;
    views.frame(2);
    EXPECT_EQ(test::letters("##status bar").size(), with - (std::string_view("·computedin1.2s").size() - 1));
}

TEST_F(StatusBar, ThatSomethingIsOnItsWayIsSaidBesideAHint) {
    views.ui.reads_pictures_since_s = -10; // "drawing, 99 %"
    views.ui.status_hint = std::string(120, 'x');
    views.frame(2);
    const std::vector<test::Letter> drawn = test::letters("##status bar");
    EXPECT_GT(drawn.size(), n_letters_of_hint(drawn) + 8);
}

TEST_F(StatusBar, AHintLosesItsLastPartsBeforeWhatIsOnItsWayIsLeftOut) {
    constexpr std::size_t kNow = std::string_view("drawing,99%").size();
    views.ui.reads_pictures_since_s = -10;
    const std::string first(60, 'x');
    bool has_lost_part = false;
    for (std::size_t n = 20; n < 200; ++n) {
        views.ui.status_hint = first + " · " + std::string(n, 'y');
        views.frame(2);
        const std::vector<test::Letter> drawn = test::letters("##status bar");
        const std::size_t n_hint = n_letters_of_hint(drawn);
        ASSERT_GE(drawn.size(), n_hint + kNow) << n;
        has_lost_part = has_lost_part || n_hint == first.size();
    }
    EXPECT_TRUE(has_lost_part) << "where it does not fit beside";
    std::size_t most = 0; // of one part
    for (std::size_t n = 100; n < 260; ++n) {
        views.ui.status_hint = std::string(n, 'x');
        views.frame(2);
        const std::vector<test::Letter> drawn = test::letters("##status bar");
        if (n_letters_of_hint(drawn) == drawn.size() && drawn.size() == n) most = n;
    }
    views.ui.status_hint = std::string(most, 'x') + " · tail";
    views.frame(2);
    EXPECT_EQ(test::letters("##status bar").size(), most) << "of a hint whose first part takes the bar that is whole";
}

TEST(StatusBarOfALongText, NoTextsStandOnOneAnother) {
    test::Canvas canvas;
    HeadlessViews& views = canvas.views;
    canvas.open(test::document_of({.n_tokens = 1024, .d_in = 8, .d_k = 8, .d_v = 8}));
    for (const char* error :
         {"", "it is too large by so much that this sentence takes all of the room that errors have at all, "
              "and then some more of it, which is cut"}) {
        views.ui.error = error;
        views.move_to(canvas.middle_of({"attention_weights", {0, 600, 300}}));
        const std::string status = views.ui.status;
        ASSERT_NE(status.find("cells here"), std::string::npos);
        canvas.bar = Rect{0, 696, 812, 724};
        views.frame(2);
        const std::vector<test::Letter> drawn = test::letters("##status bar");
        ASSERT_GT(drawn.size(), 60u);
        for (std::size_t i = 1; i < drawn.size(); ++i)
            EXPECT_LT(drawn[i - 1].box.right - drawn[i].box.left, 3) << "letter " << i << " of: " << status;
    }
}

} // namespace
} // namespace lab
