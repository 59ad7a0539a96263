#include <gtest/gtest.h>

#include <limits>

#include "app/views/matrix_view.h"
#include "tests/views/canvas_editing.h"

// Changing numbers by dragging them.
namespace lab {
namespace {

using test::CanvasEditing;

TEST_F(CanvasEditing, ADragChangesTheCellInOneStepOfUndo) {
    const float before = canvas.value(input(1, 0));
    const ImVec2 from = canvas.middle_of(input(1, 0));
    const ImVec2 origin = views.ui.camera.origin;
    drag(from, {from.x + 60, from.y});
    const std::vector<CommandRequest> commands = views.take_commands();
    ASSERT_GE(commands.size(), 2U);
    for (const CommandRequest& command : commands) {
        EXPECT_NE(command.gesture, 0U);
        EXPECT_EQ(command.gesture, commands[0].gesture);
    }
    EXPECT_NEAR(canvas.value(input(1, 0)), before + 0.5f, 1e-6f);
    EXPECT_FALSE(views.ui.drag.has_value());
    EXPECT_EQ(views.ui.camera.origin.x, origin.x);
    ASSERT_TRUE(views.lab.undo());
    views.frame();
    EXPECT_EQ(canvas.value(input(1, 0)), before);
    drag(from, {from.x + 60, from.y});
    EXPECT_NE(views.take_commands()[0].gesture, commands[0].gesture);
}

TEST_F(CanvasEditing, ADragThatIsTakenBackLeavesTheCanvasToTheHandThatGoesOn) {
    const float before = canvas.value(input(1, 0));
    const ImVec2 from = canvas.middle_of(input(1, 0));
    for (const ImGuiKeyChord keys : {ImGuiKeyChord{ImGuiKey_Escape}, ImGuiMod_Ctrl | ImGuiKey_Z}) {
        views.press(from);
        views.move_to({from.x + 60, from.y});
        ASSERT_NE(canvas.value(input(1, 0)), before);
        views.key(keys);
        views.move_to({from.x + 90, from.y + 50});
        views.release();
        EXPECT_EQ(canvas.value(input(1, 0)), before);
        EXPECT_TRUE(views.ui.camera.is_fitted) << keys;
        views.wait(1); // the next press is no double click
    }
}

TEST_F(CanvasEditing, UpwardsIsMoreAndASmallMovementIsAClick) {
    const float before = canvas.value(input(1, 0));
    const ImVec2 from = canvas.middle_of(input(1, 0));
    drag(from, {from.x + 2, from.y + 2});
    EXPECT_TRUE(take_edits().empty());
    EXPECT_EQ(pinned(), input(1, 0));
    drag(from, {from.x, from.y - 12});
    EXPECT_NEAR(canvas.value(input(1, 0)), before + 0.1f, 1e-6f);
}

TEST_F(CanvasEditing, ShiftDragsFinerAndGoesOnFromWhereItIs) {
    const float before = canvas.value(input(1, 0));
    const ImVec2 from = canvas.middle_of(input(1, 0));
    views.press(from);
    views.move_to({from.x + 60, from.y});
    EXPECT_NEAR(canvas.value(input(1, 0)), before + 0.5f, 1e-6f);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, true);
    views.frame();
    EXPECT_NEAR(canvas.value(input(1, 0)), before + 0.5f, 1e-6f) << "no jump";
    views.move_to({from.x + 120, from.y});
    EXPECT_NEAR(canvas.value(input(1, 0)), before + 0.55f, 1e-6f);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, false);
    views.release();
}

TEST_F(CanvasEditing, ADraggedNumberIsToldWhereverTheMouseComesBy) {
    const Rect cells = views.ui.camera.to_screen(canvas.placed("inputs").cells);
    views.press(canvas.middle_of(input(0, 0)));
    views.move_to({cells.left + 10, cells.top - 30});
    EXPECT_TRUE(views.ui.status.starts_with("inputs[")) << views.ui.status;
    views.release();
    views.move_to({cells.left + 20, cells.top - 30});
    EXPECT_TRUE(views.ui.status.starts_with("inputs 6×3") || views.ui.status.starts_with("inputs 6 × 3"))
        << "its title: " << views.ui.status;
}

