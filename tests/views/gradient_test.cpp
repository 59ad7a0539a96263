#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <optional>

#include "app/views/canvas_frame.h"
#include "app/views/explanation.h"
#include "app/views/gradient_choice.h"
#include "app/views/matrix_cells.h"
#include "app/views/phone_layout.h"
#include "app/views/step_choice.h"
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
    Fonts fonts;
    const Theme theme{kDarkPalette, fonts};

    void toggle() {
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

// Of a given number all slopes but its own are zeros: what is asked for is how it pulls on what is computed.
TEST_F(GradientLayer, WithAGivenNumberPinnedIsThatOfWhatIsComputedLast) {
    views.selection.visit({"inputs", {0, 1, 2}}, views.lab.program());
    toggle();
    const std::string target = views.lab.document().gradient;
    EXPECT_EQ(target.substr(0, 4), "sum(") << target;
    const Program& program = views.lab.program();
    const int node = program.find(target.substr(4, target.size() - 5));
    ASSERT_GE(node, 0) << target;
    EXPECT_FALSE(program.node(node).is_leaf());
    const int slopes = program.find("grad.inputs");
    ASSERT_GE(slopes, 0);
    EXPECT_NE(views.lab.trace().at(slopes, {0, 0, 0}), 0) << "another cell than the pinned one";
}

// What cannot be dragged says where it can.
TEST_F(GradientLayer, OfAGivenNumberLeadsBackToWhereItCanBeChanged) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    const std::string lead = "D leads back to the number, which can be changed";
    views.move_to(canvas.middle_of({"grad.inputs", {0, 1, 0}}));
    EXPECT_NE(views.ui.status_hint.find(lead), std::string::npos) << views.ui.status_hint;
    views.move_to(canvas.middle_of({"grad.queries", {0, 1, 0}}));
    EXPECT_EQ(views.ui.status_hint.find(lead), std::string::npos) << views.ui.status_hint;
}

// The line above the canvas makes the room smaller: what comes to lie under a mouse that rests was not pointed at.
TEST_F(GradientLayer, WhatItMovesUnderARestingMouseIsNotPointedAt) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    const ImVec2 mouse = canvas.middle_of({"inputs", {0, 4, 1}});
    views.move_to(mouse);
    ASSERT_TRUE(views.selection.hovered);
    toggle();
    const auto below = [&]() -> std::optional<Cell> {
        const ViewContext context = canvas.context(theme);
        return cell_at(context, matrix_view(context, canvas.placed("inputs")), mouse);
    };
    ASSERT_TRUE(below() && *below() != (Cell{0, 4, 1})) << "another cell lies there";
    EXPECT_FALSE(views.selection.hovered) << views.selection.hovered->tensor;
    views.move_to({mouse.x + 1, mouse.y});
    EXPECT_EQ(views.selection.hovered, (TensorCell{"grad.inputs", *below()})) << "it is once the mouse moves";
    views.move_to(mouse);
    const TensorCell last = *views.selection.hovered;
    toggle();
    toggle();
    EXPECT_EQ(views.selection.hovered, last) << "it lies there again";
}

// Also where the hint keeps its place, while one looks around.
TEST_F(GradientLayer, TheLineAboveLeavesTheHintOnTheCanvas) {
    views.ui.n_hints_dismissed = 0;
    views.frame(2);
    const auto card = [] { return window_with("##hint"); };
    ASSERT_NE(card(), nullptr);
    views.wheel({400, 300}, 0.25f);
    views.frame(2);
    const float before = views.ui.camera.area.top;
    views.ui.paints_mask = true;
    views.frame(2);
    ASSERT_GT(views.ui.camera.area.top, before);
    ASSERT_NE(card(), nullptr);
    EXPECT_LE(card()->Pos.y + card()->Size.y, 724);
    toggle();
    EXPECT_EQ(card(), nullptr) << "a slope cannot be dragged";
}

TEST_F(GradientLayer, StepsAreToldOfWhatIsShown) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    const auto choose_step_of = [&](const char* tensor) {
        ViewContext context = canvas.context(theme);
        choose_step(context, views.lab.program().node(views.lab.program().find(tensor)).stage);
        return views.selection.pinned()->tensor;
    };
    EXPECT_EQ(choose_step_of("queries"), "grad.queries");
    EXPECT_EQ(choose_step_of("attention_weights"), "grad.attention_weights")
        << "rather than what is there for gradients";
    EXPECT_TRUE(views.selection.shows_gradient);
    toggle();
    EXPECT_EQ(choose_step_of("queries"), "queries");
    EXPECT_EQ(choose_step_of("attention_weights"), "attention_weights");
    EXPECT_FALSE(views.selection.shows_gradient) << "they were hidden";
}

