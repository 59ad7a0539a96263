// The panels around the canvas, clicked through without a window. Places are those of the design's picture at 1280 × 800.
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/widgets/fields.h"
#include "engine/formats/presets.h"
#include "tests/views/panels.h"

namespace lab {
namespace {

constexpr ImVec2 kSessionSelect{300, 24};
constexpr ImVec2 kUndoIcon{1009, 24};
constexpr ImVec2 kOpenIcon{1097, 24};
constexpr ImVec2 kMaskSelect{100, 541};
constexpr ImVec2 kThirdChip{155, 655};

ImVec2 step(int index) { return {100, 107.0f + 27.0f * static_cast<float>(index)}; }

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

// What is typed from the very next frame on, as a quick hand does; the first key could be a shortcut's.
void type_at_once(HeadlessViews& views, const std::string& text) {
    for (const char letter : text) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(letter));
        views.frame();
    }
}

// A click of which no more than the frame that lets go of the button has been drawn.
void click_briefly(HeadlessViews& views, ImVec2 point) {
    views.press(point);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    views.ui.wants_frame = false;
    views.frame();
}

TEST(TopBar, WhatIsTypedRightAfterRenameIsNotLost) {
    HeadlessViews views(draw_panels);
    views.click(kSessionSelect);
    click_briefly(views, {300, 361});
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

TEST(Steps, PinANumberThatTheyMake) {
    HeadlessViews views(draw_panels);
    views.click(step(3));
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"scaled_scores", {0, 1, 2}})); // as the weight before
    const std::vector<TensorCell> made = {
        {"inputs", {0, 1, 0}},         {"queries", {0, 1, 0}},           {"attention_scores", {0, 1, 2}},
        {"scaled_scores", {0, 1, 2}},  {"attention_weights", {0, 1, 2}}, {"weighted_values", {2, 1, 0}},
        {"context_vectors", {0, 1, 0}}};
    views.selection.shown_stage.reset();
    for (const TensorCell& cell : made) {
        views.type("]");
        EXPECT_EQ(*views.selection.pinned(), cell) << cell.tensor;
    }
    views.type("]");
    EXPECT_EQ(*views.selection.pinned(), made.back()) << "everything is shown";
}

TEST(Steps, LeaveThePinnedNumberThatTheyMake) {
    HeadlessViews views(draw_panels);
    const TensorCell weight{"W_key", {0, 2, 1}};
    views.selection.visit(weight, views.lab.program());
    views.click(step(1));
    EXPECT_EQ(*views.selection.pinned(), weight);
    views.type("]");
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"attention_scores", {0, 1, 2}})) << "of the key before";
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
    views.drag({61, 457}, {91, 457});
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

TEST(Settings, ADragThroughScale1KeepsItsHandle) {
    HeadlessViews views(draw_panels);
    views.performs = true;
    AttentionSettings attention = views.lab.document().attention;
    attention.scale = 0.98f;
    ASSERT_TRUE(views.lab.perform(SetAttention{attention}));
    views.frame(3);
    views.press({61, 457});
    views.move_to({63, 457});
    for (float x = 63; x < 120 && *views.lab.document().attention.scale < 1.2f; ++x) views.move_to({x, 457});
    EXPECT_GE(*views.lab.document().attention.scale, 1.2f);
    views.release();
    attention.scale = 1.0f;
    ASSERT_TRUE(views.lab.perform(SetAttention{attention}));
    views.frame(3);
    views.take_commands();
    views.drag({61, 457}, {91, 457});
    EXPECT_TRUE(views.take_commands().empty()) << "with scale \"none\" there is no number";
}

