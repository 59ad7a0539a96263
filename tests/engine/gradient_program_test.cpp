// What a program has beside the numbers of its gradients: how these are shown, and the slopes of its softmax.
#include <gtest/gtest.h>

#include "engine/gradient.h"
#include "engine/sources.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

// A query that attends to so many keys.
bool has_jacobian(int n_keys, const AttentionSettings& settings) {
    const TensorShapes shapes = {
        {"queries", Shape::matrix(1, 1)}, {"keys", Shape::matrix(n_keys, 1)}, {"values", Shape::matrix(n_keys, 1)}};
    const Result<Program> forward = build_program(settings, shapes);
    EXPECT_TRUE(forward) << forward.error();
    const auto program = with_gradients(*forward, *read_gradient_target("sum(context_vectors)", {}), shapes);
    EXPECT_TRUE(program) << program.error();
    return program->find("softmax_jacobian") >= 0;
}

TEST(GradientProgram, ShowsSlopesOfWeightsWithASign) {
    Lab lab = plain_lab();
    const auto program = try_gradients(lab, "context_vectors[1,0]");
    ASSERT_TRUE(program) << program.error();
    const Node& weights = program->node(program->find("attention_weights"));
    const Node& slopes = program->node(program->find("grad.attention_weights"));
    EXPECT_TRUE(weights.presentation.non_negative);
    EXPECT_FALSE(slopes.presentation.non_negative);
    EXPECT_EQ(slopes.presentation.meaning, "how much the target grows with attention_weights of {row}, {col}");
    EXPECT_EQ(slopes.presentation.column, weights.presentation.column);
    EXPECT_FALSE(slopes.is_auxiliary);
}

TEST(GradientProgram, WhatTheTargetDoesNotDependOnIsKnownToBeZeroWithoutBeingRead) {
    const Lab lab = plain_lab();
    const auto program = try_gradients(lab, "queries[1,0]");
    ASSERT_TRUE(program) << program.error();
    Trace trace;
    trace.update(*program, lab.tensors);
    const int contexts = program->find("grad.context_vectors"), queries = program->find("grad.queries");
    EXPECT_NE(dynamic_cast<const ConstantSource*>(trace.source(contexts).get()), nullptr);
    EXPECT_EQ(dynamic_cast<const ConstantSource*>(trace.source(queries).get()), nullptr);
    EXPECT_EQ(trace.extent(contexts), (Extent{0, 0}));
    EXPECT_TRUE(trace.has_seen_finite(contexts));
}

TEST(GradientProgram, HasWhatItHasWithoutGradientsBeforeThem) {
    Lab lab = plain_lab();
    const Program without = program_of(lab), with = try_gradients(lab, "context_vectors[1,0]").value();
    const int n_without = static_cast<int>(without.nodes.size());
    EXPECT_EQ(without.first_of_gradients(), n_without);
    EXPECT_EQ(with.first_of_gradients(), n_without);
    for (int i = 0; i < n_without; ++i) EXPECT_EQ(with.node(i).name, without.node(i).name);
    EXPECT_TRUE(with.node(n_without).is_of_gradient());
    EXPECT_FALSE(with.node(n_without - 1).is_of_gradient());
    EXPECT_GE(with.find("softmax_jacobian"), n_without) << "what stands beside gradients is behind them";
    lab.tensors["target"] = tensor_of(run(lab), "context_vectors");
    const Program to_target = try_gradients(lab, "distance(context_vectors)").value();
    EXPECT_EQ(to_target.first_of_gradients(), n_without);
    EXPECT_GE(to_target.find("target"), n_without);
}

TEST(GradientProgram, HasEveryGradientInTheSectionOfItsTensor) {
    Dice dice(71);
    Lab lab{"two blocks", {}, {{"inputs", dice.tensor(Shape::matrix(3, 2))}}};
    lab.settings.blocks.n = 2;
    for (const char* block : {"blocks.0.", "blocks.1."}) {
        for (const char* name : {"W_query", "W_key", "W_value"})
            lab.tensors[std::string(block) + name] = dice.tensor(Shape::matrix(2, 2));
    }
    const GradientTarget target = *read_gradient_target("sum(blocks.1.attention_residual)", {});
    const auto program = with_gradients(program_of(lab), target, shapes_of(lab.tensors));
    ASSERT_TRUE(program) << program.error();
    const auto section = [&](const char* name) { return program->node(program->find(name)).section; };
    EXPECT_NE(section("grad.blocks.0.attention_weights"), section("grad.blocks.1.attention_weights"));
    for (int i = 0; i <= program->target; ++i)
        EXPECT_EQ(program->node(program->gradient(i)).section, program->node(i).section) << program->node(i).name;
}

TEST(GradientProgram, RefusesAnIndexBelowZero) {
    const Lab lab = plain_lab();
    const GradientTarget target{GradientTarget::Kind::cells, "queries", {-2, 0}};
    const auto program = with_gradients(program_of(lab), target, shapes_of(lab.tensors));
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error(), "the target's index is -2 but queries is 4 × 2, counted from 0");
}

TEST(SoftmaxJacobianOfAProgram, HasAtMostAMillionCells) {
    EXPECT_TRUE(has_jacobian(1000, {}));
    EXPECT_FALSE(has_jacobian(1001, {})) << "1001 × 1 × 1001 cells";
}

TEST(SoftmaxJacobianOfAProgram, IsOfWhateverMadeTheWeights) {
    for (const Normalization kind : {Normalization::softmax, Normalization::sum, Normalization::sparsemax}) {
        AttentionSettings settings;
        settings.normalization = kind;
        EXPECT_TRUE(has_jacobian(3, settings));
    }
}

} // namespace
