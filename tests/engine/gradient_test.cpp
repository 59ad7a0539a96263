// The gradient that is appended to a program: which tensors it has, small ones by hand, and what it refuses.
#include "engine/gradient.h"
#include "engine/plan.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

Trace gradients(const Lab& lab, const std::string& target) {
    const Result<Program> program = try_gradients(lab, target);
    EXPECT_TRUE(program) << program.error();
    Trace trace;
    if (program) trace.update(*program, lab.tensors);
    return trace;
}

std::string error_of(const Lab& lab, const std::string& target) {
    const Result<Program> program = try_gradients(lab, target);
    return program ? "no error" : program.error();
}

void expect_cells(const Trace& trace, const std::string& name, const std::vector<double>& expected) {
    const std::vector<float> actual = tensor_of(trace, name).values();
    ASSERT_EQ(actual.size(), expected.size()) << name;
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(static_cast<double>(actual[i]), expected[i], 1e-6) << name << " cell " << i;
}

bool is_zero(const Trace& trace, const std::string& name) {
    const std::vector<float> cells = tensor_of(trace, name).values();
    return std::all_of(cells.begin(), cells.end(), [](float cell) { return cell == 0; });
}

// Two tokens of one dimension that serve as queries, keys and values; the scale is 1.
Lab two_numbers(float first, float second) {
    Lab lab{"two numbers", {}, {}};
    lab.settings.projections = false;
    lab.tensors["inputs"] = matrix({{first}, {second}});
    return lab;
}

// One query and two keys whose scores are 0 and ln 3, so that the weights are 1/4 and 3/4.
Lab quarters() {
    Lab lab{"quarters", {}, {}};
    lab.tensors["queries"] = matrix({{1}});
    lab.tensors["keys"] = matrix({{0}, {std::log(3.0f)}});
    lab.tensors["values"] = matrix({{8}, {-4}});
    return lab;
}

TEST(Gradient, EveryTensorHasOneOfItsShape) {
    for (const Lab& lab : many_labs()) {
        SCOPED_TRACE(lab.name);
        const Program forward = program_of(lab);
        const Result<Program> program = try_gradients(lab, "sum(context_vectors)");
        ASSERT_TRUE(program) << program.error();
        EXPECT_EQ(program->target, forward.find("context_vectors"));
        for (int i = 0; i < static_cast<int>(forward.nodes.size()); ++i) {
            EXPECT_EQ(program->node(i).name, forward.node(i).name) << "what was there stays where it was";
            const int gradient = program->gradient(i);
            ASSERT_GE(gradient, 0) << forward.node(i).name;
            EXPECT_EQ(program->node(gradient).name, "grad." + forward.node(i).name);
            EXPECT_EQ(program->node(gradient).shape, forward.node(i).shape);
            EXPECT_EQ(program->node(gradient).gradient_of, i);
            EXPECT_FALSE(program->node(gradient).is_auxiliary);
        }
    }
}

