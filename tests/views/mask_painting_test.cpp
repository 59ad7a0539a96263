#include <cmath>

#include <gtest/gtest.h>

#include "app/views/canvas_frame.h"
#include "app/views/mask_painting.h"
#include "tests/views/canvas_support.h"

// The mask painted by hand on scores and weights.
namespace lab {
namespace {

using test::Canvas;

class MaskPainting : public testing::Test {
  protected:
    MaskPainting() {
        views.performs = true;
        EXPECT_TRUE(views.lab.open_preset("trainable"));
        views.frame(3);
        toggle();
    }

    void toggle() {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext context = canvas.context(theme);
        toggle_mask_painting(context);
        for (const CommandRequest& request : views.take_commands()) EXPECT_TRUE(views.lab.perform(request.command));
        views.frame(3);
    }
    void mask_causally() {
        AttentionSettings settings = views.lab.document().attention;
        settings.mask = MaskKind::causal;
        EXPECT_TRUE(views.lab.perform(SetAttention{settings}));
        views.frame(3);
    }
    bool is_forbidden(int i, int j) {
        const auto& tensors = views.lab.document().tensors;
        return tensors.count("mask") > 0 && std::isinf(tensors.at("mask").at({0, i, j}));
    }
    void press_cell(int i, int j) {
        const ImVec2 at = canvas.middle_of({"attention_weights", {0, i, j}});
        views.press(at);
        views.release();
        views.frame(3);
    }

