#include "app/widgets/kept_window.h"

#include <gtest/gtest.h>

#include <imgui_internal.h>

#include <functional>
#include <string>
#include <vector>

#include "app/views/views.h"
#include "tests/views/canvas_support.h"
#include "tests/views/headless.h"

// The left panel keeps its picture as long as it would be the same.
namespace lab {
namespace {

constexpr Rect kPanel{0, 48, 197, 772};
constexpr ImVec2 kOnPanel{100, 300}, kOnCanvas{600, 768}, kSecondChip{100, 657}, kMaskSetting{100, 545};

class KeptPanel : public testing::Test {
  protected:
    void SetUp() override {
        views.performs = true;
        rest();
    }

    static bool was_kept() { return ImGui::FindWindowByName("##left panel")->SkipRefresh; }

    void rest() {
        views.move_to(kOnCanvas);
        views.frame(6);
        EXPECT_TRUE(was_kept());
    }

    // What the last frame shows of the panel.
    static std::vector<std::string> shown() {
        std::vector<std::string> lines;
        for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
            if (std::string(list->_OwnerName).find("##left panel") != 0) continue;
            for (std::string& line : test::drawn(*list)) lines.push_back(std::move(line));
        }
        return lines;
    }

    // As it would be drawn now.
    std::vector<std::string> drawn_anew() {
        views.ui.kept_left_panel = {};
        views.frame();
        EXPECT_FALSE(was_kept());
        return shown();
    }

    float number() { return views.lab.trace().at(views.lab.program().find("inputs"), {0, 1, 1}); }

    std::vector<std::pair<const char*, std::function<void()>>> happenings();

