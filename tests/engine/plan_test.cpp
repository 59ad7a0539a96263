#include "engine/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "engine/document.h"
#include "engine/tensor_name.h"
#include "engine/workspace.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

Lab large_lab(int n_heads, MaskKind mask, int d_k = 16, int n_tokens = 140) {
    Dice dice(3);
    Lab lab;
    lab.settings.n_heads = n_heads;
    lab.settings.mask = mask;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(n_tokens, 24));
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = dice.tensor(Shape::matrix(24, d_k * n_heads));
    return lab;
}

std::vector<std::string> pass_of(const Program& program, const Plan& plan, const std::string& name) {
    for (const Plan::Pass& pass : plan.passes) {
        std::vector<std::string> names;
        for (int node : pass) names.push_back(program.node(node).name);
        if (std::find(names.begin(), names.end(), name) != names.end()) return names;
    }
    return {};
}

bool is_stored(const Program& program, const Plan& plan, const std::string& name) {
    return plan.is_stored[static_cast<std::size_t>(program.find(name))];
}

TEST(Plan, OfALargeAttentionRunsScoresToContextsTogether) {
    const Program program = program_of(large_lab(1, MaskKind::causal));
    const Plan plan = make_plan(program);
    EXPECT_EQ(pass_of(program, plan, "context_vectors"),
              (std::vector<std::string>{"attention_scores", "scaled_scores", "masked_scores", "attention_weights",
                                        "context_vectors"}));
    EXPECT_TRUE(is_stored(program, plan, "attention_scores"));
    EXPECT_TRUE(is_stored(program, plan, "attention_weights"));
    for (const char* light : {"scaled_scores", "combined_mask", "masked_scores"})
        EXPECT_FALSE(is_stored(program, plan, light)) << light;
}

// Weights are computed from scores sooner than scores from queries and keys: these stay of longer texts, too.
TEST(Plan, LeavesWeightsOutBeforeScores) {
    const auto stored = [](int n_tokens, int width = 64, const MostStored& most = kMostStoredInteractively) {
        const Program program = program_of(large_lab(1, MaskKind::none, width, n_tokens));
        const Plan plan = make_plan(program, most);
        return std::pair(is_stored(program, plan, "attention_scores"), is_stored(program, plan, "attention_weights"));
    };
    EXPECT_EQ(stored(181), std::pair(true, true));
    EXPECT_EQ(stored(182), std::pair(true, false));
    EXPECT_EQ(stored(1448), std::pair(true, false));
    EXPECT_EQ(stored(1449), std::pair(false, false));
    EXPECT_EQ(stored(250, 16), std::pair(true, true)) << "weighted values are made of them";
    EXPECT_EQ(stored(251, 16), std::pair(true, false));
    EXPECT_EQ(stored(11585, 64, kMostStoredInARun), std::pair(true, true));
    EXPECT_EQ(stored(11586, 64, kMostStoredInARun), std::pair(true, false));
    constexpr MostStored kFew{100000, 200000};
    EXPECT_EQ(stored(447, 64, kFew), std::pair(true, false));
    EXPECT_EQ(stored(448, 64, kFew), std::pair(false, false));
}

// So that they can be run without what follows from them.
TEST(Plan, ScoresThatAreFollowedAreTheLastThatAPassStores) {
    Lab lab = large_lab(1, MaskKind::none, 64, 300);
    lab.settings.normalization = Normalization::sparsemax;
    const Program program = program_of(lab);
    const Plan plan = make_plan(program, kMostStoredInteractively);
    EXPECT_EQ(pass_of(program, plan, "attention_scores"),
              (std::vector<std::string>{"queries", "attention_scores", "scaled_scores"}));
    EXPECT_EQ(pass_of(program, plan, "context_vectors"),
              (std::vector<std::string>{"attention_weights", "context_vectors"}));
    EXPECT_EQ(pass_of(program, make_plan(program), "context_vectors").front(), "queries");
}

// Of two heads, or attentions, less of each is stored than of one, and of many some of each.
TEST(Plan, StoresScoresOfLongTextsWhereHeadsAreFew) {
    const auto stores_scores = [](int n_blocks, int n_heads, int n_tokens) {
        Dice dice(9);
        Lab lab;
        lab.settings.blocks.n = n_blocks;
        lab.settings.n_heads = n_heads;
        lab.tensors["inputs"] = dice.tensor(Shape::matrix(n_tokens, 24));
        for (int block = 0; block < n_blocks; ++block) {
            for (const char* name : {"W_query", "W_key", "W_value"})
                lab.tensors[prefix_of_block(block) + name] = dice.tensor(Shape::matrix(24, 24));
        }
        const Program program = program_of(lab);
        return is_stored(program, make_plan(program, kMostStoredInteractively), "blocks.0.attention_scores");
    };
    for (const auto& [n_blocks, n_heads, n_tokens] :
         {std::array{1, 1, 1448}, {1, 2, 724}, {1, 12, 209}, {2, 1, 1024}, {3, 1, 836}, {12, 1, 724}}) {
        EXPECT_TRUE(stores_scores(n_blocks, n_heads, n_tokens)) << n_blocks << " × " << n_heads;
        EXPECT_FALSE(stores_scores(n_blocks, n_heads, n_tokens + 1)) << n_blocks << " × " << n_heads;
    }
}