TEST_F(CanvasEditing, OfACellTooSmallToReadItIsSaidHowToReadIt) {
    const auto says = [&](const char* what) { return views.ui.status_hint.find(what) != std::string::npos; };
    views.move_to(canvas.middle_of(input(1, 0)));
    EXPECT_FALSE(says("double-click"));
    EXPECT_TRUE(says("drag to change"));
    canvas.open(test::document_of({.n_tokens = 1024, .d_in = 8, .d_k = 8, .d_v = 8}));
    views.move_to(canvas.middle_of(input(512, 4)));
    EXPECT_TRUE(says("double-click") && says("a drag changes this number alone")) << views.ui.status_hint;
    views.move_to(canvas.middle_of({"queries", {0, 512, 4}}));
    EXPECT_TRUE(says("double-click") && !says("drag")) << "nobody drags what is computed";
    views.ui.reduction = Reduction::mean;
    views.frame(2);
    views.move_to(canvas.middle_of(input(512, 4)));
    EXPECT_TRUE(says("a drag changes inputs[")) << "the mean is no cell's number: " << views.ui.status_hint;
}

TEST_F(CanvasEditing, WhatIsKeptIsSaidToBe) {
    const TensorCell query{"queries", {0, 1, 0}};
    views.move_to(canvas.middle_of(query));
    EXPECT_EQ(views.ui.status_hint, "click to keep it");
    views.click(canvas.middle_of(query));
    views.frame();
    EXPECT_EQ(views.ui.status_hint, "kept · Esc lets go of it");
}

// 0.43 and 0.63 as floats are added up to 1.0600001.
TEST_F(CanvasEditing, ADraggedNumberIsTheOneThatIsShown) {
    const ImVec2 from = canvas.middle_of(input(0, 0));
    ASSERT_EQ(canvas.value(input(0, 0)), 0.43f);
    drag(from, {from.x + 75.6f, from.y});
    EXPECT_EQ(canvas.value(input(0, 0)), 1.06f);
}

TEST_F(CanvasEditing, ADraggedNumberStaysExplainedUntilTheMouseGoesOn) {
    const auto told = [&] { return views.selection.hovered.value_or(TensorCell{}); };
    const ImVec2 to = canvas.middle_of(input(1, 2));
    drag(canvas.middle_of(input(1, 0)), to);
    views.frame(2);
    EXPECT_EQ(told(), input(1, 0)) << "not the one that the mouse lies over now";
    EXPECT_TRUE(views.ui.status.find("journey") != std::string::npos) << views.ui.status;
    views.move_to({to.x + 10, to.y});
    EXPECT_EQ(told(), input(1, 2));
    drag(canvas.middle_of(input(1, 0)), to);
    views.press(to);
    EXPECT_EQ(told(), input(1, 2)) << "what is pressed is what lies there";
    views.release();
}

// What is explained, and how many corners of the accent's colour stand about a cell.
class CanvasKeeping : public CanvasEditing {
  protected:
    TensorCell explained() { return explained_cell(canvas.context(theme_)).value_or(TensorCell{}); }
    int n_marks(const TensorCell& cell) {
        const ImVec2 middle = canvas.middle_of(cell);
        return test::n_vertices(Rect{middle.x, middle.y, middle.x, middle.y}.grown(24), kDarkPalette.accent.u32());
    }

    int n_quiet_marks(const TensorCell& cell) {
        const ImVec2 middle = canvas.middle_of(cell);
        // Letters have the same colour; they stand further from the cell's edge.
        const Rect around = Rect{middle.x, middle.y, middle.x, middle.y}.grown(24);
        const Rect letters{around.left + 6, around.top + 15, around.right - 6, around.bottom - 15};
        const ImU32 color = kDarkPalette.text.u32();
        return test::n_vertices(around, color) - test::n_vertices(letters, color);
    }

    const TensorCell weight_{"attention_weights", {0, 1, 2}};

  private:
    Fonts fonts_;
    Theme theme_{kDarkPalette, fonts_};
};

