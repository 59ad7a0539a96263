// Undo and redo in the whole application, what is told of them, and undo of what a hand still holds.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/views/app_window.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

using test::kUpright;
using test::WholeApp;

TEST_F(WholeApp, UndoAndRedoByKeys) {
    const float before = input();
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 0, 0}, 5}).has_value());
    window.frame();
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(input(), before);
    window.press_key(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    EXPECT_EQ(input(), 5);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_EQ(input(), 5);
}

TEST_F(WholeApp, UndoSaysWhatItTookAndThatNothingIsLeft) {
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(app.status_text(), "nothing is left to be undone");
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 0, 0}, 5}).has_value());
    window.frame();
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(app.status_text(), "undone: change inputs[Your, d₁]");
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_EQ(app.status_text(), "done again: change inputs[Your, d₁]");
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Y);
    EXPECT_EQ(app.status_text(), "nothing is left to be done again");
}

class WholeAppWhileDragging : public WholeApp {
  protected:
    WholeAppWhileDragging() {
        io.ConfigInputTrickleEventQueue = true; // as in the application: one after the other
        const Rect area = app.cell_area({"inputs", {0, 0, 0}}).value();
        window.move_to(area.center());
        io.AddMouseButtonEvent(0, true);
        window.frames(2);
        window.move_to({area.center().x + 80, area.center().y});
    }
    void type(ImGuiKeyChord chord) { // what a slow screen finds waiting
        for (const bool down : {true, false}) {
            if (chord & ImGuiMod_Ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, down);
            io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), down);
        }
        window.frames(8);
    }

    ImGuiIO& io = ImGui::GetIO();
    const float before = 0.43f;
};

TEST_F(WholeAppWhileDragging, UndoThatFollowsAtOnceIsNotLost) {
    ASSERT_NE(input(), before);
    io.AddMouseButtonEvent(0, false);
    type(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(input(), before);
    EXPECT_EQ(app.status_text(), "undone: change inputs[Your, d₁]");
}

// The hand that goes on moves nothing: neither the number nor the canvas.
TEST_F(WholeAppWhileDragging, UndoTakesBackWhatIsHeld) {
    const Rect place = app.cell_area({"inputs", {0, 0, 0}}).value();
    type(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(input(), before);
    EXPECT_EQ(app.status_text(), "taken back: change inputs[Your, d₁]") << "there is nothing to be done again";
    window.move_to({io.MousePos.x + 60, io.MousePos.y + 40});
    EXPECT_EQ(input(), before);
    EXPECT_EQ(app.cell_area({"inputs", {0, 0, 0}}).value(), place);
    io.AddMouseButtonEvent(0, false);
    window.frames(3);
    EXPECT_EQ(input(), before);
    EXPECT_FALSE(app.lab().can_undo());
}

TEST_F(WholeApp, UndoOfWhatCameBeforeWorksWhileANumberIsHeld) {
    const float before = input();
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 0, 0}, 5}).has_value());
    window.move_to(app.cell_area({"inputs", {0, 1, 0}}).value().center());
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    window.frames(2);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(input(), before);
}

TEST_F(WholeAppWhileDragging, ALetterThatFollowsAtOnceIsAShortcut) {
    io.AddMouseButtonEvent(0, false);
    type(ImGuiKey_D);
    EXPECT_TRUE(app.cell_area({"grad.W_query", {0, 0, 0}}).has_value()) << app.status_text();
}