TEST(Steps, LeaveRoomForTheWidthsHoweverManyThereAre) {
    HeadlessViews views(draw_panels);
    ASSERT_TRUE(views.lab.open_preset("integers-rounded"));
    AttentionSettings attention = views.lab.document().attention;
    attention.mask = MaskKind::causal;
    ASSERT_TRUE(views.lab.perform(SetAttention{attention}));
    views.frame(3);
    ASSERT_GE(views.lab.program().stages.size(), 8u);
    for (int stage = 0; stage < static_cast<int>(views.lab.program().stages.size()); ++stage) {
        views.selection.shown_stage = stage;
        views.frame(3);
        const ImGuiWindow* sections = nullptr;
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
            if (std::string(window->Name).find("##sections") != std::string::npos) sections = window;
        }
        ASSERT_NE(sections, nullptr);
        EXPECT_EQ(sections->ScrollMax.y, 0) << views.lab.program().stages[static_cast<std::size_t>(stage)].title;
    }
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

TEST(Settings, AWidthShowsAllItsDigits) {
    HeadlessViews views([](ViewContext& context) {
        const float digit = text_width(lab::number_text(context.theme, type_size::kControl, {}), "0");
        EXPECT_GE(stepper_width(context.theme, 4096), 4 * digit + 2 * 18) << "beside − and +";
        draw_panels(context);
    });
    ASSERT_TRUE(views.lab.perform(ResizeWidth{Width::d_in, 256}));
    views.frame(3);
    views.click({71, 727 - 44}); // "+" further to the right, and a line for d_v below it
    const auto command = only_command<ResizeWidth>(views);
    ASSERT_TRUE(command);
    EXPECT_EQ(command->which, Width::d_in);
    EXPECT_EQ(command->n, 257);
}

TEST(Settings, AWidthBeyondItsLimitIsRefusedWithTheLimit) {
    HeadlessViews views(draw_panels);
    views.click({45, 734});
    views.type("9999");
    views.key(ImGuiKey_Enter);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_EQ(views.ui.error, "d_in is at most 4096");
    views.click({45, 734});
    views.type("0");
    views.key(ImGuiKey_Enter);
    EXPECT_TRUE(views.take_commands().empty());
    EXPECT_EQ(views.ui.error, "d_in is at least 1");
}

// Where the tip stands that is shown now.
Rect tip_area() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
        if ((window->Flags & ImGuiWindowFlags_Tooltip) && window->Active && !window->Hidden)
            return Rect::at(window->Pos, window->Size);
    }
    return {};
}

TEST(Tips, StandBelowWhatTheyDescribeOrAboveIt) {
    HeadlessViews views(draw_panels);
    constexpr ImVec2 kPlaces[] = {kOpenIcon, {1229, 24}, {150, 362}, kMaskSelect, {155, 628}, {45, 734}};
    for (const ImVec2 place : kPlaces) {
        views.move_to(kEmpty);
        views.move_to(place);
        views.wait(1);
        const Rect tip = tip_area();
        ASSERT_GT(tip.width(), 0) << place.x << " " << place.y;
        const bool is_beside = tip.left > place.x + 5 || tip.top > place.y + 5 || tip.bottom < place.y - 5;
        EXPECT_TRUE(is_beside) << place.x << " " << place.y;
        EXPECT_TRUE((Rect{0, 0, 1280, 800}.contains(tip.min()))) << place.x << " " << place.y;
        EXPECT_LE(tip.right, 1280);
        EXPECT_LE(tip.bottom, 800);
    }
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

TEST(Tokens, AFieldThatIsSeenDoesNotScrollThePanel) {
    HeadlessViews views(draw_panels);
    views.performs = true;
    std::string text;
    for (int i = 0; i < 100; ++i) text += "word" + std::to_string(i) + " ";
    ASSERT_TRUE(views.lab.perform(SetSentence{text, 123, 3}));
    views.frame(4);
    views.wheel({100, 600}, -2);
    views.wait(0.5);
    const auto scroll = [] {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (std::string(window->Name).find("##sections") != std::string::npos) return window->Scroll.y;
        return -1.0f;
    };
    const float before = scroll();
    ASSERT_GT(before, 0);
    views.double_click({40, 766});
    ASSERT_TRUE(views.ui.renamed_token.has_value());
    views.frame(5);
    EXPECT_EQ(scroll(), before);
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