    Canvas canvas{{812, 724}};
    HeadlessViews& views = canvas.views;
};

TEST_F(MaskPainting, APressForbidsAndAllowsAgain) {
    press_cell(1, 2);
    EXPECT_TRUE(is_forbidden(1, 2));
    EXPECT_FALSE(is_forbidden(2, 1));
    EXPECT_EQ(views.lab.document().attention.mask, MaskKind::tensor);
    EXPECT_EQ(views.lab.trace().at(views.lab.program().find("attention_weights"), {0, 1, 2}), 0.0f);
    press_cell(1, 2);
    EXPECT_FALSE(is_forbidden(1, 2));
}

// Nothing would be seen of it but a second mask, that moves what is on the canvas.
TEST_F(MaskPainting, WhatACausalMaskForbidsIsNotPainted) {
    mask_causally();
    press_cell(1, 4);
    EXPECT_EQ(views.lab.document().tensors.count("mask"), 0u);
    EXPECT_TRUE(views.ui.status_hint.starts_with("another mask forbids")) << views.ui.status_hint;
    press_cell(4, 1);
    EXPECT_TRUE(is_forbidden(4, 1));
    EXPECT_TRUE(views.ui.status_hint.starts_with("press to forbid")) << views.ui.status_hint;
    press_cell(4, 1);
    EXPECT_FALSE(is_forbidden(4, 1)) << "what was painted is taken away again";
}

// Begun among what the causal mask forbids, a stroke paints what it comes to beyond, and does not move the canvas.
TEST_F(MaskPainting, AStrokeMayBeginWhereNothingIsPainted) {
    mask_causally();
    views.press(canvas.middle_of({"attention_weights", {0, 3, 5}}));
    views.frame(2);
    for (int j = 4; j >= 2; --j) {
        views.move_to(canvas.middle_of({"attention_weights", {0, 3, j}}));
        views.frame(2);
    }
    EXPECT_TRUE(views.ui.camera.is_fitted) << "it is not moved";
    views.release();
    views.frame(3);
    EXPECT_TRUE(is_forbidden(3, 3) && is_forbidden(3, 2));
    EXPECT_FALSE(is_forbidden(3, 5) || is_forbidden(3, 4) || is_forbidden(3, 1));
}

TEST_F(MaskPainting, AStrokeIsOneStepOfUndo) {
    views.press(canvas.middle_of({"attention_weights", {0, 1, 1}}));
    views.frame(2);
    for (int j = 2; j < 5; ++j) {
        views.move_to(canvas.middle_of({"attention_weights", {0, 1, j}}));
        views.frame(2);
    }
    EXPECT_TRUE(views.ui.camera.is_fitted) << "it paints, it does not pan";
    views.release();
    for (int j = 1; j < 5; ++j) EXPECT_TRUE(is_forbidden(1, j)) << j;
    views.lab.undo();
    for (int j = 1; j < 5; ++j) EXPECT_FALSE(is_forbidden(1, j)) << j;
    EXPECT_EQ(views.lab.document().attention.mask, MaskKind::none) << "as before painting began";
    EXPECT_EQ(views.lab.document().tensors.count("mask"), 0u);
    EXPECT_FALSE(views.lab.undo_label().find("mask") != std::string::npos) << "one step of undo took it all back";
}

// As with any other mask.
TEST_F(MaskPainting, WhatTheFirstStrokeAddsIsFittedIntoView) {
    const std::size_t n_placed = views.ui.canvas.layout.placed.size();
    press_cell(1, 2);
    ASSERT_GT(views.ui.canvas.layout.placed.size(), n_placed) << "there is a mask now";
    EXPECT_TRUE(views.ui.camera.is_fitted);
    const CanvasFrame frame{views.ui.canvas.layout, views.ui.camera};
    for (const PlacedNode& placed : views.ui.canvas.layout.placed) {
        const Rect area = frame.around(placed), view = views.ui.camera.area;
        EXPECT_EQ(area.intersection(view), area) << views.lab.program().node(placed.node).name;
    }
}

// Who has zoomed in looks at what is painted.
TEST_F(MaskPainting, ZoomedInWhatTheFirstStrokeAddsMovesNothingUnderTheMouse) {
    const TensorCell cell{"attention_weights", {0, 1, 2}}, next{"attention_weights", {0, 1, 3}};
    views.wheel(canvas.middle_of(cell), 3);
    ASSERT_FALSE(views.ui.camera.is_fitted);
    const ImVec2 at = canvas.middle_of(cell);
    const float pitch = canvas.middle_of(next).x - at.x;
    const std::size_t n_placed = views.ui.canvas.layout.placed.size();
    press_cell(1, 2);
    ASSERT_GT(views.ui.canvas.layout.placed.size(), n_placed);
    EXPECT_NEAR(canvas.middle_of(cell).x, at.x, 1);
    EXPECT_NEAR(canvas.middle_of(cell).y, at.y, 1);
    EXPECT_NEAR(canvas.middle_of(next).x - at.x, pitch, 1);
}

TEST_F(MaskPainting, ZoomedInAStrokeThatEndsBesideTheMatrixMovesNothingEither) {
    const TensorCell cell{"attention_weights", {0, 1, 2}};
    views.wheel(canvas.middle_of(cell), 1);
    ASSERT_FALSE(views.ui.camera.is_fitted);
    const ImVec2 at = canvas.middle_of(cell), last = canvas.middle_of({"attention_weights", {0, 1, 5}});
    const float right = last.x + (last.x - at.x) / 3;
    views.press(at);
    for (const ImVec2 to : {last, ImVec2{right, at.y}}) {
        views.move_to(to);
        views.frame(2);
    }
    views.release();
    {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext context = canvas.context(theme);
        settle_mask_stroke(context); // as the application does once a frame
    }
    for (const CommandRequest& request : views.take_commands()) EXPECT_TRUE(views.lab.perform(request.command));
    views.frame(3);
    ASSERT_TRUE(is_forbidden(1, 2));
    EXPECT_NEAR(canvas.middle_of(cell).x, at.x, 1);
    EXPECT_NEAR(canvas.middle_of(cell).y, at.y, 1);
}

// Matrices come in above it, and it had been scrolled to.
TEST_F(MaskPainting, WhatIsPaintedStaysInSight) {
    toggle();
    canvas.open("gpt2-block");
    const TensorCell cell{"blocks.0.attention_weights", {0, 1, 1}};
    views.selection.visit(cell, views.lab.program());
    views.frame(3);
    toggle();
    const ImVec2 at = canvas.middle_of(cell);
    views.press(at);
    views.release();
    views.frame(3);
    EXPECT_TRUE(views.ui.camera.is_fitted);
    EXPECT_NEAR(canvas.middle_of(cell).y, at.y, 100);
}

TEST_F(MaskPainting, TheKeyAloneChangesNothing) {
    EXPECT_TRUE(views.ui.paints_mask);
    EXPECT_EQ(views.lab.document().tensors.count("mask"), 0u);
    EXPECT_EQ(views.lab.document().attention.mask, MaskKind::none);
    const ImVec2 at = canvas.middle_of({"attention_weights", {0, 1, 2}});
    views.press(at);
    views.frame(2);
    EXPECT_EQ(views.lab.document().tensors.count("mask"), 0u) << "nothing moves under the mouse";
    views.move_to({5, 700});
    views.release();
    {
        const Fonts fonts;
        const Theme theme{kDarkPalette, fonts};
        ViewContext context = canvas.context(theme);
        settle_mask_stroke(context);
    }
    for (const CommandRequest& request : views.take_commands()) EXPECT_TRUE(views.lab.perform(request.command));
    EXPECT_TRUE(is_forbidden(1, 2)) << "let go elsewhere";
}

// The mouse is looked at once a frame: what lies between two looks is passed, too.
TEST_F(MaskPainting, AFastStrokeSkipsNoCell) {
    views.press(canvas.middle_of({"attention_weights", {0, 1, 0}}));
    views.frame(1);
    views.move_to(canvas.middle_of({"attention_weights", {0, 1, 5}}));
    views.frame(2);
    views.release();
    for (int j = 0; j < 6; ++j) EXPECT_TRUE(is_forbidden(1, j)) << j;
    press_cell(0, 1);
    EXPECT_TRUE(is_forbidden(0, 1));
    EXPECT_FALSE(is_forbidden(0, 3)) << "another stroke begins where it is pressed";
    views.lab.undo();
    EXPECT_FALSE(is_forbidden(0, 1));
    EXPECT_TRUE(is_forbidden(1, 3));
    views.lab.undo();
    for (int j = 0; j < 6; ++j) EXPECT_FALSE(is_forbidden(1, j)) << j;
}

TEST_F(MaskPainting, OffAPressPinsAsEver) {
    toggle();
    press_cell(1, 2);
    EXPECT_FALSE(is_forbidden(1, 2));
    ASSERT_NE(views.selection.pinned(), nullptr);
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"attention_weights", {0, 1, 2}}));
}

TEST_F(MaskPainting, OtherMatricesAreEditedAsEver) {
    views.press(canvas.middle_of({"inputs", {0, 1, 1}}));
    views.release();
    for (int j = 0; j < 6; ++j) EXPECT_FALSE(is_forbidden(1, j));
}

} // namespace
} // namespace lab