TEST_F(CanvasKeeping, AKeptNumberStaysExplainedWhileOneThatItFollowsFromIsDragged) {
    pin(weight_);
    const ImVec2 from = canvas.middle_of(input(4, 0)), place{from.x, from.y + 3};
    views.move_to({5, 5});
    const int unmarked = n_marks(input(4, 0));
    views.press(place);
    EXPECT_EQ(explained(), input(4, 0)) << "what is pressed may be a click";
    views.move_to({place.x + 90, place.y + 150});
    EXPECT_EQ(explained(), weight_);
    EXPECT_TRUE(views.ui.status.starts_with("inputs[one")) << views.ui.status;
    EXPECT_GT(n_marks(input(4, 0)), unmarked);
    views.release();
    views.frame(2);
    EXPECT_EQ(explained(), weight_) << "while the mouse rests";
    EXPECT_TRUE(views.ui.status.starts_with("inputs[one")) << views.ui.status;
    EXPECT_GT(n_marks(input(4, 0)), unmarked);
    EXPECT_EQ(pinned(), weight_);
    EXPECT_EQ(views.selection.query, 1);
    const int loud = n_marks(weight_);
    views.move_to(canvas.middle_of(input(0, 1)));
    EXPECT_EQ(explained(), input(0, 1));
    EXPECT_LT(n_marks(weight_), loud);
    EXPECT_GT(n_quiet_marks(weight_), 0) << "one sees what is kept all the same";
    views.move_to({5, 5});
    EXPECT_EQ(explained(), weight_);
    EXPECT_EQ(n_marks(input(4, 0)), unmarked);
}

TEST_F(CanvasKeeping, ADraggedNumberIsExplainedWhereTheKeptOneDoesNotFollowFromItWhichStaysKept) {
    const TensorCell value{"W_value", {0, 0, 0}};
    pin(weight_);
    const ImVec2 from = canvas.middle_of(value);
    drag(from, {from.x + 60, from.y + 5});
    EXPECT_EQ(explained(), value);
    views.move_to({5, 5});
    EXPECT_EQ(explained(), weight_);
    ASSERT_EQ(pinned(), weight_);
    views.selection.unpin();
    drag(from, {from.x + 60, from.y + 5});
    EXPECT_EQ(pinned(), value);
    const ImVec2 at_input = canvas.middle_of(input(1, 0));
    drag(at_input, {at_input.x + 60, at_input.y + 5});
    EXPECT_EQ(pinned(), input(1, 0)) << "of given numbers the last";
}

TEST_F(CanvasEditing, ANumberIsChosenWhenItsPressTurnsOutToBeAClick) {
    const TensorCell weight{"attention_weights", {0, 1, 2}};
    pin(weight);
    views.press(canvas.middle_of(input(4, 0)));
    EXPECT_EQ(pinned(), weight);
    views.key(ImGuiKey_Escape);
    views.release();
    EXPECT_EQ(pinned(), weight) << "taken back";
    views.wait(1);
    pin(input(4, 0));
}

TEST_F(CanvasEditing, ADraggedNumberThatNothingReadsAnyMoreIsNotExplained) {
    const TensorCell weight{"W_query", {0, 0, 0}};
    const ImVec2 from = canvas.middle_of(weight);
    drag(from, {from.x + 40, from.y});
    AttentionSettings attention = views.lab.document().attention;
    attention.projections = false;
    ASSERT_TRUE(views.lab.perform(SetAttention{attention}).has_value());
    views.lab.refresh();
    ASSERT_LT(views.lab.program().find("W_query"), 0);
    views.frame(2);
    EXPECT_FALSE(views.ui.held.has_value());
}

TEST_F(CanvasEditing, EscapeRestoresWhatIsDragged) {
    const float before = canvas.value(input(1, 0));
    const ImVec2 from = canvas.middle_of(input(1, 0));
    views.press(from);
    views.move_to({from.x + 60, from.y});
    views.key(ImGuiKey_Escape);
    EXPECT_EQ(canvas.value(input(1, 0)), before);
    views.move_to({from.x + 90, from.y});
    EXPECT_EQ(canvas.value(input(1, 0)), before);
    views.release();
    views.frame();
    EXPECT_FALSE(views.lab.can_undo()); // a drag that ends where it began
}

TEST_F(CanvasEditing, ADragEndsWhenItsCellGoesAwayOrThePointerDoes) {
    const ImVec2 from = canvas.middle_of(input(5, 0));
    views.press(from);
    ASSERT_TRUE(views.lab.perform(RemoveToken{5}).has_value());
    views.move_to({from.x + 60, from.y});
    EXPECT_FALSE(views.ui.drag.has_value());
    views.release();
    views.take_commands();
    const ImVec2 again = canvas.middle_of(input(1, 0));
    views.press(again);
    views.move_to({-std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()}); // a second finger came
    views.release();
    EXPECT_TRUE(take_edits().empty());
}

} // namespace
} // namespace lab
