#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/views/phone_camera.h"
#include "tests/views/phone_screen.h"

namespace lab {
namespace {

constexpr ImVec2 kBetweenFingers{180, 350};

class PhoneZoom : public test::Phone {
  protected:
    // As two fingers do.
    void pinch(float scale, ImVec2 by = {0, 0}) {
        EXPECT_TRUE(pinch_tab(views.ui, kBetweenFingers, by, scale));
        views.frame(2);
    }

    // The matrix that the tab begins with.
    DrawnMatrix first() const {
        EXPECT_FALSE(views.ui.drawn_matrices.empty());
        return views.ui.drawn_matrices.front();
    }

    // In cells of the first matrix.
    ImVec2 place_in_first(ImVec2 point) const {
        const DrawnMatrix matrix = first();
        return {(point.x - matrix.origin.x) / matrix.pitch.x, (point.y - matrix.origin.y) / matrix.pitch.y};
    }

    void expect_at(ImVec2 place, ImVec2 expected) const {
        constexpr float kPoint = 0.02f; // of a cell: what is seen stands on whole points
        EXPECT_NEAR(place.x, expected.x, kPoint);
        EXPECT_NEAR(place.y, expected.y, kPoint);
    }
};

TEST_F(PhoneZoom, TwoFingersZoomAboutTheirMiddle) {
    const DrawnMatrix before = first();
    const ImVec2 between = place_in_first(kBetweenFingers);
    pinch(1.5f);
    EXPECT_NEAR(first().pitch.x, 1.5f * before.pitch.x, 1e-3f);
    EXPECT_NEAR(first().pitch.y, 1.5f * before.pitch.y, 1e-3f);
    expect_at(place_in_first(kBetweenFingers), between);
    pinch(1.4f, {-20, -30});
    EXPECT_NEAR(first().pitch.x, 2.1f * before.pitch.x, 1e-3f);
    expect_at(place_in_first({kBetweenFingers.x - 20, kBetweenFingers.y - 30}), between);
}

TEST_F(PhoneZoom, FingersTogetherEndAtTheWholeWidth) {
    const DrawnMatrix before = first();
    pinch(2);
    pinch(0.1f);
    EXPECT_EQ(first().pitch.x, before.pitch.x);
    EXPECT_EQ(first().origin.x, before.origin.x);
    EXPECT_FALSE(pinch_tab(views.ui, {180, 800}, {0, 0}, 2)) << "on the tabs' titles";
}

TEST_F(PhoneZoom, AFingerPullsSidewaysWhatIsWiderThanTheScreen) {
    const float before = first().origin.x;
    views.drag({300, 400}, {200, 400});
    EXPECT_EQ(first().origin.x, before) << "all of the width is to be seen";
    pinch(2);
    const float zoomed = first().origin.x;
    views.drag({300, 400}, {250, 400});
    EXPECT_EQ(first().origin.x, zoomed - 50);
    views.drag({20, 400}, {380, 400});
    views.drag({20, 400}, {380, 400});
    EXPECT_EQ(first().origin.x, 2 * before) << "not beyond the left edge";
}

TEST_F(PhoneZoom, ATapPinsTheCellThatIsSeen) {
    pinch(2);
    const ImVec2 place = place_in_first(kBetweenFingers);
    views.click(kBetweenFingers);
    ASSERT_NE(views.selection.pinned(), nullptr);
    EXPECT_EQ(*views.selection.pinned(),
              (TensorCell{"attention_weights", {0, static_cast<int>(place.y), static_cast<int>(place.x)}}));
}

TEST_F(PhoneZoom, WhatStandsAtTheEdgesCoversCells) {
    pinch(3);
    views.drag({300, 250}, {200, 250});
    ASSERT_NE(views.selection.pinned(), nullptr);
    const TensorCell before = *views.selection.pinned();
    const ImVec2 left_of_cells{20, 350};
    ASSERT_LT(first().origin.x, left_of_cells.x);
    ASSERT_GT(first().clip.left, left_of_cells.x);
    ASSERT_LT(place_in_first(left_of_cells).y, 6) << "beside a row";
    views.click(left_of_cells);
    EXPECT_EQ(*views.selection.pinned(), before);
}

TEST_F(PhoneZoom, EachTabIsLookedAtByItself) {
    pinch(2);
    const DrawnMatrix zoomed = first();
    views.click({390 * 0.5f, 820}); // "Scores"
    EXPECT_LE(first().pitch.x, 46);
    views.click({390 * 0.7f, 820});
    EXPECT_EQ(first().pitch.x, zoomed.pitch.x);
    EXPECT_EQ(first().origin.x, zoomed.origin.x);
}

constexpr ImVec2 kButton{390 - 12 - 18, 616 - 22 - 12 - 18};

TEST_F(PhoneZoom, ItsButtonSpeaksOfAKeyOnlyBesideAKeyboard) {
    const auto width_of_tip = [&](bool has_keyboard) {
        views.platform.coarse_pointer = !has_keyboard;
        views.move_to(kBetweenFingers);
        views.move_to(kButton);
        views.wait(1);
        return shown_tip() ? shown_tip()->Size.x : 0;
    };
    pinch(2);
    const float without_key = width_of_tip(false);
    EXPECT_GT(without_key, 0);
    EXPECT_GT(width_of_tip(true), without_key + 5);
}

TEST_F(PhoneZoom, AButtonLeadsBackToTheWholeWidth) {
    const DrawnMatrix before = first();
    views.click(kButton);
    EXPECT_TRUE(views.take_actions().empty()) << "only where one has zoomed in";
    pinch(2);
    views.click(kButton);
    EXPECT_EQ(views.take_actions(), std::vector{Action::fit_view});
    fit_tabs(views.ui);
    views.frame(2);
    EXPECT_EQ(first().pitch.x, before.pitch.x);
    EXPECT_EQ(first().origin.x, before.origin.x);
}

TEST_F(PhoneZoom, TheWheelOfANarrowWindowScrollsAndWithCtrlZooms) {
    const DrawnMatrix before = first();
    views.wheel(kBetweenFingers, -1);
    EXPECT_LT(first().origin.y, before.origin.y);
    EXPECT_EQ(first().pitch.x, before.pitch.x);
    const ImVec2 place = place_in_first(kBetweenFingers);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    views.wheel(kBetweenFingers, 3);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    EXPECT_GT(first().pitch.x, 1.3f * before.pitch.x);
    expect_at(place_in_first(kBetweenFingers), place);
}

} // namespace
} // namespace lab