TEST_F(GradientLayer, TheNumberThatWasDraggedIsNotToldAfterItIsHidden) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    toggle();
    const ImVec2 place = canvas.middle_of({"inputs", {0, 1, 1}});
    views.drag(place, {place.x + 14, place.y});
    ASSERT_EQ(views.selection.hovered, (TensorCell{"inputs", {0, 1, 1}}));
    toggle();
    EXPECT_FALSE(views.selection.hovered)
        << "nor what came to lie under the mouse: " << views.selection.hovered->tensor;
}

// Where the mouse rests beside all matrices nothing moves under it.
TEST_F(GradientLayer, NorWhereTheDragEndedBesideAllMatrices) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    toggle();
    const TensorCell number{"inputs", {0, 1, 1}};
    const auto drag_aside = [&] {
        views.drag(canvas.middle_of(number), {40, 120});
        views.frame(2);
    };
    drag_aside();
    ASSERT_EQ(views.selection.hovered, number);
    toggle();
    EXPECT_FALSE(views.selection.hovered) << views.ui.status;
    toggle();
    drag_aside();
    ASSERT_EQ(views.selection.hovered, number);
    views.selection.toggle_fold("scaled_scores");
    views.frame(2);
    EXPECT_FALSE(views.selection.hovered) << "all is laid out anew";
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

TEST_F(GradientLayer, LeavesNoWordOfItselfWhenItGoes) {
    const TensorCell weight{"attention_weights", {0, 1, 2}};
    const auto texts = [&] {
        const Explanation told = explain(views.lab, weight, Viewpoint(views.selection));
        std::string text;
        for (const std::string& answer : told.answers) text += answer + "\n";
        for (const ExplanationFeed& feed : told.feeds) text += "\n" + feed.name;
        return text;
    };
    views.selection.visit(weight, views.lab.program());
    const std::string before = texts();
    toggle();
    EXPECT_NE(texts().find("With the score of"), std::string::npos) << texts();
    EXPECT_NE(texts().find("softmax_jacobian"), std::string::npos) << texts();
    toggle();
    ASSERT_GE(views.lab.program().target, 0) << "it is still taken, but not shown";
    EXPECT_EQ(texts(), before);
}

TEST_F(GradientLayer, FeedsNothingThatComesWithALaterStep) {
    const TensorCell score{"attention_scores", {0, 1, 2}};
    toggle();
    const Program& program = views.lab.program();
    views.selection.shown_stage = program.node(program.find("attention_scores")).stage;
    EXPECT_TRUE(explain(views.lab, score, Viewpoint(views.selection)).feeds.empty());
    views.selection.shown_stage.reset();
    EXPECT_FALSE(explain(views.lab, score, Viewpoint(views.selection)).feeds.empty());
}

TEST_F(GradientLayer, LeadsFromWhatIsThereForItOnlyToWhatThatWasMadeFrom) {
    toggle();
    views.selection.visit({"softmax_jacobian", {2, 1, 0}}, views.lab.program());
    toggle();
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"attention_weights", {0, 1, 2}}));
    views.selection.go_back(views.lab.program());
    EXPECT_EQ(views.selection.pinned()->tensor, "softmax_jacobian");
    EXPECT_TRUE(views.selection.shows_gradient) << "where one goes back to it";
    views.selection.go_forward(views.lab.program());
    EXPECT_EQ(views.selection.pinned()->tensor, "attention_weights");
    EXPECT_FALSE(views.selection.shows_gradient);
}

// What a distance is measured to is there for the gradient only, and is given.
TEST_F(GradientLayer, GoesWithWhatItsDistanceIsMeasuredTo) {
    ASSERT_TRUE(views.lab.perform(SetGradient{"distance(context_vectors)"}).has_value());
    views.frame(2);
    const Program& program = views.lab.program();
    views.selection.visit({"target", {0, 1, 0}}, program);
    EXPECT_EQ(shown_node(views.selection, program, program.find("target")), program.find("target")) << "to be changed";
    toggle();
    EXPECT_FALSE(views.selection.shows_gradient);
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"context_vectors", {0, 1, 0}}));
    EXPECT_FALSE(is_on_canvas(views.selection, program, program.find("target")));
    for (const PhoneTab& tab : phone_tabs(views.selection, program)) {
        for (int node : tab.nodes) EXPECT_LT(node, program.first_of_gradients()) << program.node(node).name;
    }
}

TEST_F(GradientLayer, TakesNoRoomUntilThereIsOne) {
    const ViewContext context = canvas.context(theme);
    EXPECT_FALSE(has_gradient_choice(context));
    toggle();
    EXPECT_TRUE(has_gradient_choice(context));
    views.lab.undo();
    views.frame(3);
    EXPECT_FALSE(has_gradient_choice(context));
}

