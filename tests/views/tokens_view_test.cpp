// The words of the sentence in the left panel. Places are those of the design's picture at 1280 × 800.
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/widgets/fields.h"
#include "tests/views/canvas_support.h"
#include "tests/views/panels.h"

namespace lab {
namespace {

constexpr ImVec2 kThirdChip{155, 655};

TEST(Tokens, AChipChoosesTheQuery) {
    HeadlessViews views(draw_panels);
    ASSERT_EQ(views.selection.query, 1);
    views.click(kThirdChip);
    EXPECT_EQ(views.selection.query, 2);
    EXPECT_TRUE(views.take_commands().empty());
}

// As a finger's, or a program's that presses buttons.
TEST(Tokens, AClickThatComesWithThePointerChooses) {
    HeadlessViews views(draw_panels);
    views.move_to(kEmpty);
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(kThirdChip.x, kThirdChip.y);
    io.AddMouseButtonEvent(0, true);
    views.frame();
    io.AddMouseButtonEvent(0, false);
    views.frame(2);
    EXPECT_EQ(views.selection.query, 2);
}

TEST(Tokens, ADoubleClickRenames) {
    HeadlessViews views(draw_panels);
    views.double_click(kFirstChip);
    ASSERT_EQ(views.ui.renamed_token, 0);
    views.type("My");
    views.key(ImGuiKey_Enter);
    const auto command = only_command<RenameToken>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->index, 0);
    EXPECT_EQ(command->word, "My");
    EXPECT_FALSE(views.ui.renamed_token.has_value());
}

TEST(Tokens, WhatIsTypedRightAfterADoubleClickIsNotLost) {
    HeadlessViews views(draw_panels);
    views.click(kFirstChip);
    views.ui.wants_frame = false;
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    views.frame();
    EXPECT_TRUE(views.ui.wants_frame);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    type_at_once(views, "?wolfgang");
    views.key(ImGuiKey_Enter);
    const auto command = only_command<RenameToken>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->word, "?wolfgang");
    EXPECT_TRUE(views.take_actions().empty());
}

TEST(Tokens, EscapeLeavesTheWordAsItWas) {
    HeadlessViews views(draw_panels);
    views.double_click(kFirstChip);
    views.type("My");
    views.key(ImGuiKey_Escape);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_FALSE(views.ui.renamed_token.has_value());
    EXPECT_TRUE(views.selection.pinned() != nullptr) << "the same Escape lets go of nothing else";
}

TEST(Tokens, ADropMovesAndDeleteRemoves) {
    HeadlessViews views(draw_panels);
    views.drag(kFirstChip, {175, 656});
    const auto moved = only_command<MoveToken>(views);
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->from, 0);
    EXPECT_EQ(moved->to, 2);
    views.click(kThirdChip);
    views.key(ImGuiKey_Delete);
    const auto removed = only_command<RemoveToken>(views);
    ASSERT_TRUE(removed);
    EXPECT_EQ(removed->index, 2);
}

TEST(Tokens, DeleteRemovesTheChosenOneAfterAClickOnAny) {
    HeadlessViews views(draw_panels);
    views.key(ImGuiKey_Delete);
    EXPECT_TRUE(views.take_commands().empty()) << "the keys are the canvas's";
    views.click(kThirdChip);
    views.selection.query = 3; // as Q does
    views.key(ImGuiKey_Delete);
    const auto removed = only_command<RemoveToken>(views);
    ASSERT_TRUE(removed);
    EXPECT_EQ(removed->index, 3);
    views.click(kEmpty);
    views.key(ImGuiKey_Delete);
    EXPECT_TRUE(views.take_commands().empty());
}

TEST(Tokens, TheCrossIsEasyToHit) {
    const auto removes = [](ImVec2 place) {
        HeadlessViews views(draw_panels);
        views.move_to(kFirstChip);
        views.click(place);
        return only_command<RemoveToken>(views).has_value();
    };
    int width = 0, height = 0;
    for (float x = 40; x < 90; ++x) width += removes({x, 645}) ? 1 : 0;
    for (float y = 625; y < 670; ++y) height += removes({60, y}) ? 1 : 0;
    EXPECT_GE(width, 18) << "20 less what lies on the next chip";
    EXPECT_GE(height, 20);
}