    HeadlessViews views{[](ViewContext& context) {
        context.selection.hovered.reset();
        context.ui.drawn_matrices.clear();
        draw_canvas(context, {197, 48, 1280, 772});
        draw_left_panel(context, kPanel);
    }};
    ImGuiIO& io = ImGui::GetIO();
};

TEST_F(KeptPanel, StaysWhileNumbersAreEdited) {
    for (const float value : {0.5f, -2.0f, 30.0f}) {
        ASSERT_TRUE(views.lab.perform(SetCell{"inputs", {0, 1, 1}, value}).has_value());
        views.frame();
        if (value == 0.5f) views.frame(3); // it is no longer as the example was made
        EXPECT_TRUE(was_kept()) << value;
        const std::vector<std::string> kept = shown();
        EXPECT_GT(kept.size(), 500u);
        EXPECT_EQ(kept, drawn_anew()) << value;
        views.frame(6);
    }
}

TEST_F(KeptPanel, StaysWhileANumberIsDragged) {
    const Theme theme{kDarkPalette, load_fonts(views.platform)};
    ViewContext context = views.context(theme);
    const auto area = drawn_area(context, {"inputs", {0, 1, 1}});
    ASSERT_TRUE(area.has_value());
    views.press(area->center());
    const float before = number();
    for (int i = 1; i < 12; ++i) {
        io.AddMousePosEvent(area->center().x + 4.0f * static_cast<float>(i), area->center().y);
        views.frame();
    }
    EXPECT_NE(number(), before);
    EXPECT_TRUE(was_kept());
    EXPECT_EQ(shown(), drawn_anew());
}

// What happens without a hand at the panel, each from what the one before left.
std::vector<std::pair<const char*, std::function<void()>>> KeptPanel::happenings() {
    const auto perform = [this](const Command& command) { EXPECT_TRUE(views.lab.perform(command).has_value()); };
    return {
        {"a setting",
         [=, this] {
             AttentionSettings causal = views.lab.document().attention;
             causal.mask = MaskKind::causal;
             perform(SetAttention{causal});
         }},
        {"undone", [this] { EXPECT_TRUE(views.lab.undo()); }},
        {"another query", [this] { views.selection.query = 3; }},
        {"a step", [this] { views.selection.shown_stage = 1; }},
        {"all steps", [this] { views.selection.shown_stage.reset(); }},
        {"another number explained",
         [this] {
             views.selection.visit({"inputs", {0, 2, 0}}, views.lab.program());
         }},
        {"another sentence",
         [=] {
             perform(SetSentence{"one two", 123, 3});
         }},
        {"another session", [this] { EXPECT_TRUE(views.lab.open_preset("trainable").has_value()); }},
        {"more settings", [this] { views.ui.more_settings_open = true; }},
        {"those of masks", [this] { views.ui.open_groups = {"Masks"}; }},
        {"no more of them", [this] { views.ui.more_settings_open = false; }},
        {"the screen's pixels",
         [this] {
             io.DisplayFramebufferScale = {2, 2};
         }},
        {"folded", [this] { views.ui.left_panel_open = false; }},
        {"unfolded", [this] { views.ui.left_panel_open = true; }},
        {"the theme", [this] { views.ui.is_dark = !views.ui.is_dark; }},
    };
}

TEST_F(KeptPanel, IsAsItWouldBeDrawnWhateverHappens) {
    for (const auto& [what, happens] : happenings()) {
        const std::vector<std::string> before = shown();
        happens();
        views.frame(8); // until it is laid out, and rests
        EXPECT_TRUE(was_kept()) << what;
        const std::vector<std::string> kept = shown();
        EXPECT_NE(kept, before) << "it is to be seen: " << what;
        EXPECT_EQ(kept, drawn_anew()) << what;
        views.frame(6);
    }
}

// Texts of more and more sizes, until their glyphs need another texture.
TEST_F(KeptPanel, IsDrawnAnewWhenGlyphsMove) {
    const auto texture = [&] { return io.Fonts->TexData->UniqueID; };
    const int before = texture();
    const Theme theme{kDarkPalette, load_fonts(views.platform)};
    for (float size = 20; size < 400 && texture() == before; size += 1)
        theme.fonts.text->GetFontBaked(size)->FindGlyph('W');
    ASSERT_NE(texture(), before);
    views.frame();
    EXPECT_FALSE(was_kept());
    views.frame(6);
    EXPECT_EQ(shown(), drawn_anew());
}

TEST_F(KeptPanel, IsDrawnAnewByInput) {
    const std::vector<std::pair<const char*, std::function<void()>>> inputs{
        {"a key", [&] { io.AddKeyEvent(ImGuiKey_F7, true); }},
        {"let go", [&] { io.AddKeyEvent(ImGuiKey_F7, false); }},
        {"a letter", [&] { io.AddInputCharacter('x'); }},
        {"a button", [&] { io.AddMouseButtonEvent(1, true); }},
        {"let go, too", [&] { io.AddMouseButtonEvent(1, false); }},
        {"the wheel", [&] { io.AddMouseWheelEvent(0, 1); }},
        {"pointed at", [&] { io.AddMousePosEvent(kOnPanel.x, kOnPanel.y); }},
    };
    for (const auto& [what, happens] : inputs) {
        happens();
        views.frame();
        EXPECT_FALSE(was_kept()) << what;
        views.frame();
        EXPECT_FALSE(was_kept()) << "the frame after, for what it leads to: " << what;
        rest();
    }
    views.move_to(kOnPanel);
    io.AddMousePosEvent(kOnCanvas.x, kOnCanvas.y);
    views.frame();
    EXPECT_FALSE(was_kept()) << "what was lit is no longer";
}

// As long as something of it is open, it is drawn, wherever the mouse is.
TEST_F(KeptPanel, IsDrawnWhileAWordIsTyped) {
    views.double_click(kSecondChip);
    ASSERT_TRUE(views.ui.renamed_token.has_value());
    views.move_to(kOnCanvas);
    views.frame(8);
    EXPECT_FALSE(was_kept());
    views.key(ImGuiKey_Escape);
    EXPECT_FALSE(views.ui.renamed_token.has_value());
    rest();
}

TEST_F(KeptPanel, IsDrawnWhileAMenuIsOpen) {
    views.click(kMaskSetting);
    ASSERT_GT(ImGui::GetCurrentContext()->OpenPopupStack.Size, 0);
    views.move_to(kOnCanvas);
    views.frame(8);
    EXPECT_GT(ImGui::GetCurrentContext()->OpenPopupStack.Size, 0) << "it would be closed if nobody drew it";
    views.key(ImGuiKey_Escape);
    rest();
}

} // namespace
} // namespace lab
