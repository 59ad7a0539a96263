// How many cells an edit recomputes, counted by hand.
#include <set>

#include <gtest/gtest.h>

#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

// 4 tokens × 3 dimensions, causal, 2 heads with d_k 2 and d_v 2.
Lab two_heads() {
    Dice dice(61);
    Lab lab{"two heads", {}, {}};
    lab.settings.n_heads = 2;
    lab.settings.mask = MaskKind::causal;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(4, 3));
    for (const char* name : {"W_query", "W_key", "W_value"}) lab.tensors[name] = dice.tensor(Shape::matrix(3, 4));
    return lab;
}

// Small numbers, of which none is so great that GELU or softmax swallows a change.
Tensor small_numbers(Dice& dice, const Shape& shape) {
    std::vector<float> values = dice.tensor(shape).values();
    for (float& value : values) value /= 4;
    return {shape, values};
}

// 2 blocks of 3 tokens × 4 dimensions with an MLP 5 wide and nothing that normalises.
Lab two_blocks() {
    Dice dice(62);
    Lab lab{"two blocks", {}, {}};
    lab.settings.blocks.n = 2;
    lab.settings.blocks.mlp = Mlp::gelu;
    lab.tensors["inputs"] = small_numbers(dice, Shape::matrix(3, 4));
    for (const char* block : {"blocks.0.", "blocks.1."}) {
        for (const char* name : {"W_query", "W_key", "W_value"})
            lab.tensors[std::string(block) + name] = small_numbers(dice, Shape::matrix(4, 4));
        lab.tensors[std::string(block) + "W_up"] = small_numbers(dice, Shape::matrix(4, 5));
        lab.tensors[std::string(block) + "W_down"] = small_numbers(dice, Shape::matrix(5, 4));
    }
    return lab;
}

UpdateReport edit(Trace& trace, Lab& lab, const std::string& name, Cell cell) {
    Tensor& tensor = lab.tensors.at(name);
    tensor = tensor.with(cell, tensor.at(cell) + 0.3125f);
    return trace.update(lab.tensors);
}

std::set<std::string> changed_tensors(const UpdateReport& report, const Trace& trace) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < report.changed.size(); ++i) {
        if (!report.changed[i].empty()) names.insert(trace.program().nodes[i].name);
    }
    return names;
}

TEST(UpdateCount, OfACellOfTheInputsOfTwoHeads) {
    Lab lab = two_heads();
    Trace trace = run(lab);
    const UpdateReport report = edit(trace, lab, "inputs", {0, 2, 1});
    constexpr std::size_t kHeads = 2;
    const std::size_t projections = 3 * 2; // row 2
    const std::size_t scores = 4 + 4;      // row 2 and column 2
    const std::size_t scaled = 4 + 3;      // the same cells, each once
    const std::size_t masked = 4 + 3;
    const std::size_t weights = 4 + 4;  // rows 2 and 3: for 0 and 1 key 2 is forbidden
    const std::size_t contexts = 4 * 2; // value 2 may reach every row
    EXPECT_EQ(report.n_cells_computed, kHeads * (projections + scores + scaled + masked + weights + contexts));
}

TEST(UpdateCount, OfAColumnOfOneHeadIsInItsPlaneOnly) {
    Lab lab = two_heads();
    Trace trace = run(lab);
    const UpdateReport report = edit(trace, lab, "W_query", {0, 1, 2}); // column 0 of head 1
    const std::size_t queries = 4, scores = 16, scaled = 16, masked = 16, weights = 16;
    const std::size_t contexts = 3 * 2; // the first query has but one key, whose weight stays 1
    EXPECT_EQ(report.n_cells_computed, queries + scores + scaled + masked + weights + contexts);
    for (std::size_t i = 0; i < report.changed.size(); ++i) {
        if (trace.program().nodes[i].is_leaf()) continue;
        for (const Block& block : report.changed[i].blocks())
            EXPECT_EQ(block.planes, Range::at(1)) << trace.program().nodes[i].name;
    }
}

