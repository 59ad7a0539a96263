// The bar above the canvas, clicked through without a window. Places are those of the design's picture at 1280 × 800.
#include <gtest/gtest.h>

#include "engine/formats/presets.h"
#include "tests/views/panels.h"

namespace lab {
namespace {

constexpr ImVec2 kSessionSelect{300, 24};
constexpr ImVec2 kRename{300, 93}; // in the opened list
constexpr ImVec2 kUndoIcon{1009, 24};

TEST(TopBar, OpensAPresetFromTheMenu) {
    HeadlessViews views(draw_panels);
    views.click(kSessionSelect);
    constexpr float kFirstPreset = 132, kPitch = 30;
    const int chosen = 2;
    views.click({300, kFirstPreset + kPitch * chosen});
    EXPECT_EQ(views.ui.preset_to_open, presets()[chosen].name);
}

// The last entry of the list ends 8 points above the window's edge, after three headings.
TEST(TopBar, OpensTheLastPresetWithoutScrolling) {
    HeadlessViews views(draw_panels);
    views.click(kSessionSelect);
    views.click({300, 770});
    EXPECT_EQ(views.ui.preset_to_open, presets().back().name);
}

TEST(TopBar, AFingerDrawsTheListAlongWhereItIsTooLong) {
    HeadlessViews views(draw_panels, {1280, 500});
    views.click(kSessionSelect);
    views.drag({300, 450}, {300, 50});
    EXPECT_FALSE(views.ui.preset_to_open.has_value());
    views.click({300, 470});
    EXPECT_EQ(views.ui.preset_to_open, presets().back().name);
}

TEST(TopBar, RenamesTheSession) {
    HeadlessViews views(draw_panels);
    views.click(kSessionSelect);
    views.click(kRename);
    ASSERT_TRUE(views.ui.renamed_title.has_value());
    views.type("Mine");
    views.key(ImGuiKey_Enter);
    const auto command = only_command<SetTitle>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->title, "Mine");
    EXPECT_FALSE(views.ui.renamed_title.has_value());
}

TEST(TopBar, WhatIsTypedRightAfterRenameIsNotLost) {
    HeadlessViews views(draw_panels);
    views.click(kSessionSelect);
    click_briefly(views, kRename);
    EXPECT_TRUE(views.ui.wants_frame);
    type_at_once(views, "?My class");
    views.key(ImGuiKey_Enter);
    const auto command = only_command<SetTitle>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->title, "?My class");
    EXPECT_TRUE(views.take_actions().empty());
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

} // namespace
} // namespace lab