TEST(Gradient, OfTheTargetIsOneInTheCellsThatItNames) {
    EXPECT_EQ(tensor_of(gradients(plain_lab(), "queries[2,1]"), "grad.queries").values(),
              (std::vector<float>{0, 0, 0, 0, 0, 1, 0, 0}));
    EXPECT_EQ(tensor_of(gradients(plain_lab(), "queries[1,:]"), "grad.queries").values(),
              (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(tensor_of(gradients(plain_lab(), "sum(queries)"), "grad.queries").values(), std::vector<float>(8, 1.0f));
}

TEST(Gradient, IsZeroWhereTheTargetDoesNotDepend) {
    const Trace trace = gradients(plain_lab(), "sum(attention_scores)");
    for (const char* name : {"grad.W_value", "grad.values", "grad.scaled_scores", "grad.attention_weights",
                             "grad.context_vectors", "grad.weighted_values"})
        EXPECT_TRUE(is_zero(trace, name)) << name;
    for (const char* name : {"grad.inputs", "grad.W_query", "grad.W_key", "grad.keys"})
        EXPECT_FALSE(is_zero(trace, name)) << name;
    const Expression why = trace.derive(trace.program().find("grad.W_value"), {});
    EXPECT_EQ(expression_text(why), "0.0000 (the target does not depend on it)");
}

// s[0,0] = x₀², s[0,1] = x₀ · x₁: the same number is query and key.
TEST(Gradient, AddsUpWhatEveryConsumerSays) {
    expect_cells(gradients(two_numbers(3, 5), "attention_scores[0,0]"), "grad.inputs", {6, 0});
    expect_cells(gradients(two_numbers(3, 5), "attention_scores[0,1]"), "grad.inputs", {5, 3});
    expect_cells(gradients(two_numbers(3, 5), "attention_scores[1,:]"), "grad.inputs", {5, 3 + 10});
    expect_cells(gradients(two_numbers(3, 5), "sum(attention_scores)"), "grad.inputs", {16, 16});
}

// ∂P[j]/∂s[k] = P[j] · (δ[j, k] − P[k])
TEST(Gradient, OfASoftmaxRowByHand) {
    const Trace trace = gradients(quarters(), "attention_weights[0,1]");
    const double slope = 3.0 / 16;
    for (const char* name : {"grad.scaled_scores", "grad.attention_scores"}) expect_cells(trace, name, {-slope, slope});
    expect_cells(trace, "grad.keys", {-slope, slope});
    expect_cells(trace, "grad.queries", {slope * std::log(3.0)});
    expect_cells(trace, "grad.values", {0, 0});
    expect_cells(trace, "softmax_jacobian", {slope, -slope, -slope, slope});
}

// Σ_j ∂T/∂P[j] · ∂P[j]/∂s[k] = ∂T/∂s[k] of every head.
void check_jacobian(const Lab& lab) {
    const Trace trace = gradients(lab, "sum(context_vectors)");
    ASSERT_GE(trace.program().find("softmax_jacobian"), 0);
    const Tensor slopes = tensor_of(trace, "softmax_jacobian"), g = tensor_of(trace, "grad.attention_weights"),
                 expected = tensor_of(trace, "grad.masked_scores");
    const Shape shape = g.shape();
    ASSERT_EQ(slopes.shape(), Shape::stack(shape.planes * shape.cols, shape.rows, shape.cols));
    for_each_cell(shape, [&](Cell cell) {
        float sum = 0;
        for (int j = 0; j < shape.cols; ++j)
            sum += slopes.at({cell.plane * shape.cols + j, cell.row, cell.col}) * g.at({cell.plane, cell.row, j});
        EXPECT_NEAR(sum, expected.at(cell), 2e-5f * (1 + std::fabs(expected.at(cell)))) << to_text(cell);
    });
}

TEST(Gradient, EveryNormaliserHasItsJacobianByHead) {
    for (const Normalization kind : {Normalization::softmax, Normalization::naive_softmax, Normalization::sum,
                                     Normalization::sparsemax, Normalization::top_k_softmax}) {
        for (const bool sink : {false, true}) {
            if (sink && !takes_sink(kind)) continue;
            SCOPED_TRACE(static_cast<int>(kind));
            Lab lab = plain_lab();
            lab.settings.normalization = kind;
            lab.settings.mask = MaskKind::causal;
            lab.settings.top_k = 2;
            lab.settings.sink = sink;
            lab.settings.n_heads = 2;
            lab.tensors["W_value"] = lab.tensors.at("W_query"); // columns for two heads
            lab.tensors["sink"] = vector({0.5f, -1});
            check_jacobian(lab);
        }
    }
}

// z = Σ P[j] v[j] = −1: ∂z/∂v = P and ∂z/∂s[j] = P[j] · (v[j] − z)
TEST(Gradient, OfAContextByHand) {
    const Trace trace = gradients(quarters(), "context_vectors[0,0]");
    expect_cells(trace, "grad.values", {0.25, 0.75});
    expect_cells(trace, "grad.attention_weights", {8, -4});
    expect_cells(trace, "grad.scaled_scores", {0.25 * 9, 0.75 * -3});
}

TEST(Gradient, NothingComesFromAKeyThatIsForbidden) {
    Lab lab = plain_lab();
    lab.settings.mask = MaskKind::causal;
    const Trace trace = gradients(lab, "context_vectors[1,0]");
    const Tensor scores = tensor_of(trace, "grad.scaled_scores");
    for_each_cell(scores.shape(),
                  [&](Cell cell) { EXPECT_EQ(scores.at(cell) != 0, cell.row == 1 && cell.col <= 1) << to_text(cell); });
    const Tensor inputs = tensor_of(trace, "grad.inputs");
    for (int d = 0; d < 3; ++d) EXPECT_TRUE(inputs.at({0, 2, d}) == 0 && inputs.at({0, 3, d}) == 0);
}

TEST(Gradient, OfADistanceIsTheDirectionAway) {
    Lab lab = two_numbers(3, 5);
    lab.tensors["target"] = matrix({{0}, {1}});
    const Trace trace = gradients(lab, "distance(inputs)");
    expect_cells(trace, "grad.inputs", {0.6, 0.8});
    expect_cells(trace, "grad.target", {-0.6, -0.8});
    const Program& program = trace.program();
    EXPECT_EQ(program.gradient(program.find("target")), program.find("grad.target"));
    EXPECT_EQ(program.formula(program.find("grad.target")), "grad.inputs · (−1)");
    EXPECT_EQ(gradients(lab, "sum(inputs)").program().find("grad.target"), -1) << "nothing is measured to it";
}

TEST(Gradient, OfADistanceOfZeroIsZero) {
    Lab lab = plain_lab();
    lab.tensors["target"] = tensor_of(run(lab), "context_vectors");
    const Trace trace = gradients(lab, "distance(context_vectors)");
    for (const Node& node : trace.program().nodes) {
        EXPECT_TRUE(!node.is_of_gradient() || is_zero(trace, node.name)) << node.name;
    }
}

TEST(Gradient, RefusesATargetThatIsNotThere) {
    EXPECT_EQ(error_of(plain_lab(), "sum(outputs)"),
              "the target is of the tensor outputs but it is not computed; there are inputs and 11 more");
    EXPECT_EQ(error_of(plain_lab(), "logprob(0,1)"),
              "the target is of the tensor log_probabilities but it is not computed: unembedding is \"none\"");
    EXPECT_EQ(error_of(plain_lab(), "queries[4,0]"), "the target's index is 4 but queries is 4 × 2, counted from 0");
    EXPECT_EQ(error_of(plain_lab(), "queries[0,2]"), "the target's index is 2 but queries is 4 × 2, counted from 0");
    EXPECT_EQ(error_of(plain_lab(), "queries[0,1,1]"), "the target queries is 4 × 2 but 3 index numbers are given");
    EXPECT_EQ(error_of(plain_lab(), "queries[0]"), "the target queries is 4 × 2 but 1 index number is given");
}

TEST(Gradient, RefusesADistanceToNothingOrToAnotherShape) {
    Lab lab = plain_lab();
    EXPECT_EQ(error_of(lab, "distance(queries)"), "the tensor target is missing but the target is distance(queries)");
    lab.tensors["target"] = matrix({{1, 2}});
    EXPECT_EQ(error_of(lab, "distance(queries)"), "target is 1 × 2 but queries is 4 × 2");
}

TensorShapes of_one_dimension(int n_tokens) {
    const Shape shape = Shape::matrix(n_tokens, 1);
    return {{"queries", shape}, {"keys", shape}, {"values", shape}};
}

// Gradients read weights by columns, too, so that they and their gradients are held: 268 million numbers each.
TEST(Gradient, RefusesWhatMemoryCannotHold) {
    const TensorShapes shapes = of_one_dimension(16384);
    const Result<Program> forward = build_program({}, shapes);
    ASSERT_TRUE(forward) << forward.error();
    const auto program = with_gradients(*forward, *read_gradient_target("sum(context_vectors)", {}), shapes);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error(), "the gradient of 16,384 tokens does not fit into memory, but that of about 8,100 does");
    const auto fits = [](int n) {
        const TensorShapes of_n = of_one_dimension(n);
        return with_gradients(*build_program({}, of_n), *read_gradient_target("sum(context_vectors)", {}), of_n);
    };
    EXPECT_TRUE(fits(8100));
    EXPECT_FALSE(fits(8200));
}

// Of as many tokens as dimensions, and after a past: what a shorter text would take cannot be told by numbers of rows and columns.
TEST(Gradient, ThatMemoryCannotHoldNamesNoLengthWhereOneWouldBeAGuess) {
    const auto error_of_gradient = [](const AttentionSettings& settings, const TensorShapes& shapes, const char* of) {
        const Result<Program> forward = build_program(settings, shapes);
        if (!forward) return forward.error();
        const auto program = with_gradients(*forward, *read_gradient_target(of, {}), shapes);
        return program ? std::string("it fits") : program.error();
    };
    const auto of_width = [&](int d) {
        AttentionSettings settings;
        settings.n_heads = 16;
        TensorShapes shapes{{"inputs", Shape::matrix(2048, d)}};
        for (const char* name : {"W_query", "W_key", "W_value", "W_output"}) shapes[name] = Shape::matrix(d, d);
        return error_of_gradient(settings, shapes, "sum(outputs)");
    };
    EXPECT_EQ(of_width(2048).rfind("the gradient brings the tensors to ", 0), 0u) << of_width(2048);
    EXPECT_EQ(of_width(2032).rfind("the gradient of 2,048 tokens does not fit", 0), 0u) << of_width(2032);
    TensorShapes shapes = of_one_dimension(9000);
    shapes["past_keys"] = shapes["past_values"] = Shape::matrix(12000, 1);
    const std::string after_past = error_of_gradient({}, shapes, "sum(context_vectors)");
    EXPECT_EQ(after_past.rfind("the gradient brings the tensors to ", 0), 0u) << after_past;
}

// The seed of a gradient is 0 nearly everywhere: beside what is computed from it row by row it takes no memory.
TEST(Gradient, OfAWeightOfALongTextStoresNoTarget) {
    const TensorShapes shapes = of_one_dimension(700);
    const auto program =
        with_gradients(*build_program({}, shapes), *read_gradient_target("attention_weights[3,2]", {}), shapes);
    ASSERT_TRUE(program);
    const Plan plan = make_plan(*program, kMostStoredInteractively);
    const auto is_stored = [&](const char* name) {
        return plan.is_stored[static_cast<std::size_t>(program->find(name))];
    };
    EXPECT_FALSE(is_stored("grad.attention_weights"));
    EXPECT_TRUE(is_stored("grad.queries"));
}

} // namespace
