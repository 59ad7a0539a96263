#include <gtest/gtest.h>

#include "app/session/lab.h"
#include "tests/session/support.h"

namespace {

using namespace lab;

TEST(SetGradient, GivesEveryTensorItsGradientUntilItIsSwitchedOff) {
    Lab lab;
    ASSERT_TRUE(lab.perform(SetGradient{"context_vectors[1,0]"}));
    lab.refresh();
    const Program& program = lab.program();
    for (const char* name : {"inputs", "W_query", "attention_weights", "context_vectors"}) {
        const int gradient = program.gradient(program.find(name));
        ASSERT_GE(gradient, 0) << name;
        EXPECT_EQ(program.node(gradient).shape, program.node(program.find(name)).shape) << name;
    }
    EXPECT_EQ(lab.undo_label(), "take the gradient of context_vectors[1,0]");
    ASSERT_TRUE(lab.undo());
    lab.refresh();
    EXPECT_EQ(lab.program().find("grad.inputs"), -1);
}

TEST(SetGradient, FollowsEveryEdit) {
    Lab lab;
    ASSERT_TRUE(lab.perform(SetGradient{"context_vectors[1,0]"}));
    lab.refresh();
    const auto slope = [&] { return lab.trace().at(lab.program().find("grad.W_value"), {0, 0, 0}); };
    const float before = slope();
    ASSERT_TRUE(lab.perform(SetCell{"inputs", {0, 0, 0}, 3.0f}));
    lab.refresh();
    EXPECT_NE(slope(), before);
}

TEST(SetGradient, GoesWithTheRowThatItIsOf) {
    Lab lab;
    ASSERT_TRUE(lab.perform(SetGradient{"context_vectors[5,0]"}));
    ASSERT_TRUE(lab.perform(RemoveToken{0}));
    EXPECT_EQ(lab.document().gradient, "");
    ASSERT_TRUE(lab.undo());
    EXPECT_EQ(lab.document().gradient, "context_vectors[5,0]");
    ASSERT_TRUE(lab.perform(SetCell{"inputs", {0, 0, 0}, 3.0f}));
    EXPECT_EQ(lab.document().gradient, "context_vectors[5,0]");
}

TEST(SetGradient, ADistanceBringsItsTarget) {
    Lab lab;
    ASSERT_TRUE(lab.perform(SetGradient{"distance(context_vectors)"}));
    EXPECT_EQ(lab.document().tensors.at("target").shape(), Shape::matrix(6, 2));
}

TEST(SetGradient, WhatIsNoTargetIsRefusedAndNothingIsLost) {
    Lab lab;
    const auto refused = lab.perform(SetGradient{"context_vectors[9,0]"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), "the target's index is 9 but context_vectors is 6 × 2, counted from 0");
    EXPECT_FALSE(lab.perform(SetGradient{"nonsense"}));
    EXPECT_EQ(lab.document().gradient, "");
    EXPECT_FALSE(lab.can_undo());
}

} // namespace
