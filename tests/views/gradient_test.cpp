#include <gtest/gtest.h>

#include "app/views/gradient_choice.h"
#include "tests/views/canvas_support.h"

// Gradients in the place of the numbers.
namespace lab {
namespace {

using test::Canvas;

class GradientLayer : public testing::Test {
  protected:
    GradientLayer() {
        views.performs = true;
        EXPECT_TRUE(views.lab.open_preset("trainable"));
        views.frame(3);
    }

    Canvas canvas{{812, 724}};
    HeadlessViews& views = canvas.views;

    void toggle() {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext context = canvas.context(theme);
        toggle_gradient(context);
        for (const CommandRequest& request : views.take_commands()) EXPECT_TRUE(views.lab.perform(request.command));
        views.frame(3);
    }
};

TEST_F(GradientLayer, StandsInThePlaceOfTheNumbersAndIsExplained) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    ASSERT_EQ(views.lab.document().gradient, "attention_weights[1,2]");
    EXPECT_TRUE(views.selection.shows_gradient);
    const Program& program = views.lab.program();
    const int queries = program.find("queries");
    EXPECT_EQ(shown_node(views.selection, program, queries), program.find("grad.queries"));
    views.move_to(canvas.middle_of({"grad.queries", {0, 1, 0}}));
    EXPECT_EQ(views.selection.hovered, (TensorCell{"grad.queries", {0, 1, 0}}));
}

TEST_F(GradientLayer, GoesAndComesWithItsPinnedCell) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    toggle();
    EXPECT_FALSE(views.selection.shows_gradient);
    EXPECT_EQ(views.lab.document().gradient, "attention_weights[1,2]") << "it is still taken, but not shown";
    views.selection.visit({"queries", {0, 1, 0}}, views.lab.program());
    toggle();
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"grad.queries", {0, 1, 0}}));
    toggle();
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"queries", {0, 1, 0}}));
}

TEST_F(GradientLayer, TakesNoRoomUntilThereIsOne) {
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    const ViewContext context = canvas.context(theme);
    EXPECT_FALSE(has_gradient_choice(context));
    toggle();
    EXPECT_TRUE(has_gradient_choice(context));
    views.lab.undo();
    views.frame(3);
    EXPECT_FALSE(has_gradient_choice(context));
    EXPECT_FALSE(views.selection.shows_gradient);
}

} // namespace
} // namespace lab
