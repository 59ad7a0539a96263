// The whole wide window by keyboard alone.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <utility>

#include "app/views/explanation.h"
#include "app/views/shortcuts.h"
#include "app/views/views.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

// As the application lays it out at 1280 × 800.
void draw_wide_window(ViewContext& context) {
    context.selection.hovered.reset();
    context.ui.status.clear();
    handle_keys(context);
    draw_canvas(context, {196, 48, 1008, 772});
    draw_left_panel(context, {0, 48, 196, 772});
    draw_inspector(context, {1008, 48, 1280, 772});
    draw_top_bar(context, {0, 0, 1280, 48});
    draw_status_bar(context, {0, 772, 1280, 800});
    draw_dialogs(context);
}

class PanelFocus : public testing::Test {
  protected:
    HeadlessViews views{draw_wide_window};

    KeyboardPlace place() const { return views.ui.keyboard_at; }
    bool has_ring() const { return ImGui::GetIO().NavVisible; }
    TensorCell pinned() const { return views.pinned(); }
    void press(ImGuiKeyChord chord, int times) {
        for (; times > 0; --times) views.key(chord);
    }
};

const TensorCell kPinned{"attention_weights", {0, 1, 2}};

TEST_F(PanelFocus, F6GoesRoundAndShiftF6Back) {
    using enum KeyboardPlace;
    for (const KeyboardPlace expected : {left_panel, inspector, top_bar, canvas, left_panel}) {
        views.key(ImGuiKey_F6);
        EXPECT_EQ(place(), expected);
        EXPECT_EQ(has_ring(), expected != canvas);
    }
    views.key(ImGuiMod_Shift | ImGuiKey_F6);
    EXPECT_EQ(place(), canvas);
    views.key(ImGuiMod_Shift | ImGuiKey_F6);
    EXPECT_EQ(place(), top_bar);
}

TEST_F(PanelFocus, InAPanelTabAndArrowsWalkItsControlsAndEscapeReturns) {
    views.key(ImGuiKey_F6);
    views.key(ImGuiKey_Tab);
    views.key(ImGuiKey_DownArrow);
    EXPECT_EQ(pinned(), kPinned) << "the canvas has no part in it";
    views.key(ImGuiKey_Escape);
    EXPECT_EQ(place(), KeyboardPlace::canvas);
    EXPECT_FALSE(has_ring());
    EXPECT_EQ(pinned(), kPinned) << "the same Escape lets go of nothing else";
    views.key(ImGuiKey_Tab);
    EXPECT_EQ(pinned(), (TensorCell{"attention_weights", {0, 1, 3}}));
}

TEST_F(PanelFocus, SpacePressesWhatTheRingStandsOn) {
    views.key(ImGuiKey_F6); // the first control folds the panel
    views.key(ImGuiKey_Space);
    EXPECT_FALSE(views.ui.left_panel_open);
    views.key(ImGuiKey_Escape);
    EXPECT_EQ(place(), KeyboardPlace::canvas);
}

TEST_F(PanelFocus, AStepIsReachedByTabAndPressedByEnter) {
    views.key(ImGuiKey_F6);
    press(ImGuiKey_Tab, 4); // past fold, next and previous: the second step
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(views.selection.shown_stage, 1);
}

TEST_F(PanelFocus, ATermOfTheInspectorLightsAndLeadsToItsSource) {
    press(ImGuiKey_F6, 2);
    for (int i = 0; i < 12 && !views.ui.lit_by_list; ++i) views.key(ImGuiKey_Tab);
    const TensorCell score{"scaled_scores", {0, 1, 0}};
    EXPECT_EQ(views.ui.lit_by_list, score);
    EXPECT_EQ(views.ui.explanation->cell, kPinned) << "what its rows light is not what it explains";
    EXPECT_EQ(views.ui.lit_sources.of, kPinned) << "nor what the canvas marks the sources of";
    views.key(ImGuiKey_DownArrow);
    views.key(ImGuiKey_Enter);
    EXPECT_EQ(pinned(), (TensorCell{"scaled_scores", {0, 1, 1}}));
}

TEST_F(PanelFocus, AClickTakesTheKeyboardBackToTheCanvas) {
    views.key(ImGuiKey_F6);
    views.click({155, 655}); // a token's chip
    EXPECT_EQ(place(), KeyboardPlace::canvas);
    const TensorCell before = pinned();
    views.key(ImGuiKey_Tab);
    EXPECT_NE(pinned(), before);
    views.key(ImGuiKey_DownArrow);
    EXPECT_FALSE(has_ring());
    EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "Tab opens no field of the panel that was clicked";
}

TEST_F(PanelFocus, CtrlTabListsNoWindows) {
    views.key(ImGuiKey_F6);
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, true);
    io.AddKeyEvent(ImGuiKey_Tab, true);
    views.frame(2);
    EXPECT_EQ(ImGui::GetCurrentContext()->NavWindowingTarget, nullptr);
}

// No number begins with one of them.
TEST_F(PanelFocus, LettersAreShortcutsOnGivenNumbersToo) {
    views.key(ImGuiKey_T);
    EXPECT_EQ(views.take_actions(), std::vector{Action::toggle_theme});
    views.selection.visit({"inputs", {0, 1, 1}}, views.lab.program());
    views.frame(2);
    views.key(ImGuiKey_T);
    EXPECT_EQ(views.take_actions(), std::vector{Action::toggle_theme});
    EXPECT_EQ(views.ui.key_note, "");
    views.key(ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_EQ(views.take_actions(), std::vector{Action::save});
}

} // namespace
} // namespace lab
