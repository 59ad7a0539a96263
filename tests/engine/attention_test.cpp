#include "engine/attention.h"

#include <gtest/gtest.h>

#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

std::string names_of(const Program& program) {
    std::string names;
    for (const Node& node : program.nodes) names += (names.empty() ? "" : " ") + node.name;
    return names;
}

// The sentence with which a lab is refused; empty if it is not.
std::string refusal_of(const Lab& lab) {
    const Result<Program> program = try_program(lab);
    return program ? std::string() : program.error();
}

std::string refusal_with(Lab lab, const std::string& tensor, const Shape& shape) {
    lab.tensors[tensor] = Tensor(shape);
    return refusal_of(lab);
}

std::string refusal_without(Lab lab, const std::string& tensor) {
    lab.tensors.erase(tensor);
    return refusal_of(lab);
}

template <class Change> std::string refusal_after(Lab lab, Change change) {
    change(lab.settings);
    return refusal_of(lab);
}

TEST(BuildProgram, NamesTheStepsInTheContractsOrder) {
    EXPECT_EQ(names_of(program_of(plain_lab())),
              "inputs W_query queries W_key keys W_value values attention_scores scaled_scores "
              "attention_weights weighted_values context_vectors");
    EXPECT_EQ(names_of(program_of(without_projections(plain_lab()))),
              "inputs attention_scores scaled_scores attention_weights weighted_values context_vectors");
    EXPECT_EQ(names_of(program_of(given_lab())),
              "queries keys values attention_scores scaled_scores attention_weights weighted_values context_vectors");
    EXPECT_EQ(names_of(program_of(with_biases(plain_lab()))),
              "inputs W_query b_query queries W_key keys W_value b_value values attention_scores scaled_scores "
              "attention_weights "
              "weighted_values context_vectors");
}

TEST(BuildProgram, MaskAndRoundingStandWhereTheContractSays) {
    Lab lab = without_projections(plain_lab());
    lab.settings.mask = MaskKind::causal;
    lab.settings.round_weights = 2;
    const std::string after_mask = "attention_weights rounded_weights weighted_values context_vectors";
    EXPECT_EQ(names_of(program_of(lab)),
              "inputs attention_scores scaled_scores combined_mask masked_scores " + after_mask);
    lab.tensors["mask"] = Tensor(Shape::matrix(4, 4));
    EXPECT_EQ(names_of(program_of(lab)),
              "inputs attention_scores scaled_scores mask combined_mask masked_scores " + after_mask);
    lab.settings.mask = MaskKind::none;
    EXPECT_EQ(names_of(program_of(lab)), "inputs attention_scores scaled_scores " + after_mask) << "kept but not used";
}

TEST(BuildProgram, ShapesFollowTheContract) {
    const Program program = program_of(given_lab());
    const auto shape = [&](const char* name) { return program.node(program.find(name)).shape; };
    EXPECT_EQ(shape("attention_scores"), Shape::matrix(4, 5)) << "queries × keys";
    EXPECT_EQ(shape("attention_weights"), Shape::matrix(4, 5));
    EXPECT_EQ(shape("weighted_values"), Shape::stack(5, 4, 3)) << "keys × queries × d_v";
    EXPECT_EQ(shape("context_vectors"), Shape::matrix(4, 3));
}

TEST(BuildProgram, DefaultScaleIsOneOverTheRootOfTheKeysWidth) {
    Lab lab = given_lab();
    lab.tensors["queries"] = matrix({{2, 0, 0, 0}});
    lab.tensors["keys"] = Tensor(Shape::matrix(5, 4), 1.0f);
    const Trace trace = run(lab);
    EXPECT_EQ(trace.at(trace.program().find("attention_scores"), {0, 0, 0}), 2.0f);
    EXPECT_EQ(trace.at(trace.program().find("scaled_scores"), {0, 0, 0}), 1.0f) << "d_k is 4, d_v is 3";
    EXPECT_EQ(trace.program().formula(trace.program().find("scaled_scores")), "attention_scores · 1/√4");
}

