#include <gtest/gtest.h>

#include "app/session/sections.h"
#include "app/views/canvas_strip.h"
#include "app/views/explanation_text.h"
#include "app/views/head_choice.h"
#include "app/views/phone_layout.h"
#include "app/views/shortcuts.h"
#include "app/views/step_choice.h"
#include "app/views/views.h"
#include "tests/views/canvas_support.h"

// A document of two blocks on the canvas and on a phone, one section at a time.
namespace lab {
namespace {

using test::Canvas;

Document two_blocks() { return test::document_of({.n_tokens = 5, .d_in = 4, .n_heads = 2, .n_blocks = 2}); }

class SectionsOnCanvas : public testing::Test {
  protected:
    SectionsOnCanvas() { canvas.open(two_blocks()); }

    Canvas canvas;
    HeadlessViews& views = canvas.views;
    const Program& program() { return views.lab.program(); }
    bool stands(const std::string& tensor) { return views.ui.canvas.layout.find(program().find(tensor)) != nullptr; }
    template <class Function> void with_context(Function act) {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext context = canvas.context(theme);
        act(context);
        views.frame(2);
    }
};

TEST_F(SectionsOnCanvas, OneSectionIsShownWithItsGuests) {
    EXPECT_EQ(section_title(program(), views.selection.section), "Block 0");
    EXPECT_TRUE(stands("blocks.0.attention_weights"));
    EXPECT_FALSE(stands("blocks.1.attention_weights"));
    ASSERT_TRUE(stands("inputs"));
    EXPECT_TRUE(canvas.placed("inputs").is_guest);
    const PlacedNode &guest = canvas.placed("inputs"), &first = canvas.placed("blocks.0.W_query");
    EXPECT_TRUE(guest.cells.right < first.cells.left || guest.cells.bottom < first.cells.top) << "it comes first";
    EXPECT_FALSE(canvas.placed("blocks.0.queries").is_guest);
}

TEST_F(SectionsOnCanvas, TheNextSectionIsFittedIntoView) {
    views.ui.camera.is_fitted = false;
    with_context([](ViewContext& context) { choose_section_by(context, 1); });
    EXPECT_EQ(section_title(program(), views.selection.section), "Block 1");
    EXPECT_TRUE(views.ui.camera.is_fitted);
    EXPECT_TRUE(stands("blocks.1.attention_weights"));
    EXPECT_TRUE(canvas.placed("blocks.0.attention_residual").is_guest);
    EXPECT_FALSE(stands("blocks.0.attention_weights"));
    with_context([](ViewContext& context) { choose_section_by(context, 9); });
    EXPECT_EQ(views.selection.section, n_sections(program()) - 1);
}

TEST_F(SectionsOnCanvas, AGuestsNumberStaysAndItsSourceLeadsToItsSection) {
    with_context([](ViewContext& context) { choose_section(context, 2); });
    views.click(canvas.middle_of({"blocks.0.attention_residual", {0, 1, 2}}));
    EXPECT_EQ(views.selection.section, 2);
    views.selection.visit({"blocks.0.outputs", {0, 1, 2}}, program());
    views.frame(2);
    EXPECT_EQ(views.selection.section, 1);
    EXPECT_TRUE(stands("blocks.0.outputs"));
}

TEST_F(SectionsOnCanvas, AStepShowsItsSection) {
    const int stage = program().node(program().find("blocks.1.attention_weights")).stage;
    with_context([&](ViewContext& context) { choose_step(context, stage); });
    EXPECT_EQ(views.selection.section, 2);
    EXPECT_EQ(views.selection.shown_stage, stage);
    EXPECT_NE(not_yet_text({"blocks.1.outputs", {}}, program()).find(" of Block 1"), std::string::npos);
}

TEST_F(SectionsOnCanvas, TheHeadIsTheSameInEveryBlock) {
    views.selection.visit({"blocks.0.attention_weights", {1, 2, 0}}, program());
    with_context([](ViewContext& context) { choose_section(context, 2); });
    EXPECT_TRUE(canvas.is_seen({"blocks.1.attention_weights", {1, 2, 0}}));
    views.ui.head_grid.is_open = true;
    views.frame(2);
    EXPECT_TRUE(canvas.is_seen({"blocks.1.attention_weights", {0, 2, 0}}));
    with_context([](ViewContext& context) { choose_section(context, 0); });
    EXPECT_TRUE(canvas.is_seen({"inputs", {0, 2, 0}})) << "no heads there: the canvas";
}

TEST(Gradients, HaveNoPlaceOfTheirOwn) {
    Canvas canvas;
    Document document = test::document_of({.n_tokens = 4});
    canvas.open(document);
    const std::size_t n_without = canvas.views.ui.canvas.layout.placed.size();
    document.gradient = "sum(context_vectors)";
    canvas.open(document);
    const Program& program = canvas.views.lab.program();
    ASSERT_GE(program.find("grad.inputs"), 0);
    canvas.views.selection.shows_gradient = false;
    canvas.views.frame(2);
    EXPECT_EQ(canvas.views.ui.canvas.layout.placed.size(), n_without) << "as long as none is shown";
    canvas.views.selection.shows_gradient = true;
    canvas.views.frame(2);
    EXPECT_EQ(canvas.views.ui.canvas.layout.placed.size(), n_without + 1) << "the softmax' Jacobian alone";
    for (const PhoneTab& tab : phone_tabs({}, program)) {
        for (int node : tab.nodes) EXPECT_TRUE(has_place(program.node(node))) << program.node(node).name;
    }
    for (const ExplanationFeed& feed : explain(canvas.views.lab, {"inputs", {}}).feeds) {
        EXPECT_TRUE(has_place(program.node(program.find(feed.target.tensor)))) << feed.target.tensor;
    }
}

TEST(SectionsOnPhone, TabsAreThoseOfTheSectionAndHeadsHaveTheirPills) {
    HeadlessViews views([](ViewContext& context) { draw_phone(context, {0, 0, 390, 844}); }, {390, 844});
    views.platform.coarse_pointer = true;
    views.open(two_blocks());
    views.frame(3);
    EXPECT_EQ(views.selection.head, 0);
    views.click({106, 118}); // the second pill of the line below the tokens
    EXPECT_EQ(views.selection.head, 1);
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"blocks.0.attention_weights", {1, 1, 2}}));
    views.ui.head_grid.is_open = true; // the tab says of which tensor
    views.frame(3);
    const auto n_drawn = [&] { return views.ui.drawn_matrices.size(); };
    views.ui.drawn_matrices.clear();
    views.frame();
    EXPECT_EQ(n_drawn(), 2u);
    Selection second;
    second.section = 1;
    std::vector<std::string> titles;
    for (const PhoneTab& tab : phone_tabs(second, views.lab.program())) titles.push_back(tab.title);
    EXPECT_EQ(titles, (std::vector<std::string>{"Inputs", "Q K V", "Scores", "Weights", "Context", "Outputs"}));
    for (int node : nodes_of_section(views.lab.program(), 1)) {
        EXPECT_GE(tab_of(phone_tabs(second, views.lab.program()), node, 0), 0) << views.lab.program().node(node).name;
    }
}

} // namespace
} // namespace lab
