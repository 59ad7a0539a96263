#include <gtest/gtest.h>

#include <limits>

#include "tests/views/canvas_editing.h"

// Changing numbers on the canvas: typing, dragging, moving on.
namespace lab {
namespace {

using test::CanvasEditing;

TEST_F(CanvasEditing, DigitsAndEnterSetTheCellAndMoveDown) {
    pin(input(1, 1));
    views.type("2.5");
    EXPECT_TRUE(edits());
    EXPECT_TRUE(take_edits().empty());
    views.key(ImGuiKey_Enter);
    expect_one_edit(input(1, 1), 2.5f);
    EXPECT_FALSE(edits());
    EXPECT_EQ(pinned(), input(2, 1));
    views.key(ImGuiMod_Shift | ImGuiKey_Tab);
    EXPECT_EQ(pinned(), input(2, 0));
}

TEST_F(CanvasEditing, TabMovesOnToTheNextCellAndRow) {
    pin(input(0, 1));
    views.type("7");
    views.key(ImGuiKey_Tab);
    expect_one_edit(input(0, 1), 7);
    EXPECT_EQ(pinned(), input(0, 2));
    views.key(ImGuiKey_Tab);
    EXPECT_EQ(pinned(), input(1, 0));
    views.key(ImGuiMod_Shift | ImGuiKey_Tab);
    EXPECT_EQ(pinned(), input(0, 2));
    EXPECT_TRUE(take_edits().empty());
}

TEST_F(CanvasEditing, TheKeyboardLeadsUntilTheMouseMoves) {
    pin(input(1, 1)); // where the mouse rests from now on
    ASSERT_EQ(views.selection.hovered, input(1, 1));
    views.key(ImGuiKey_Tab);
    EXPECT_EQ(views.selection.hovered, std::nullopt);
    EXPECT_EQ(views.ui.status, "inputs[journey, d₃] = 0.6600");
    views.type("7");
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(pinned(), input(2, 2));
    EXPECT_EQ(views.selection.hovered, std::nullopt);
    views.frame(5);
    EXPECT_EQ(views.selection.hovered, std::nullopt);
    views.move_to(canvas.middle_of(input(3, 0)));
    EXPECT_EQ(views.selection.hovered, input(3, 0));
}

TEST_F(CanvasEditing, ALetterOnAGivenNumberIsToldWhatToType) {
    pin(input(1, 1));
    views.type("q");
    EXPECT_FALSE(edits());
    EXPECT_EQ(views.ui.shown_status(), "type a number; Enter edits the one that is there, Esc lets go of it");
    views.type("5");
    EXPECT_TRUE(edits());
    EXPECT_EQ(views.ui.key_note, "");
    views.key(ImGuiKey_Escape);
    views.type("é");
    EXPECT_NE(views.ui.key_note, "");
    views.move_to({5, 5});
    EXPECT_EQ(views.ui.key_note, "") << "gone with the next move";
}

TEST_F(CanvasEditing, ANumberOnAComputedOneIsToldWhatToChange) {
    pin({"attention_weights", {0, 1, 1}});
    views.type("5");
    EXPECT_FALSE(edits());
    EXPECT_EQ(views.ui.shown_status(), "attention_weights is computed; change what it is made from");
}

TEST_F(CanvasEditing, WhatIsTypedGoesToTheGivenNumberUnderTheMouseAndAComputedOneStaysKept) {
    const TensorCell weight{"attention_weights", {0, 1, 1}};
    pin(weight);
    views.move_to(canvas.middle_of(input(4, 1)));
    EXPECT_EQ(views.ui.shown_hint(), "drag to change · Enter to type · Esc to restore");
    views.type("5");
    ASSERT_TRUE(edits());
    EXPECT_EQ(views.ui.editor->where, input(4, 1));
    EXPECT_EQ(views.ui.shown_hint(), "Enter keeps it, Tab or arrows also move on · Esc restores");
    views.key(ImGuiKey_Enter);
    expect_one_edit(input(4, 1), 5);
    EXPECT_EQ(pinned(), weight);
    views.type("6");
    ASSERT_TRUE(edits()) << "the mouse still points at it";
    views.key(ImGuiKey_Escape);
    EXPECT_EQ(pinned(), weight);
    views.type("7");
    views.key(ImGuiKey_Tab);
    expect_one_edit(input(4, 1), 7);
    EXPECT_EQ(pinned(), input(4, 2)) << "who goes on in the matrix chooses there";
    views.move_to(canvas.middle_of(input(2, 1)));
    views.key(ImGuiKey_Enter);
    ASSERT_TRUE(edits());
    EXPECT_EQ(views.ui.editor->where, input(2, 1)) << "which is the one that is marked";
    views.key(ImGuiKey_Escape);
    views.selection.unpin();
    views.move_to(canvas.middle_of(input(3, 1)));
    views.type("8");
    ASSERT_TRUE(edits());
    EXPECT_EQ(views.ui.editor->where, input(3, 1));
}

TEST_F(CanvasEditing, WhereKeysLeadTheRestingMouseTypesNothing) {
    pin({"attention_weights", {0, 1, 1}});
    views.move_to(canvas.middle_of(input(4, 1)));
    ImGui::GetIO().AddKeyEvent(ImGuiKey_RightArrow, true);
    views.frame();
    ImGui::GetIO().AddInputCharacter('5'); // in the very next frame, as one types fast
    views.frame(3);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_RightArrow, false);
    views.frame(2);
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 1, 2}}));
    EXPECT_FALSE(edits());
}