TEST(BuildProgram, WeightedValuesAreThereUpToAMillionCells) {
    const auto has_them = [](int n_tokens, int d_v) {
        AttentionSettings settings;
        const Shape keys = Shape::matrix(n_tokens, 1);
        const auto program =
            build_program(settings, {{"queries", keys}, {"keys", keys}, {"values", Shape::matrix(n_tokens, d_v)}});
        return program.value().find("weighted_values") >= 0;
    };
    EXPECT_TRUE(has_them(100, 100));
    EXPECT_FALSE(has_them(100, 101));
    EXPECT_FALSE(has_them(4096, 256)) << "2^32 cells, which is 0 in the 32 bits of WebAssembly";
}

TEST(BuildProgram, RefusesMoreCellsThanMemoryHolds) {
    AttentionSettings settings;
    settings.projections = false;
    const auto refusal = [&](const TensorShapes& shapes) {
        const auto program = build_program(settings, shapes);
        return program ? std::string() : program.error();
    };
    EXPECT_EQ(refusal({{"inputs", Shape::matrix(16384, 64)}}), "") << "scores and weights are left out";
    for (int n : {200000, 134217728}) {
        const std::string side = std::to_string(n);
        EXPECT_EQ(refusal({{"inputs", Shape::matrix(n, 1)}}), "attention_scores is " + side + " × " + side + ", but " +
                                                                  std::to_string(kMostUnstoredCells) +
                                                                  " numbers are the most");
    }
    settings.n_heads = 8;
    const int n_tokens = sizeof(void*) == 4 ? 16384 : 65536; // of which two heads fit, or four
    const std::string of_head = " × " + std::to_string(n_tokens) + " × " + std::to_string(n_tokens);
    EXPECT_EQ(refusal({{"inputs", Shape::matrix(n_tokens, 8)}}),
              "attention_scores is 8" + of_head + ", but " + std::to_string(kMostUnstoredCells) +
                  " numbers are the most (" + (sizeof(void*) == 4 ? "2" : "4") + of_head + ")");
    settings.n_heads = 1;
    EXPECT_EQ(refusal({{"inputs", Shape::matrix(2147483647, 1)}}),
              "inputs is 2147483647 × 1, which brings the tensors to 2147483647 numbers, but 134217728 is the most");
    EXPECT_EQ(refusal({{"inputs", Shape::matrix(2, 1)}, {"W_query", Shape::matrix(30000, 30000)}}),
              "W_query is 30000 × 30000, which brings the tensors to 900000016 numbers, but 134217728 is the most")
        << "not computed with, but held";
    // Exactly so many: 3 n² + 2 · n · d.
    EXPECT_EQ(refusal({{"inputs", Shape::matrix(64, 1048480)}}), "");
    EXPECT_NE(refusal({{"inputs", Shape::matrix(64, 1048481)}}), "");
}

TEST(BuildProgram, FourThousandTokensWithEverythingFit) {
    AttentionSettings settings;
    settings.mask = MaskKind::causal;
    settings.round_weights = 2;
    const Shape matrix = Shape::matrix(64, 64);
    const auto program = build_program(settings, {{"inputs", Shape::matrix(4096, 64)},
                                                  {"mask", Shape::matrix(4096, 4096)},
                                                  {"W_query", matrix},
                                                  {"W_key", matrix},
                                                  {"W_value", matrix}});
    EXPECT_TRUE(program) << program.error();
}

TEST(BuildProgram, EveryNodePresentsItself) {
    for (const Lab& lab : many_labs()) {
        const Program program = program_of(lab);
        for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
            const Node& node = program.node(i);
            EXPECT_TRUE(node.stage >= 0 && node.stage < static_cast<int>(program.stages.size())) << node.name;
            EXPECT_FALSE(node.presentation.meaning.empty()) << node.name;
            EXPECT_EQ(program.find(node.name), i) << "names are unique";
            for (int operand : node.operands) EXPECT_TRUE(operand >= 0 && operand < i) << node.name;
            for (int consumer : program.consumers(i)) EXPECT_GT(consumer, i);
            EXPECT_TRUE(i == 0 || node.stage >= program.node(i - 1).stage) << node.name;
        }
        for (const Stage& stage : program.stages) EXPECT_FALSE(stage.title.empty() || stage.sentence.empty());
    }
}