TEST_F(WholeApp, UndoTakesBackAStrokeOfTheMaskThatIsHeld) {
    const auto press_at = [&](int col) {
        window.move_to(app.cell_area({"attention_weights", {0, 1, col}}).value().center());
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        window.frames(2);
    };
    const auto release = [&] {
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        window.frames(3);
    };
    const auto n_forbidden = [&] {
        const auto& tensors = app.lab().document().tensors;
        if (tensors.count("mask") == 0) return -1;
        const std::vector<float> mask = tensors.at("mask").values();
        return static_cast<int>(std::count_if(mask.begin(), mask.end(), [](float x) { return std::isinf(x); }));
    };
    window.press_key(ImGuiKey_M);
    press_at(2);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    release();
    EXPECT_EQ(n_forbidden(), -1) << "the first stroke brings no mask";
    press_at(2);
    release();
    ASSERT_EQ(n_forbidden(), 1);
    EXPECT_EQ(app.status_text(), "forbidden: 1 key");
    press_at(3);
    ASSERT_EQ(n_forbidden(), 2);
    const Rect place = app.cell_area({"attention_weights", {0, 1, 3}}).value();
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(n_forbidden(), 1);
    window.move_to(app.cell_area({"attention_weights", {0, 1, 4}}).value().center());
    release();
    EXPECT_EQ(n_forbidden(), 1) << "the stroke has ended";
    EXPECT_EQ(app.cell_area({"attention_weights", {0, 1, 3}}).value(), place);
}

TEST_F(WholeApp, UndoWhileATokenIsDraggedLeavesItAndWhatCameBefore) {
    ASSERT_TRUE(app.lab().perform(RenameToken{2, "begins"}).has_value());
    window.frames(2);
    const Words before = app.lab().document().tokens;
    window.move_to({40, 655});
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    window.frames(2);
    window.move_to({175, 656});
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    window.frames(3);
    EXPECT_EQ(app.lab().document().tokens, before);
    EXPECT_TRUE(app.lab().can_undo());
}

// The hand is on the mouse, which it moves by a little.
TEST_F(WholeApp, WhatUndoSaysStaysUntilTheMouseGoesOn) {
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 0, 0}, 5}).has_value());
    window.frame();
    const ImVec2 button{1009, 24};
    const std::string said = "undone: change inputs[Your, d₁]";
    window.click(button);
    ASSERT_EQ(app.status_text(), said);
    window.move_to({button.x + 8, button.y + 6});
    EXPECT_EQ(app.status_text(), said);
    window.move_to({button.x + 8, button.y + 60});
    EXPECT_NE(app.status_text(), said);
}

// After a file dialog the mouse comes into the window anywhere.
TEST_F(WholeApp, WhatIsDoneWhileTheMouseIsElsewhereIsToldWhenItComesBack) {
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    window.frames(2);
    app.open_file({"mine.json"}, app.lab().session_text());
    window.frames(2);
    window.move_to({700, 20});
    EXPECT_EQ(app.status_text(), "opened mine.json");
    window.move_to({700, 60});
    EXPECT_NE(app.status_text(), "opened mine.json");
}

// There is no status bar; the card lies over numbers.
TEST_F(WholeApp, OnAPhoneUndoSaysWhatItTookUntilATap) {
    const auto card = [] { return window_with("##error"); };
    window.platform.coarse_pointer = true;
    window.resize(kUpright);
    ASSERT_TRUE(app.lab().perform(SetCell{"inputs", {0, 0, 0}, 5}).has_value());
    window.frames(3);
    EXPECT_EQ(card(), nullptr);
    window.click({321, 27});
    ASSERT_NE(input(), 5) << "the button undoes";
    ASSERT_NE(card(), nullptr);
    const std::string before = app.explanation_text();
    window.click({card()->Pos.x + 100, card()->Pos.y + 6});
    EXPECT_EQ(card(), nullptr);
    EXPECT_EQ(app.explanation_text(), before) << "the number below is not what was meant";
}

TEST_F(WholeApp, UndoBringsTheDocumentBackThatWasOpenBefore) {
    app.open_preset("simplified-softmax");
    window.frames(2);
    window.press_key(ImGuiMod_Ctrl | ImGuiKey_Z);
    window.frames(2);
    EXPECT_EQ(app.lab().preset_name(), kFirstPreset);
    EXPECT_EQ(app.explanation_text().empty(), false);
}

} // namespace
} // namespace lab