TEST_F(CanvasEditing, WhatCannotBeReadIsNotTypedIntoByPointingAtIt) {
    canvas.open(test::document_of({.n_tokens = 1000, .d_in = 8, .d_k = 8, .d_v = 8}));
    views.selection.unpin();
    views.move_to(canvas.middle_of(input(500, 4)));
    views.type("5");
    EXPECT_FALSE(edits());
}

// Two hints said two things of Escape.
TEST_F(CanvasEditing, WhatIsToldOfKeysIsToldOnce) {
    views.click(canvas.middle_of(input(1, 1)));
    views.type("q");
    EXPECT_NE(views.ui.shown_status(), "");
    EXPECT_EQ(views.ui.shown_hint(), "");
    views.key(ImGuiKey_Enter);
    views.type("-x");
    EXPECT_EQ(views.ui.shown_hint(), "Enter, Tab or arrows keep it and move on · Esc restores")
        << "with the mouse on the number";
    views.key(ImGuiKey_Enter);
    views.frame();
    ASSERT_NE(views.ui.error, "");
    EXPECT_EQ(views.ui.shown_hint(), "type a number in its place · Esc restores the one before");
    views.key(ImGuiKey_Escape);
    views.move_to(canvas.middle_of(input(1, 2)));
    EXPECT_EQ(views.ui.shown_hint(), "drag to change · Enter to type · Esc to restore");
}

TEST_F(CanvasEditing, ALetterCostsNoNumberWhoseFieldWasJustOpened) {
    const float before = canvas.value(input(1, 1));
    views.click(canvas.middle_of(input(1, 1)));
    EXPECT_FALSE(edits()) << "one click selects";
    views.wait(1);
    views.double_click(canvas.middle_of(input(1, 1)));
    ASSERT_TRUE(edits());
    const std::string text = views.ui.editor->text;
    views.type("h");
    EXPECT_EQ(views.ui.editor->text, text);
    EXPECT_NE(views.ui.key_note, "");
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(views.ui.error, "");
    EXPECT_EQ(canvas.value(input(1, 1)), before);
    views.double_click(canvas.middle_of(input(1, 1)));
    views.type("∞");
    EXPECT_EQ(views.ui.editor->text, "∞") << "a mask's number";
    views.key(ImGuiKey_Escape);
    views.double_click(canvas.middle_of(input(1, 1)));
    views.type("2h");
    EXPECT_EQ(views.ui.editor->text, "2h") << "what is being typed is no shortcut, and is said to be no number";
    EXPECT_EQ(views.ui.key_note, "");
}