TEST(Program, CountsParametersAndFindsConsumers) {
    EXPECT_EQ(program_of(plain_lab()).n_parameters(), 3 * 2 + 3 * 2 + 3 * 3);
    EXPECT_EQ(program_of(with_biases(plain_lab())).n_parameters(), 3 * 2 + 3 * 2 + 3 * 3 + 2 + 3);
    EXPECT_EQ(program_of(given_lab()).n_parameters(), 0);
    const Program program = program_of(without_projections(plain_lab()));
    const std::vector<int> expected = {program.find("attention_scores"), program.find("weighted_values"),
                                       program.find("context_vectors")};
    EXPECT_EQ(program.consumers(program.find("inputs")), expected);
    EXPECT_EQ(program.find("queries"), -1);
    EXPECT_EQ(program.formula(program.find("attention_scores")), "inputs · inputsᵀ");
}

TEST(BuildProgram, SaysWhatIsMissingAndWhyItIsNeeded) {
    EXPECT_EQ(refusal_without(plain_lab(), "W_key"), "the tensor W_key is missing but projections is true");
    EXPECT_EQ(refusal_without(plain_lab(), "inputs"),
              "the tensor inputs is missing but queries, keys and values are not given either");
    EXPECT_EQ(refusal_without(given_lab(), "values"),
              "the tensor values is missing but queries, keys and values are given together");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.mask = MaskKind::tensor; }),
              "the tensor mask is missing but mask is \"tensor\"");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.mask = MaskKind::sliding_window; }),
              "mask is \"sliding_window\" but window is missing");
}

TEST(BuildProgram, SaysWhichShapesDoNotFit) {
    EXPECT_EQ(refusal_with(plain_lab(), "W_query", Shape::matrix(4, 2)),
              "inputs have 3 columns but W_query has 4 rows");
    EXPECT_EQ(refusal_with(plain_lab(), "W_key", Shape::matrix(3, 1)), "queries have 2 columns but keys have 1 column");
    EXPECT_EQ(refusal_with(plain_lab(), "b_value", Shape::vector(2)),
              "b_value has 2 numbers but W_value has 3 columns");
    EXPECT_EQ(refusal_with(plain_lab(), "b_value", Shape::matrix(2, 3)),
              "b_value is 2 × 3 but must be a list of numbers");
    EXPECT_EQ(refusal_with(plain_lab(), "inputs", Shape::stack(2, 4, 3)),
              "inputs is 2 × 4 × 3 but must have rows and columns only");
    EXPECT_EQ(refusal_with(plain_lab(), "inputs", Shape::vector(3)), "inputs is 3 but must have rows and columns only");
    EXPECT_EQ(refusal_with(given_lab(), "values", Shape::matrix(4, 2)),
              "attention_weights have 5 columns but values have 4 rows");
    Lab lab = plain_lab();
    lab.settings.mask = MaskKind::tensor;
    EXPECT_EQ(refusal_with(lab, "mask", Shape::matrix(4, 5)), "mask is 4 × 5 but the scores are 4 × 4");
}

TEST(BuildProgram, GivenQueriesStandBesideNoInputs) {
    for (const char* other : {"inputs", "W_query", "W_key", "W_value"}) {
        EXPECT_EQ(refusal_with(given_lab(), other, Shape::matrix(3, 3)),
                  "queries, keys and values are given directly, but so is " + std::string(other));
    }
}

TEST(BuildProgram, RefusesSettingsWithoutMeaning) {
    for (int window : {0, -1, -2147483647}) {
        const auto change = [&](auto& s) { s.mask = MaskKind::sliding_window, s.window = window; };
        EXPECT_EQ(refusal_after(plain_lab(), change),
                  "window is " + std::to_string(window) + " but a query sees at least 1 key, its own");
    }
    for (int decimals : {-1, 21, 2000000000}) {
        EXPECT_EQ(refusal_after(plain_lab(), [&](auto& s) { s.round_weights = decimals; }),
                  "round_weights is " + std::to_string(decimals) + " but must be from 0 to 20 decimals");
    }
}