TEST_F(GradientLayer, LeavesThePageAsItWasWhenItGoes) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    views.frame(2);
    const KeptLayout before = views.ui.canvas;
    const Rect area = views.ui.camera.area;
    toggle();
    EXPECT_NE(views.ui.canvas.layout.placed.size(), before.layout.placed.size()) << "the softmax' Jacobian";
    EXPECT_GT(views.ui.camera.area.top, area.top) << "the target";
    toggle();
    EXPECT_EQ(views.ui.camera.area.top, area.top);
    ASSERT_EQ(views.ui.canvas.layout.placed.size(), before.layout.placed.size());
    for (std::size_t i = 0; i < before.layout.placed.size(); ++i) {
        const PlacedNode &now = views.ui.canvas.layout.placed[i], &then = before.layout.placed[i];
        EXPECT_EQ(now.is_compact, then.is_compact) << "its formula";
        EXPECT_EQ(now.cells.left, then.cells.left);
        EXPECT_EQ(now.cells.top, then.cells.top);
        EXPECT_EQ(now.cells.right, then.cells.right);
    }
    EXPECT_EQ(views.ui.canvas.layout.edges, before.layout.edges);
    EXPECT_EQ(*views.selection.pinned(), (TensorCell{"attention_weights", {0, 1, 2}}));
    toggle();
    EXPECT_EQ(views.lab.document().gradient, "attention_weights[1,2]") << "of the same target again";
}

// A bias of keys adds the same to all scores of a row, which changes no weight: its slope is 0 but for rounding.
TEST(GradientColors, OfWhatIsZeroButForRoundingAreNone) {
    Canvas canvas;
    canvas.open("gpt2-block");
    const Program& before = canvas.views.lab.program();
    const std::string target = cell_target(before, {"blocks.0.attention_weights", {0, 5, 0}});
    ASSERT_TRUE(canvas.views.lab.perform(SetGradient{target}).has_value());
    canvas.views.selection.shows_gradient = true;
    canvas.views.frame(2);
    const Fonts fonts;
    const Theme theme{kDarkPalette, fonts};
    ViewContext context = canvas.context(theme);
    const Trace& trace = canvas.views.lab.trace();
    const auto scale_of = [&](const std::string& name) {
        const MatrixView view{.node = trace.program().find(name)};
        return matrix_frame(context, view).scale();
    };
    const auto magnitude = [&](const std::string& name) {
        const Trace::Extent range = trace.extent(trace.program().find("grad." + name));
        return std::max(-range.least, range.greatest);
    };
    const std::string noise = "blocks.0.b_key", signal = "blocks.0.W_key";
    ASSERT_LT(magnitude(noise), 1e-6f * magnitude(signal));
    EXPECT_GT(scale_of(noise).greatest, 2 * magnitude(noise));
    EXPECT_EQ(scale_of(signal).greatest, magnitude(signal));
}

// Of values, which weights are not made from.
TEST_F(GradientLayer, ThatIs0ThroughoutHasNoScale) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    ViewContext context = canvas.context(theme);
    const auto scale_of = [&](const std::string& name) {
        const MatrixView view{.node = context.lab.program().find(name)};
        return matrix_frame(context, view).scale();
    };
    EXPECT_TRUE(scale_of("W_value").is_all_0());
    EXPECT_FALSE(scale_of("W_query").is_all_0());
}

// How many corners of lines in the accent stand among the cells of a tensor.
int n_accented(Canvas& canvas, const std::string& tensor, Cell last) {
    const ImVec2 first = canvas.middle_of({tensor, {0, 0, 0}}), end = canvas.middle_of({tensor, last});
    const ImU32 accent = kDarkPalette.accent.u32();
    int n = 0;
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists) {
        for (const ImDrawVert& corner : list->VtxBuffer) {
            const bool is_inside =
                corner.pos.x > first.x && corner.pos.x < end.x && corner.pos.y > first.y && corner.pos.y < end.y;
            n += is_inside && corner.col == accent ? 1 : 0;
        }
    }
    return n;
}

TEST_F(GradientLayer, FramesWhatIsInTheSum) {
    views.selection.visit({"attention_weights", {0, 1, 2}}, views.lab.program());
    toggle();
    views.move_to(canvas.middle_of({"grad.W_query", {0, 1, 0}}));
    ASSERT_EQ(views.selection.hovered, (TensorCell{"grad.W_query", {0, 1, 0}}));
    EXPECT_GT(n_accented(canvas, "grad.queries", {0, 5, 1}), 0);
    EXPECT_EQ(n_accented(canvas, "grad.inputs", {0, 5, 2}), 0) << "inputs are in the sum, their gradient is not";
}

} // namespace
} // namespace lab