// So that a row of inputs is read once for all heads.
TEST(Plan, OfLargeHeadsProjectsRowByRowOfAllHeads) {
    const Program program = program_of(large_lab(2, MaskKind::none, 64));
    const Plan plan = make_plan(program);
    EXPECT_EQ(pass_of(program, plan, "queries"), std::vector<std::string>{"queries"});
    EXPECT_EQ(pass_of(program, plan, "context_vectors").front(), "attention_scores");
    const Program of_one_head = program_of(large_lab(1, MaskKind::none, 128));
    EXPECT_EQ(pass_of(of_one_head, make_plan(of_one_head), "context_vectors").front(), "queries");
}

TEST(Plan, OfASmallAttentionRunsStepByStep) {
    const Program program = program_of(plain_lab());
    const Plan plan = make_plan(program);
    EXPECT_EQ(plan.passes.size(), program.nodes.size());
    EXPECT_TRUE(is_stored(program, plan, "scaled_scores"));
}

TEST(Plan, PlacesEveryNodeOnceAndOperandsFirst) {
    std::vector<Lab> labs = many_labs();
    for (int n_heads : {1, 2}) {
        for (MaskKind mask : {MaskKind::none, MaskKind::causal}) labs.push_back(large_lab(n_heads, mask));
    }
    for (const Lab& lab : labs) {
        const Program program = program_of(lab);
        std::vector<bool> is_placed(program.nodes.size(), false);
        for (const Plan::Pass& pass : make_plan(program).passes) {
            for (int node : pass) {
                EXPECT_FALSE(is_placed[static_cast<std::size_t>(node)]) << lab.name;
                for (int operand : program.node(node).operands)
                    EXPECT_TRUE(is_placed[static_cast<std::size_t>(operand)])
                        << lab.name << ", " << program.node(node).name;
                is_placed[static_cast<std::size_t>(node)] = true;
            }
        }
        EXPECT_TRUE(std::all_of(is_placed.begin(), is_placed.end(), [](bool placed) { return placed; })) << lab.name;
    }
}

// Step after step over whole tensors, everything stored.
std::vector<std::vector<float>> run_step_by_step(const Program& program, const Tensors& tensors) {
    std::vector<std::vector<float>> cells;
    for (const Node& node : program.nodes) {
        cells.emplace_back(node.shape.size());
        if (node.is_leaf()) {
            cells.back() = tensors.at(node.name).values();
            continue;
        }
        std::vector<ConstView<float>> operands;
        for (int operand : node.operands)
            operands.push_back({cells[static_cast<std::size_t>(operand)].data(), program.node(operand).shape});
        node.step->forward(operands, Block::all(node.shape), {cells.back().data(), Block::all(node.shape)});
    }
    return cells;
}

std::vector<Lab> large_labs() {
    std::vector<Lab> labs;
    for (int n_heads : {1, 2}) {
        for (MaskKind mask : {MaskKind::none, MaskKind::causal}) labs.push_back(large_lab(n_heads, mask));
    }
    Lab grouped = large_lab(2, MaskKind::causal);
    Dice dice(4);
    grouped.settings.n_kv_heads = 1;
    grouped.tensors["W_key"] = dice.tensor(Shape::matrix(24, 16));
    grouped.tensors["W_value"] = dice.tensor(Shape::matrix(24, 16));
    labs.push_back(grouped);
    labs.push_back(large_lab(2, MaskKind::none, 64));
    Lab rounded = large_lab(1, MaskKind::none);
    rounded.settings.round_weights = 3;
    rounded.settings.softcap = 5.0f;
    labs.push_back(rounded);
    Lab beyond = large_lab(1, MaskKind::none); // scores that a factor takes beyond float32
    beyond.settings.scale = 1048576.0f;
    Tensor& queries_of = beyond.tensors["W_query"];
    std::vector<float> huge = queries_of.values();
    for (float& each : huge) each *= 1e34f;
    queries_of = Tensor(queries_of.shape(), std::move(huge));
    labs.push_back(beyond);
    return labs;
}