// The system repeats what it types.
TEST_F(CanvasEditing, AHeldKeyLeavesWhatIsToldOfIt) {
    views.selection.visit(input(1, 1), views.lab.program());
    views.frame(2);
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiKey_H, true);
    views.type("h");
    const std::string told = views.ui.key_note;
    EXPECT_NE(told.find("no choice of heads"), std::string::npos) << told;
    for (int i = 0; i < 3; ++i) views.type("h");
    EXPECT_EQ(views.ui.key_note, told);
    io.AddKeyEvent(ImGuiKey_H, false);
    views.frame(2);
    views.type("x");
    EXPECT_NE(views.ui.key_note, told) << "which is no number";
}

TEST_F(CanvasEditing, HomeAndEndLeadToTheEndsOfARowOrColumn) {
    const auto pinned = [&] { return *views.selection.pinned(); };
    pin(input(2, 1));
    views.key(ImGuiKey_End);
    EXPECT_EQ(pinned(), input(2, 2));
    views.key(ImGuiKey_End);
    EXPECT_EQ(pinned(), input(2, 2));
    EXPECT_EQ(views.ui.key_note, "");
    views.key(ImGuiKey_Home);
    EXPECT_EQ(pinned(), input(2, 0));
    views.key(ImGuiMod_Ctrl | ImGuiKey_End);
    EXPECT_EQ(pinned(), input(5, 0));
    views.key(ImGuiMod_Ctrl | ImGuiKey_Home);
    EXPECT_EQ(pinned(), input(0, 0));
}

TEST_F(CanvasEditing, TabAtTheLastNumberSaysHowToGoOn) {
    views.click(canvas.middle_of({"inputs", {0, 5, 1}}));
    views.key(ImGuiKey_Tab);
    EXPECT_EQ(views.ui.key_note, "");
    views.key(ImGuiKey_Tab);
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"inputs", {0, 5, 2}}));
    EXPECT_NE(views.ui.key_note.find("F6"), std::string::npos);
    views.key(ImGuiKey_DownArrow);
    EXPECT_EQ(views.ui.key_note, "") << "until the next key";
}

TEST_F(CanvasEditing, WithNothingChosenArrowsAndTabBeginInTheQuerysRow) {
    for (const ImGuiKey key : {ImGuiKey_Tab, ImGuiKey_RightArrow}) {
        views.selection.unpin();
        views.selection.query = 2;
        views.key(key);
        EXPECT_EQ(pinned(), input(2, 0));
    }
}

TEST_F(CanvasEditing, NothingMovesBeyondTheMatrix) {
    pin(input(5, 2));
    views.type("1");
    views.key(ImGuiKey_Enter);
    expect_one_edit(input(5, 2), 1);
    for (const ImGuiKey key : {ImGuiKey_Tab, ImGuiKey_DownArrow, ImGuiKey_RightArrow}) {
        views.key(key);
        EXPECT_EQ(pinned(), input(5, 2));
    }
    views.key(ImGuiKey_UpArrow);
    EXPECT_EQ(pinned(), input(4, 2));
}

TEST_F(CanvasEditing, EnterBeginsWithTheNumberThatIsThere) {
    pin(input(1, 0));
    views.key(ImGuiKey_Enter);
    ASSERT_TRUE(edits());
    EXPECT_EQ(views.ui.editor->text, "0.55");
    views.key(ImGuiKey_Enter);
    EXPECT_TRUE(take_edits().empty()); // nothing was typed
    EXPECT_EQ(pinned(), input(2, 0));
    views.double_click(canvas.middle_of(input(1, 0)));
    ASSERT_TRUE(edits());
    views.key(ImGuiKey_Backspace); // the whole is chosen
    EXPECT_EQ(views.ui.editor->text, "");
}

TEST_F(CanvasEditing, EscapeRestores) {
    pin(input(1, 1));
    const float before = canvas.value(input(1, 1));
    views.type("99");
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(edits());
    EXPECT_TRUE(take_edits().empty());
    EXPECT_EQ(canvas.value(input(1, 1)), before);
}