TEST(UpdateCount, OfALaterBlockLeavesTheEarlierOneAlone) {
    Lab lab = two_blocks();
    Trace trace = run(lab);
    const UpdateReport report = edit(trace, lab, "blocks.1.W_up", {0, 0, 1});
    const std::size_t up = 3, activations = 3, outputs = 12, residual = 12; // one column, then all
    EXPECT_EQ(report.n_cells_computed, up + activations + outputs + residual);
    const std::set<std::string> expected = {"blocks.1.W_up", "blocks.1.mlp_up", "blocks.1.mlp_activations",
                                            "blocks.1.mlp_outputs", "blocks.1.mlp_residual"};
    EXPECT_EQ(changed_tensors(report, trace), expected);
}

TEST(UpdateCount, OfAnEarlierBlockReachesTheLaterOne) {
    Lab lab = two_blocks();
    Trace trace = run(lab);
    const std::set<std::string> changed = changed_tensors(edit(trace, lab, "blocks.0.W_up", {0, 0, 1}), trace);
    EXPECT_EQ(changed.count("blocks.0.queries") + changed.count("blocks.0.attention_residual"), 0u);
    EXPECT_EQ(changed.count("blocks.1.queries") + changed.count("blocks.1.mlp_residual"), 2u);
}

TEST(UpdateCount, OfAMaskCellThatIsForbiddenAnywayIsNothing) {
    Lab lab = plain_lab();
    lab.settings.mask = MaskKind::causal;
    lab.tensors["mask"] = Dice(63).tensor(Shape::matrix(4, 4));
    Trace trace = run(lab);
    UpdateReport report = edit(trace, lab, "mask", {0, 0, 3});
    EXPECT_EQ(report.n_cells_computed, 0u);
    EXPECT_EQ(changed_tensors(report, trace), std::set<std::string>{"mask"});
    report = edit(trace, lab, "mask", {0, 3, 0});
    EXPECT_EQ(report.n_cells_computed, 1u + 1 + 4 + 3) << "what is added, its score, a row of weights, a context";
}

TEST(UpdateCount, OfWhatTheTargetDoesNotDependOnHasNoGradients) {
    Lab lab = plain_lab();
    const auto program = try_gradients(lab, "sum(queries)");
    ASSERT_TRUE(program) << program.error();
    Trace trace;
    trace.update(*program, lab.tensors);
    EXPECT_EQ(edit(trace, lab, "W_value", {0, 1, 1}).n_cells_computed, 4u + 4) << "a column of values, of contexts";
    const std::size_t forward = 4 + 3 * 16 + 4 * 3; // queries, scores to weights, contexts
    EXPECT_EQ(edit(trace, lab, "W_query", {0, 1, 1}).n_cells_computed, forward + 4) << "and a column of grad.inputs";
}

TEST(UpdateCount, OfAGradientThatIsSwitchedOnIsTheGradientsOwn) {
    const Lab lab = plain_lab();
    const auto program = try_gradients(lab, "sum(queries)");
    ASSERT_TRUE(program) << program.error();
    Trace trace = run(lab);
    EXPECT_EQ(trace.update(*program, lab.tensors).n_cells_computed, 8u + 12 + 6) << "of queries, inputs and W_query";
    EXPECT_EQ(update(trace, lab).n_cells_computed, 0u) << "switched off";
}

// Of neighbouring rows, too: a box around both would name cells that stayed.
TEST(UpdateCount, CellsOfRowsBelowEachOtherAreReportedApart) {
    Lab lab = two_heads();
    Trace trace = run(lab);
    Tensor& inputs = lab.tensors.at("inputs");
    inputs = inputs.with({0, 1, 0}, inputs.at({0, 1, 0}) + 0.25f).with({0, 2, 2}, inputs.at({0, 2, 2}) + 0.25f);
    const UpdateReport report = trace.update(lab.tensors);
    const Region& changed = report.changed[static_cast<std::size_t>(trace.program().find("inputs"))];
    EXPECT_EQ(changed.blocks(), (std::vector<Block>{Block::at({0, 1, 0}), Block::at({0, 2, 2})}));
}

} // namespace
