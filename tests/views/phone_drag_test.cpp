// Numbers that a finger, or a mouse in a narrow window, changes.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/views/matrix_view.h"
#include "app/views/phone_camera.h"
#include "tests/views/phone_screen.h"

namespace lab {
namespace {

using test::cell_of_first_matrix;
using test::tab_place;

class PhoneDragging : public test::Phone {
  protected:
    PhoneDragging() {
        views.performs = true;
        views.click(tab_place(0, 5));
    }

    float value() const { return views.lab.document().tensors.at("inputs").at({0, 1, 0}); }
    // From a place near the upper edge of that number's cell, in so many frames.
    void drag_by(float x, float y, int n_frames = 20) {
        const ImVec2 from{place_.x, place_.y - 14};
        views.wait(1);
        views.press(from);
        for (int i = 1; i <= n_frames; ++i) {
            const float part = static_cast<float>(i) / static_cast<float>(n_frames);
            views.move_to({from.x + part * x, from.y + part * y});
        }
        views.release();
        views.wait(1);
    }
    bool has_hint() const { return window_with("##hint") != nullptr; }

    const ImVec2 place_ = cell_of_first_matrix(1, 0);
    const TensorCell weight_{"attention_weights", {0, 1, 2}};
};

TEST_F(PhoneDragging, ADragThatBeginsOnTheChosenGivenNumberChangesIt) {
    const ImVec2 place = cell_of_first_matrix(1, 0);
    views.click(place);
    ImGui::GetIO().AddMouseButtonEvent(0, true); // at once: for the mouse a double click
    views.frame();
    EXPECT_FALSE(views.ui.editor.has_value());
    views.move_to({place.x + 30, place.y});
    views.move_to({place.x + 60, place.y});
    views.release();
    EXPECT_FALSE(views.ui.editor.has_value());
    EXPECT_NEAR(views.lab.document().tensors.at("inputs").at({0, 1, 0}), 1.05f, 1e-5f);
}

// So that one sees, in the sheet, what becomes of a weight.
TEST_F(PhoneDragging, SidewaysItChangesAGivenNumberAndWhatIsChosenStaysTold) {
    ASSERT_EQ(pinned(), weight_);
    drag_by(80, 4);
    EXPECT_GT(value(), 0.55f + 0.5f);
    EXPECT_LE(value(), 0.55f + 0.6f) << "but for the first few points";
    EXPECT_EQ(pinned(), weight_);
    EXPECT_EQ(views.ui.phone_tab, 0);
}

TEST_F(PhoneDragging, OnceItGoesSidewaysTheOtherDirectionChangesNothing) {
    views.press(place_);
    for (int i = 1; i <= 8; ++i) views.move_to({place_.x + 6 * static_cast<float>(i), place_.y});
    const float before = value();
    ASSERT_NE(before, 0.55f);
    views.move_to({place_.x + 48, place_.y + 120});
    EXPECT_EQ(value(), before);
    views.release();
}

TEST_F(PhoneDragging, ASlipOrAFlickChangesAndChoosesNothing) {
    drag_by(10, 2);
    drag_by(13, 1);
    drag_by(15, 1, 1);
    drag_by(60, 0, 1);
    drag_by(10, 60);
    drag_by(30, 40);
    EXPECT_FALSE(views.lab.can_undo());
    EXPECT_EQ(pinned(), weight_);
    EXPECT_EQ(views.ui.phone_tab, 0);
}

TEST_F(PhoneDragging, ItIsTheNumberThatThePressBeganOn) {
    views.click(tab_place(1, 5)); // which scrolls
    const Tensor before = views.lab.document().tensors.at("W_query");
    const Fonts fonts;
    const auto area = drawn_area(views.context({kDarkPalette, fonts}), {"W_query", {0, 1, 0}});
    ASSERT_TRUE(area);
    const ImVec2 from{area->left + 10, area->top + 3};
    views.press(from);
    views.move_to({from.x + 9, from.y - 6}); // which may yet become either
    views.move_to({from.x + 24, from.y - 11});
    views.move_to({from.x + 80, from.y - 11});
    views.release();
    const Tensor& after = views.lab.document().tensors.at("W_query");
    EXPECT_NE(after.at({0, 1, 0}), before.at({0, 1, 0}));
    EXPECT_EQ(after.at({0, 0, 0}), before.at({0, 0, 0}));
    EXPECT_EQ(views.ui.phone_cameras.at("Q K V").origin.y, 0);
}

TEST_F(PhoneDragging, ZoomedInItMovesThePage) {
    pinch_tab(views.ui, place_, {0, 0}, 1.5f);
    views.frame(2);
    const float before = views.ui.phone_cameras.at("Inputs").origin.x;
    drag_by(-80, 4);
    EXPECT_GT(views.ui.phone_cameras.at("Inputs").origin.x, before + 20);
    EXPECT_FALSE(views.lab.can_undo());
    EXPECT_EQ(pinned(), weight_);
}

TEST_F(PhoneDragging, WhatIsComputedDoesNotFollowTheFinger) {
    const auto touches = [&](ImVec2 place) {
        views.wait(1);
        views.press(place);
        const bool found = views.ui.touched.has_value();
        views.move_to({place.x + 40, place.y});
        EXPECT_EQ(views.ui.drag.has_value(), found);
        views.release();
        return found;
    };
    EXPECT_TRUE(touches(place_));
    views.click(tab_place(3, 5));
    EXPECT_FALSE(touches(place_));
    EXPECT_EQ(pinned(), weight_);
}

TEST_F(PhoneDragging, WhatTheChosenNumberDoesNotFollowFromIsToldWhileItIsDragged) {
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    views.click(tab_place(1, 5));
    const TensorCell value{"W_value", {0, 0, 0}};
    views.drag({300, 500}, {300, 250}); // to W_value
    const auto area = drawn_area(views.context(theme), value);
    ASSERT_TRUE(area);
    views.wait(1);
    views.press(area->center());
    views.move_to({area->center().x + 14, area->center().y});
    views.move_to({area->center().x + 60, area->center().y});
    EXPECT_EQ(explained_cell(views.context(theme)), value);
    EXPECT_EQ(views.ui.explanation->cell, value) << "in the sheet";
    views.release();
    views.click({200, 20}); // beside all numbers
    EXPECT_EQ(pinned(), weight_);
    EXPECT_EQ(views.ui.explanation->cell, weight_);
}

TEST_F(PhoneDragging, OfGivenNumbersTheDraggedOneIsChosen) {
    views.click(cell_of_first_matrix(3, 1));
    views.wait(1);
    drag_by(80, 4);
    EXPECT_EQ(pinned(), (TensorCell{"inputs", {0, 1, 0}}));
}

TEST_F(PhoneDragging, ThatNumbersCanBeDraggedIsSaidUntilSomebodyDid) {
    views.frame(2);
    ASSERT_TRUE(has_hint());
    EXPECT_GT(window_with("##hint")->Pos.y, cell_of_first_matrix(6, 0).y) << "below the numbers";
    views.click(tab_place(3, 5));
    views.frame(2);
    EXPECT_FALSE(has_hint()) << "weights";
    views.click(tab_place(0, 5));
    views.ui.error = "something went wrong";
    views.frame(2);
    EXPECT_FALSE(has_hint()) << "where that is told";
    views.ui.error.clear();
    views.frame(2);
    EXPECT_TRUE(has_hint());
    drag_by(60, 0);
    views.frame(2);
    EXPECT_FALSE(has_hint());
    EXPECT_EQ(views.platform.preferences["hints"], "1");
}

TEST_F(PhoneDragging, WhatIsSaidOfDraggingCanBePutAway) {
    views.frame(2);
    const ImGuiWindow* card = window_with("##hint");
    ASSERT_NE(card, nullptr);
    views.click({card->Pos.x + card->Size.x - 20, card->Pos.y + 20});
    views.frame(2);
    EXPECT_FALSE(has_hint());
}

// A narrow window has a mouse, which hovers.
TEST_F(PhoneDragging, WithAMouseTheSheetsBarMarksItsCellAndADragHoldsNothingLonger) {
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    views.platform.coarse_pointer = false;
    drag_by(60, 0);
    EXPECT_EQ(explained_cell(views.context(theme)), weight_);
    EXPECT_EQ(views.ui.explanation->cell, weight_) << "wherever the mouse came to lie";
    views.move_to({place_.x + 60, place_.y + 100});
    EXPECT_FALSE(views.ui.held.has_value());
    ASSERT_TRUE(views.selection.hovered);
    EXPECT_EQ(explained_cell(views.context(theme)), views.selection.hovered);
    views.move_to({40, 740}); // the first bar
    views.frame(2);
    EXPECT_EQ(views.ui.lit_by_list, (TensorCell{"scaled_scores", {0, 1, 0}}));
    views.move_to({200, 60});
    views.frame(2);
    EXPECT_FALSE(views.ui.lit_by_list);
}

} // namespace
} // namespace lab