TEST(BuildProgram, RefusesHeadsThatDoNotFit) {
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.n_heads = 2; }),
              "W_value has 3 columns but 2 heads are to lie side by side in it");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.n_heads = 0; }), "n_heads is 0 but must be at least 1");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.n_kv_heads = 2; }),
              "n_heads is 1 but n_kv_heads is 2, which does not divide it");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.n_kv_heads = 1; }), "");
    EXPECT_EQ(refusal_with(plain_lab(), "W_query", Shape::stack(2, 3, 2)), "W_query is 2 × 3 × 2 but n_heads is 1");
}

TEST(BuildProgram, RefusesWhatBelongsTogetherAndIsNot) {
    EXPECT_EQ(refusal_with(plain_lab(), "past_values", Shape::matrix(3, 3)),
              "the tensor past_keys is missing but past_keys and past_values belong together");
    EXPECT_EQ(refusal_with(plain_lab(), "b_output", Shape::vector(3)),
              "the tensor W_output is missing but b_output is given");
    EXPECT_EQ(refusal_with(plain_lab(), "W_output", Shape::matrix(2, 4)),
              "context_vectors have 3 columns but W_output has 2 rows");
    EXPECT_EQ(refusal_with(plain_lab(), "context_inputs", Shape::matrix(5, 2)),
              "context_inputs have 2 columns but W_key has 3 rows");
    EXPECT_EQ(refusal_after(given_lab(), [](auto& s) { s.blocks.n = 2; }),
              "queries, keys and values are given directly but n_blocks is 2");
}

TEST(BuildProgram, RefusesNumbersOutOfRangeAndWhatNeedsAnother) {
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.softcap = 0.0f; }), "softcap is 0 but must be above 0");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.dropout = 1.0f; }),
              "dropout is 1 but must be from 0 to below 1");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.mask = MaskKind::prefix; }),
              "mask is \"prefix\" but prefix is missing");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.sink = true, s.normalization = Normalization::sum; }),
              "sink is true but normalization is \"sum\", which adds up no exponentials");
    EXPECT_EQ(refusal_after(plain_lab(), [](auto& s) { s.sink = true, s.normalization = Normalization::sparsemax; }),
              "sink is true but normalization is \"sparsemax\", which adds up no exponentials");
}

// Permuting tokens permutes outputs.
TEST(Attention, DoesNotKnowTheOrderOfTokens) {
    for (const Lab& lab : many_labs()) {
        if (lab.settings.mask != MaskKind::none || lab.tensors.count("inputs") == 0 || lab.name == "NaN and infinities")
            continue;
        const Tensor& inputs = lab.tensors.at("inputs");
        const int n = inputs.shape().rows;
        Lab turned = lab;
        for_each_cell(inputs.shape(), [&](Cell cell) {
            turned.tensors["inputs"] =
                turned.tensors["inputs"].with({0, (cell.row + 1) % n, cell.col}, inputs.at(cell));
        });
        const Tensor before = tensor_of(run(lab), "context_vectors");
        const Tensor after = tensor_of(run(turned), "context_vectors");
        for_each_cell(before.shape(), [&](Cell cell) {
            EXPECT_TRUE(close(static_cast<double>(after.at({0, (cell.row + 1) % n, cell.col})),
                              static_cast<double>(before.at(cell))))
                << lab.name;
        });
    }
}

TEST(Attention, CausalWeightsAreZeroAboveTheDiagonal) {
    for (const Lab& lab : many_labs()) {
        if (lab.settings.mask != MaskKind::causal && lab.settings.mask != MaskKind::sliding_window) continue;
        const Tensor weights = tensor_of(run(lab), "attention_weights");
        for_each_cell(weights.shape(),
                      [&](Cell cell) { EXPECT_TRUE(cell.col <= cell.row || weights.at(cell) == 0) << lab.name; });
    }
}

} // namespace
