#include "app/views/kept_window.h"

#include <gtest/gtest.h>

#include <imgui_internal.h>

#include <functional>
#include <string>
#include <vector>

#include "app/views/views.h"
#include "tests/views/headless.h"

// The left panel keeps its picture as long as it would be the same.
namespace lab {
namespace {

constexpr Rect kPanel{0, 48, 197, 772};
constexpr ImVec2 kOnPanel{100, 300}, kOnCanvas{600, 790};

void draw_canvas_and_panel(ViewContext& context) {
    context.selection.hovered.reset();
    draw_canvas(context, {197, 48, 1280, 772});
    draw_left_panel(context, kPanel);
}

bool is_of_panel(const ImDrawList* list) { return std::string(list->_OwnerName).find("##left panel") == 0; }

// A line for every corner that the frame shows of the panel.
std::vector<std::string> shown_of_panel() {
    std::vector<std::string> corners;
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
        if (!is_of_panel(list)) continue;
        for (const ImDrawVert& corner : list->VtxBuffer) {
            corners.push_back(std::to_string(corner.pos.x) + " " + std::to_string(corner.pos.y) + " " +
                              std::to_string(corner.uv.x) + " " + std::to_string(corner.uv.y) + " " +
                              std::to_string(corner.col));
        }
    }
    return corners;
}

bool was_kept() { return ImGui::FindWindowByName("##left panel")->SkipRefresh; }

// As it would be drawn now.
std::vector<std::string> drawn_anew(HeadlessViews& views) {
    views.ui.kept_left_panel = {};
    views.frame();
    EXPECT_FALSE(was_kept());
    return shown_of_panel();
}

HeadlessViews& at_rest(HeadlessViews& views) {
    views.performs = true;
    views.move_to(kOnCanvas);
    views.frame(6);
    EXPECT_TRUE(was_kept());
    return views;
}

void set_number(HeadlessViews& views, float value) {
    ASSERT_TRUE(views.lab.perform(SetCell{"inputs", {0, 1, 1}, value}).has_value());
}

TEST(KeptWindow, StaysWhileNumbersAreEdited) {
    HeadlessViews views(draw_canvas_and_panel);
    at_rest(views);
    for (const float value : {0.5f, -2.0f, 30.0f}) {
        set_number(views, value);
        views.frame();
        EXPECT_TRUE(was_kept()) << value;
        const std::vector<std::string> kept = shown_of_panel();
        EXPECT_GT(kept.size(), 500u);
        EXPECT_EQ(kept, drawn_anew(views)) << value;
        views.frame(6);
    }
}

TEST(KeptWindow, StaysWhileANumberIsDragged) {
    HeadlessViews views(draw_canvas_and_panel);
    at_rest(views);
    const TensorCell cell{"inputs", {0, 1, 1}};
    ViewContext context = views.context(Theme{kDarkPalette, load_fonts(views.platform)});
    const auto area = drawn_area(context, cell);
    ASSERT_TRUE(area.has_value());
    views.press(area->center());
    const float before = views.lab.trace().at(views.lab.program().find("inputs"), cell.cell);
    for (int i = 1; i < 12; ++i) {
        ImGui::GetIO().AddMousePosEvent(area->center().x + 4.0f * static_cast<float>(i), area->center().y);
        views.frame();
    }
    EXPECT_NE(views.lab.trace().at(views.lab.program().find("inputs"), cell.cell), before);
    EXPECT_TRUE(was_kept());
    EXPECT_EQ(shown_of_panel(), drawn_anew(views));
}

// Whatever happens: it looks as if it had been drawn.
TEST(KeptWindow, IsAsItWouldBeDrawnWhateverHappens) {
    HeadlessViews views(draw_canvas_and_panel);
    at_rest(views);
    ImGuiIO& io = ImGui::GetIO();
    AttentionSettings causal = views.lab.document().attention;
    causal.mask = MaskKind::causal;
    const std::vector<std::pair<const char*, std::function<void()>>> happenings{
        {"a setting", [&] { EXPECT_TRUE(views.lab.perform(SetAttention{causal}).has_value()); }},
        {"undone", [&] { EXPECT_TRUE(views.lab.undo()); }},
        {"another query", [&] { views.selection.query = 3; }},
        {"a step", [&] { views.selection.shown_stage = 1; }},
        {"all steps", [&] { views.selection.shown_stage.reset(); }},
        {"another number explained",
         [&] {
             views.selection.visit({"inputs", {0, 2, 0}}, views.lab.program());
         }},
        {"a number under the mouse", [&] { io.AddMousePosEvent(300, 300); }},
        {"the mouse on it", [&] { io.AddMousePosEvent(kOnPanel.x, kOnPanel.y); }},
        {"the mouse beside it", [&] { io.AddMousePosEvent(kOnCanvas.x, kOnCanvas.y); }},
        {"another sentence",
         [&] {
             EXPECT_TRUE(views.lab.perform(SetSentence{"one two", 123, 3}).has_value());
         }},
        {"more tokens than words", [&] { EXPECT_TRUE(views.lab.open_preset("trainable").has_value()); }},
        {"an error", [&] { views.ui.error = "no"; }},
        {"no error", [&] { views.ui.error.clear(); }},
        {"more settings", [&] { views.ui.more_settings_open = true; }},
        {"those of heads", [&] { views.ui.open_groups = {"Heads"}; }},
        {"the screen's pixels",
         [&] {
             io.DisplayFramebufferScale = {2, 2};
         }},
        {"folded", [&] { views.ui.left_panel_open = false; }},
        {"unfolded", [&] { views.ui.left_panel_open = true; }},
    };
    for (const auto& [what, happens] : happenings) {
        happens();
        views.frame(6); // until it is laid out
        const std::vector<std::string> shown = shown_of_panel();
        EXPECT_EQ(shown, drawn_anew(views)) << what;
        views.frame(6);
    }
}

TEST(KeptWindow, IsDrawnAnewByInput) {
    HeadlessViews views(draw_canvas_and_panel);
    ImGuiIO& io = ImGui::GetIO();
    const std::vector<std::pair<const char*, std::function<void()>>> inputs{
        {"a key", [&] { io.AddKeyEvent(ImGuiKey_F7, true); }},
        {"let go", [&] { io.AddKeyEvent(ImGuiKey_F7, false); }},
        {"a button", [&] { io.AddMouseButtonEvent(1, true); }},
        {"let go, too", [&] { io.AddMouseButtonEvent(1, false); }},
        {"the wheel", [&] { io.AddMouseWheelEvent(0, 1); }},
        {"pointed at", [&] { io.AddMousePosEvent(kOnPanel.x, kOnPanel.y); }},
    };
    for (const auto& [what, happens] : inputs) {
        at_rest(views);
        happens();
        views.frame();
        EXPECT_FALSE(was_kept()) << what;
        views.frame();
        EXPECT_FALSE(was_kept()) << "the frame after, for what it leads to: " << what;
    }
}

} // namespace
} // namespace lab