// Many stand below everything else, and the steps leave room for the first of them.
TEST(Tokens, TheFirstOfManyAreInSight) {
    HeadlessViews views(draw_panels);
    views.open(test::document_of({.n_tokens = 256, .d_in = 64, .d_k = 64, .d_v = 64}));
    views.frame(4);
    ASSERT_EQ(views.selection.query, 1);
    views.click({45, 720});
    EXPECT_EQ(views.selection.query, 0);
}

// "word0 word1 …": a sentence of so many.
void say_words(HeadlessViews& views, int n) {
    views.performs = true;
    std::string text;
    for (int i = 0; i < n; ++i) text += "word" + std::to_string(i) + " ";
    ASSERT_TRUE(views.lab.perform(SetSentence{text, 123, 3}));
    views.frame(4);
}

// The last of many words may stand below the panel's end, or come to stand there: a field is wider than most words.
TEST(Tokens, AFieldBelowThePanelsEndIsScrolledTo) {
    HeadlessViews views(draw_panels);
    say_words(views, 90);
    const ImGuiWindow* panel = window_with("##sections");
    ASSERT_NE(panel, nullptr);
    ASSERT_EQ(panel->Scroll.y, 0);
    ASSERT_GT(panel->ScrollMax.y, 100);
    views.ui.renamed_token = 89; // as a double click does
    views.ui.takes_focus = true;
    views.frame(4);
    const ImGuiPlatformImeData& caret = GImGui->PlatformImeData;
    ASSERT_TRUE(caret.WantTextInput);
    EXPECT_GT(caret.InputPos.y, panel->Pos.y);
    EXPECT_LT(caret.InputPos.y + caret.InputLineHeight, panel->Pos.y + panel->Size.y);
}

TEST(Tokens, AFieldThatIsSeenDoesNotScrollThePanel) {
    HeadlessViews views(draw_panels);
    say_words(views, 100);
    views.wheel({100, 600}, -2);
    views.wait(0.5);
    const ImGuiWindow* panel = window_with("##sections");
    ASSERT_NE(panel, nullptr);
    const float before = panel->Scroll.y;
    ASSERT_GT(before, 0);
    views.double_click({40, 754});
    ASSERT_TRUE(views.ui.renamed_token.has_value());
    views.frame(5);
    EXPECT_EQ(panel->Scroll.y, before);
}

TEST(Tokens, TheCrossOfAHoveredChipRemoves) {
    HeadlessViews views(draw_panels);
    views.move_to(kFirstChip);
    views.click({60, 645});
    const auto removed = only_command<RemoveToken>(views);
    ASSERT_TRUE(removed);
    EXPECT_EQ(removed->index, 0);
}

TEST(Tokens, PlusAddsATypedWord) {
    HeadlessViews views(draw_panels);
    views.click({167, 683});
    views.type("ahead");
    views.key(ImGuiKey_Enter);
    const auto added = only_command<AddToken>(views);
    ASSERT_TRUE(added);
    EXPECT_EQ(added->at, 6);
    EXPECT_EQ(added->word, "ahead");
}

TEST(Tokens, SixtyFourAndMoreScrollAsAWhole) {
    HeadlessViews views(draw_panels);
    views.performs = true;
    std::string text;
    for (int i = 0; i < 100; ++i) text += "word" + std::to_string(i) + " ";
    views.commands.push_back({SetSentence{text, 123, 3}});
    ASSERT_TRUE(views.lab.perform(views.take_commands()[0].command));
    views.frame(2);
    views.wheel({100, 400}, -1000);
    views.click({60, 600});
    EXPECT_GT(views.selection.query, 60);
}

} // namespace
} // namespace lab
