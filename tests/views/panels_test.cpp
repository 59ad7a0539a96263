// The panels around the canvas, clicked through without a window. Places are those of the design's picture at 1280 × 800.
#include <string>

#include <gtest/gtest.h>

#include "engine/formats/presets.h"
#include "tests/views/panels.h"

namespace lab {
namespace {

constexpr ImVec2 kSessionSelect{300, 24};
constexpr ImVec2 kUndoIcon{1009, 24};
constexpr ImVec2 kOpenIcon{1097, 24};
constexpr ImVec2 kMaskSelect{100, 541};
constexpr ImVec2 kThirdChip{155, 655};

ImVec2 step(int index) { return {100, 107.0f + 34.0f * static_cast<float>(index)}; }

TEST(TopBar, OpensAPresetFromTheMenu) {
    HeadlessViews views(draw_panels);
    views.click(kSessionSelect);
    constexpr float kFirstEntry = 63, kPitch = 30;
    const int chosen = 2;
    views.click({300, kFirstEntry + kPitch * chosen});
    EXPECT_EQ(views.ui.preset_to_open, presets()[chosen].name);
}

TEST(TopBar, RenamesTheSession) {
    HeadlessViews views(draw_panels);
    views.click(kSessionSelect);
    views.click({300, 361});
    ASSERT_TRUE(views.ui.renamed_title.has_value());
    views.type("Mine");
    views.key(ImGuiKey_Enter);
    const auto command = only_command<SetTitle>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->title, "Mine");
    EXPECT_FALSE(views.ui.renamed_title.has_value());
}

TEST(TopBar, UndoesOnlyWhatThereIsToUndo) {
    HeadlessViews views(draw_panels);
    views.click(kUndoIcon);
    EXPECT_TRUE(views.take_actions().empty());
    ASSERT_TRUE(views.lab.perform(SetTitle{"Other"}));
    views.click(kUndoIcon);
    EXPECT_EQ(views.take_actions(), std::vector{Action::undo});
}

TEST(TopBar, LeavesTheFileDialogToABrowserAndShieldsItByADialog) {
    HeadlessViews views(draw_panels);
    views.click(kOpenIcon);
    EXPECT_EQ(views.take_actions(), std::vector{Action::open});
    views.platform.file_dialog = true;
    views.click(kOpenIcon);
    EXPECT_TRUE(views.take_actions().empty());
    EXPECT_LT(views.platform.file_dialog_area.left, kOpenIcon.x);
    EXPECT_GT(views.platform.file_dialog_area.right, kOpenIcon.x);
    views.ui.help_open = true;
    views.frame(2);
    EXPECT_EQ(views.platform.file_dialog_area.right, 0);
}

TEST(Steps, ShowWhatIsComputedUpToTheClickedOne) {
    HeadlessViews views(draw_panels);
    views.click(step(2));
    EXPECT_EQ(views.selection.shown_stage, 2);
    views.click(step(2));
    EXPECT_FALSE(views.selection.shown_stage.has_value());
    views.type("]");
    EXPECT_EQ(views.selection.shown_stage, 0);
    views.type("]");
    EXPECT_EQ(views.selection.shown_stage, 1);
    views.type("[");
    EXPECT_EQ(views.selection.shown_stage, 0);
    views.type("[");
    EXPECT_EQ(views.selection.shown_stage, 0);
}

TEST(Steps, TheStepAfterTheLastIsEverything) {
    HeadlessViews views(draw_panels);
    views.selection.shown_stage = static_cast<int>(views.lab.program().stages.size()) - 1;
    views.type("]");
    EXPECT_FALSE(views.selection.shown_stage.has_value());
}

TEST(Settings, ChooseAMask) {
    HeadlessViews views(draw_panels);
    views.click(kMaskSelect);
    // The list opens on the chosen entry, "none"; the next one is "causal".
    views.key(ImGuiKey_DownArrow);
    views.key(ImGuiKey_Enter);
    const auto command = only_command<SetAttention>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->attention.mask, MaskKind::causal);
}

TEST(Settings, EscapeClosesTheListAndNothingElse) {
    HeadlessViews views(draw_panels);
    views.selection.shown_stage = 3;
    views.selection.unpin();
    views.click(kMaskSelect);
    views.key(ImGuiKey_Escape);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_EQ(views.selection.shown_stage, 3);
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.selection.shown_stage.has_value());
}

TEST(Settings, DraggingTheNumberIsOneStepOfUndo) {
    HeadlessViews views(draw_panels);
    views.performs = true;
    AttentionSettings attention = views.lab.document().attention;
    attention.scale = 0.5f;
    ASSERT_TRUE(views.lab.perform(SetAttention{attention}));
    views.frame(2);
    views.drag({61, 487}, {91, 487});
    const std::vector<CommandRequest> commands = views.take_commands();
    ASSERT_GE(commands.size(), 2u);
    for (const CommandRequest& request : commands) {
        EXPECT_NE(request.gesture, 0u);
        EXPECT_EQ(request.gesture, commands[0].gesture);
    }
    EXPECT_GT(*views.lab.document().attention.scale, 0.6f);
    views.lab.undo();
    EXPECT_EQ(views.lab.document().attention.scale, 0.5f);
}

TEST(Settings, WidthsAreSteppedAndTyped) {
    HeadlessViews views(draw_panels);
    views.click({61, 727});
    auto command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->which, Width::d_in);
    EXPECT_EQ(command->n, 4);
    views.click({99, 727});
    views.type("12");
    EXPECT_TRUE(views.take_commands().empty()) << "a width of 1 on the way to 12 would cut numbers off";
    views.key(ImGuiKey_Enter);
    command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->which, Width::d_k);
    EXPECT_EQ(command->n, 12);
}

TEST(Tokens, AChipChoosesTheQuery) {
    HeadlessViews views(draw_panels);
    ASSERT_EQ(views.selection.query, 1);
    views.click(kThirdChip);
    EXPECT_EQ(views.selection.query, 2);
    EXPECT_TRUE(views.take_commands().empty());
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