TEST_F(CanvasEditing, WhatIsNoNumberIsSaidAndStaysOpen) {
    for (const char* text : {"1x", "1e39", "1.2.3", "-", "0nan", "0 1"}) {
        pin(input(1, 1));
        views.type(text);
        views.key(ImGuiKey_Enter);
        EXPECT_TRUE(edits()) << text;
        EXPECT_EQ(views.ui.error, "\"" + std::string(text) + "\" is not a number from −3.4e38 to 3.4e38");
        EXPECT_EQ(pinned(), input(1, 1));
        EXPECT_TRUE(take_edits().empty());
        views.type("abc");
        EXPECT_TRUE(views.ui.editor->error.empty()) << "typing on takes the mark away";
        EXPECT_TRUE(views.ui.error.empty());
        views.key(ImGuiKey_Escape);
        EXPECT_FALSE(edits());
    }
}

TEST_F(CanvasEditing, CommaTrueMinusAndExponentsAreNumbers) {
    const std::pair<const char*, float> kTexts[] = {{"0,25", 0.25f},
                                                    {"−3", -3.0f},
                                                    {"-.5", -0.5f},
                                                    {"2e-3", 2e-3f},
                                                    {"3.4028235e38", std::numeric_limits<float>::max()},
                                                    {",5", 0.5f}};
    for (const auto& [text, value] : kTexts) {
        pin(input(2, 2));
        views.type(text);
        views.key(ImGuiKey_Enter);
        expect_one_edit(input(2, 2), value);
    }
}

TEST_F(CanvasEditing, AClickElsewhereKeepsWhatWasTyped) {
    pin(input(1, 1));
    views.type("4.5");
    views.click({views.ui.camera.area.right - 6, 6});
    EXPECT_FALSE(edits());
    expect_one_edit(input(1, 1), 4.5f);
    pin(input(1, 1));
    views.type("5.5");
    views.click(canvas.middle_of({"W_key", {0, 1, 1}}));
    expect_one_edit(input(1, 1), 5.5f);
    EXPECT_EQ(pinned(), (TensorCell{"W_key", {0, 1, 1}}));
}

TEST_F(CanvasEditing, AFieldWhoseCellGoesAwayCloses) {
    pin(input(5, 2));
    views.type("4");
    ASSERT_TRUE(views.lab.perform(RemoveToken{5}).has_value());
    views.frame(2);
    EXPECT_FALSE(edits());
    EXPECT_TRUE(take_edits().empty());
}

TEST_F(CanvasEditing, ComputedCellsTakeNoNumbers) {
    pin({"attention_weights", {0, 1, 1}});
    views.type("5");
    views.key(ImGuiKey_Enter);
    EXPECT_FALSE(edits());
    EXPECT_TRUE(take_edits().empty());
}

TEST_F(CanvasEditing, AMaskTakesMinusInfinity) {
    canvas.open(test::document_of({.n_tokens = 3, .mask = MaskKind::tensor}));
    const TensorCell mask{"mask", {0, 0, 1}};
    pin(mask);
    views.type("-∞");
    views.key(ImGuiKey_Enter);
    expect_one_edit(mask, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(canvas.value({"attention_weights", {0, 0, 1}}), 0);
    const ImVec2 from = canvas.middle_of(mask);
    drag(from, {from.x + 60, from.y});
    EXPECT_TRUE(take_edits().empty());
}

TEST_F(CanvasEditing, TheFieldIsDrawnAndNamesItsPlace) {
    pin(input(1, 1));
    const int before = canvas.n_vertices();
    views.type("1234567890");
    EXPECT_GT(canvas.n_vertices(), before + 20);
    EXPECT_TRUE(views.ui.editor->field.contains(canvas.middle_of(input(1, 1))));
    views.type(std::string(500, '1'));
    EXPECT_LE(views.ui.editor->text.size(), 64U);
}

} // namespace
} // namespace lab
