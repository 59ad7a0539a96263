#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/session/sections.h"
#include "app/views/head_choice.h"
#include "app/views/shortcuts.h"
#include "tests/views/canvas_support.h"

// A section that is longer than the canvas: it stands in lines and is scrolled through.
namespace lab {
namespace {

using test::Canvas;

class LongSection : public testing::Test {
  protected:
    LongSection() {
        canvas.open("llama-block");
        show("Block 0: MLP");
    }

    void show(const std::string& title) {
        for (int section = 0; section < n_sections(program()); ++section) {
            if (section_title(program(), section) == title) views.selection.section = section;
        }
        views.frame(2);
    }
    bool is_seen(const std::string& tensor) { return canvas.is_seen({"blocks.0." + tensor, {0, 4, 7}}); }
    Camera& camera() { return views.ui.camera; }
    float most() { return greatest_scroll(camera(), views.ui.canvas.layout.bounds); }
    const Program& program() { return views.lab.program(); }
    void turn(int by) {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext context = canvas.context(theme);
        camera().area = {}; // keys come before anything is drawn
        turn_page(context, by);
        views.frame(2);
    }

    Canvas canvas;
    HeadlessViews& views = canvas.views;
};

TEST_F(LongSection, BeginsAtItsBeginning) {
    EXPECT_GT(most(), 100);
    EXPECT_EQ(camera().scrolled, 0);
    EXPECT_TRUE(is_seen("attention_residual"));
    EXPECT_FALSE(is_seen("mlp_residual"));
}

// Also where the document before explained the cell of that name.
TEST_F(LongSection, ANewDocumentBeginsAtItsBeginningWithWhatItExplainsInView) {
    for (const char* preset : {"gpt2-block", "llama-block"}) {
        views.ui.n_hints_dismissed = 0;
        canvas.open(preset);
        EXPECT_GT(most(), 100);
        EXPECT_EQ(camera().scrolled, 0) << preset;
        EXPECT_TRUE(canvas.is_seen(*views.selection.pinned())) << preset;
        const ImGuiWindow* card = ImGui::FindWindowByName("##hint");
        EXPECT_TRUE(card != nullptr && card->Active) << preset;
        camera().scrolled = most();
        views.frame(2);
        EXPECT_EQ(camera().scrolled, most()) << "and then stays where one scrolls";
        EXPECT_FALSE(canvas.is_seen(*views.selection.pinned())) << preset;
    }
    canvas.open("gpt2-block");
    camera().scrolled = 0;
    views.frame(2);
    views.selection.visit({"blocks.0.outputs", {0, 1, 1}}, program());
    views.frame(2);
    EXPECT_GT(camera().scrolled, 0) << "what a person chooses is shown";
}

TEST_F(LongSection, TheHintCoversNothingAndStaysAtTheBeginning) {
    for (const char* preset : {"trainable", "gpt2-block", "llama-block", "induction", "multi-head"}) {
        SCOPED_TRACE(preset);
        canvas.open(preset);
        views.ui.n_hints_dismissed = 0;
        camera().scrolled = 0;
        views.frame(2);
        const ImGuiWindow* card = ImGui::FindWindowByName("##hint");
        ASSERT_TRUE(card != nullptr && card->Active);
        const Rect place = Rect::at(card->Pos, card->Size);
        for (const PlacedNode& placed : views.ui.canvas.layout.placed)
            EXPECT_FALSE(place.overlaps(camera().to_screen(placed.around()))) << placed.node;
    }
    canvas.open("gpt2-block");
    camera().scrolled = 0;
    views.frame(2);
    const ImGuiWindow* card = ImGui::FindWindowByName("##hint");
    EXPECT_TRUE(card->Active);
    views.wheel({500, 300}, -2);
    views.frame(2);
    EXPECT_FALSE(card->Active);
}

TEST_F(LongSection, TheWheelScrollsToItsEndAndNoFurther) {
    const float zoom = camera().zoom;
    for (int i = 0; i < 100; ++i) views.wheel({500, 300}, -1);
    views.frame(2);
    EXPECT_FLOAT_EQ(camera().scrolled, most());
    EXPECT_TRUE(is_seen("mlp_residual"));
    EXPECT_FALSE(is_seen("attention_residual"));
    EXPECT_TRUE(camera().is_fitted);
    EXPECT_FLOAT_EQ(camera().zoom, zoom);
}

// Unlike what comes there as all is laid out anew.
TEST_F(LongSection, WhatIsScrolledUnderTheMouseIsHovered) {
    const ImVec2 mouse = canvas.middle_of({"blocks.0.attention_residual", {0, 1, 7}});
    views.wheel(mouse, -0.5f);
    views.frame(3);
    ASSERT_TRUE(canvas.is_seen({"blocks.0.attention_residual", {0, 1, 7}}));
    ASSERT_TRUE(views.selection.hovered);
    EXPECT_NE(views.selection.hovered->cell, (Cell{0, 1, 7}));
}

TEST_F(LongSection, ADragScrolls) {
    views.drag({795, 600}, {795, 400});
    EXPECT_NEAR(camera().scrolled, 200, 8);
    EXPECT_TRUE(camera().is_fitted);
}

TEST_F(LongSection, WhatIsExplainedIsScrolledTo) {
    views.selection.visit({"blocks.0.mlp_residual", {0, 2, 1}}, program());
    views.frame(2);
    EXPECT_TRUE(canvas.is_seen({"blocks.0.mlp_residual", {0, 0, 0}}));
    EXPECT_TRUE(is_seen("mlp_residual"));
    views.wheel({500, 300}, 50); // and stays where one scrolls then
    views.frame(2);
    EXPECT_EQ(camera().scrolled, 0);
    views.selection.visit({"blocks.0.mlp_residual", {0, 2, 2}}, program());
    views.frame(2);
    EXPECT_GT(camera().scrolled, 0);
}

TEST_F(LongSection, AStepIsScrolledTo) {
    views.selection.shown_stage = program().node(program().find("blocks.0.mlp_residual")).stage;
    views.frame(2);
    EXPECT_TRUE(is_seen("mlp_residual"));
}

TEST_F(LongSection, PagesAreTurnedThroughItThenToTheNext) {
    const int section = views.selection.section;
    int n_pages = 1;
    for (; views.selection.section == section && n_pages < 20; ++n_pages) turn(1);
    EXPECT_EQ(section_title(program(), views.selection.section), "Prediction");
    EXPECT_GE(n_pages, 3) << "on to the end, and then over";
    EXPECT_LE(n_pages, 6);
    turn(-1);
    EXPECT_EQ(views.selection.section, section);
}

TEST_F(LongSection, ItsBarIsDragged) {
    views.press({805, 80});
    for (const float y : {120.0f, 200.0f, 300.0f}) views.move_to({805, y});
    views.release();
    EXPECT_GT(camera().scrolled, 150);
}

} // namespace
} // namespace lab