TEST(Plan, RunsToTheBitsOfStepByStepWithAnyNumberOfThreads) {
    for (const Lab& lab : large_labs()) {
        const Program program = program_of(lab);
        const auto expected = run_step_by_step(program, lab.tensors);
        for (int n_threads : {1, 2, 3}) {
            ThreadPool threads(n_threads);
            Trace trace(&threads);
            trace.update(program, lab.tensors);
            for (int again = 0; again < 2; ++again) {
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    EXPECT_TRUE(
                        bit_equal(tensor_of(trace, static_cast<int>(i)), Tensor(program.nodes[i].shape, expected[i])))
                        << program.nodes[i].name << ", " << n_threads << " threads";
                }
                trace.run_again();
            }
        }
    }
}

TEST(Plan, EditsOfALargeAttentionEndInTheBitsOfAFreshRun) {
    Dice dice(5);
    for (const Lab& start : large_labs()) {
        Lab lab = start;
        Trace trace = run(lab);
        for (int edit = 0; edit < 12; ++edit) {
            const char* names[] = {"inputs", "W_query", "W_key", "W_value"};
            Tensor& tensor = lab.tensors[names[dice.below(4)]];
            const Cell cell{0, dice.below(tensor.shape().rows), dice.below(tensor.shape().cols)};
            tensor = tensor.with(cell, dice.number());
            if (edit == 6) lab.settings.scale = 0.3f;
            update(trace, lab);
            const Trace fresh = run(lab);
            for (int i = 0; i < static_cast<int>(fresh.program().nodes.size()); ++i) {
                EXPECT_TRUE(bit_equal(tensor_of(trace, i), tensor_of(fresh, i)))
                    << fresh.program().node(i).name << " after edit " << edit;
            }
        }
    }
}

// What was laid out of the leaves for the run before.
TEST(Plan, AnotherMatrixOfWeightsIsLaidOutAnew) {
    Lab lab = large_lab(1, MaskKind::none, 128);
    Dice dice(6);
    Trace trace = run(lab);
    for (const char* name : {"W_query", "inputs", "W_query"}) {
        lab.tensors[name] = dice.tensor(lab.tensors.at(name).shape());
        trace.update(lab.tensors);
        const Trace fresh = run(lab);
        for (const char* made : {"queries", "context_vectors"})
            EXPECT_TRUE(bit_equal(tensor_of(trace, made), tensor_of(fresh, made))) << made << " by another " << name;
    }
}

// A pass's tasks, of these threads.
Workspace::Tasks tasks_of(const Program& program, int n_threads, const std::string& last) {
    ThreadPool threads(n_threads);
    Workspace workspace(program, &threads);
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i)
        workspace.cells(i).resize(program.node(i).shape.size());
    for (const Plan::Pass& pass : workspace.plan().passes) {
        if (program.node(pass.back()).name == last) return workspace.tasks_of(pass);
    }
    return {};
}

TEST(Plan, TasksAreSharedOutEvenlyAndTogetherAreAllRows) {
    const Program program = program_of(large_lab(2, MaskKind::none, 64));
    for (int n_threads : {1, 2, 3}) {
        for (const char* last : {"queries", "context_vectors"}) {
            const Workspace::Tasks tasks = tasks_of(program, n_threads, last);
            EXPECT_EQ(tasks.n % ThreadPool(n_threads).n_threads(), 0) << last; // without threads it has one
            int n_rows = 0, n_least = 140, n_most = 0;
            for (int task = 0; task < tasks.n; ++task) {
                const Range rows = tasks.rows(task);
                EXPECT_EQ(rows.begin, task % tasks.n_blocks == 0 ? 0 : tasks.rows(task - 1).end) << last;
                EXPECT_LE(rows.size(), tasks.n_rows) << last;
                n_rows += rows.size() * tasks.planes(task).size();
                n_least = std::min(n_least, rows.size());
                n_most = std::max(n_most, rows.size());
            }
            EXPECT_EQ(n_rows, 2 * 140) << last;
            EXPECT_LE(n_most - n_least, 12 + (12 - 140 % 12)) << last; // a tile, and what the last one is short of
        }
    }
}

TEST(Plan, WhatIsNotStoredIsReadAndDerivedAllTheSame) {
    const Lab lab = large_lab(2, MaskKind::causal);
    const Trace trace = run(lab);
    const int scores = trace.program().find("attention_scores"), masked = trace.program().find("masked_scores");
    const int weights = trace.program().find("attention_weights");
    EXPECT_EQ(trace.at(masked, {1, 5, 4}), trace.at(scores, {1, 5, 4}) * 0.25f);
    EXPECT_EQ(trace.at(masked, {1, 5, 6}), -kInfinity);
    EXPECT_TRUE(close(evaluate(trace.derive(weights, {1, 5, 4})), trace.at(weights, {1, 5, 4})));
    EXPECT_TRUE(close(evaluate(trace.derive(masked, {1, 5, 4})), trace.at(masked, {1, 5, 4})));
    EXPECT_FALSE(trace.notice(weights, 1, 5).has_value());
}

} // namespace
