// What threads share out before they wait for each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/workspace.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

// 101 tokens: large enough to be shared out, too small to be cut into tasks.
Lab small_lab(int n_heads = 1, int n_tokens = 101) {
    Dice dice(17);
    Lab lab;
    lab.settings.n_heads = n_heads;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(n_tokens, 48));
    for (const char* name : {"W_query", "W_key", "W_value"}) lab.tensors[name] = dice.tensor(Shape::matrix(48, 64));
    return lab;
}

// Of small steps, and two (300 tokens) of passes that are cut into tasks.
std::vector<Lab> labs_of_phases() {
    std::vector<Lab> labs{small_lab(), small_lab(2, 90), small_lab(1, 1), small_lab(1, 5), small_lab(2, 300)};
    Lab masked = small_lab(2, 90);
    masked.settings.mask = MaskKind::causal;
    masked.settings.scale = 0.3f;
    labs.push_back(masked);
    Lab rounded = small_lab();
    rounded.settings.round_weights = 3;
    rounded.settings.softcap = 5.0f;
    labs.push_back(rounded);
    Lab turned = small_lab(2, 300);
    turned.settings.position = Position::rope;
    labs.push_back(turned);
    Lab summed = small_lab();
    summed.settings.normalization = Normalization::sum;
    labs.push_back(summed);
    return labs;
}

void fill(ScratchCells& cells, float value) { std::fill(cells.data(), cells.data() + cells.size(), value); }

std::string names(const Program& program, const Plan::Pass& nodes) {
    std::string all;
    for (int i : nodes) all += program.node(i).name + " ";
    return all;
}

// Each phase that is shared out, by the names of its steps.
std::vector<std::string> shared_out(const Lab& lab, int n_threads) {
    ThreadPool threads(n_threads);
    const Workspace workspace(program_of(lab), &threads);
    std::vector<std::string> shared;
    for (const Workspace::Phase& phase : workspace.make_phases()) {
        if (phase.is_shared_out) shared.push_back(names(workspace.program(), phase.small_steps));
    }
    return shared;
}

// Each phase that is cut into tasks, pass after pass.
std::vector<std::string> cut_into_tasks(const Lab& lab) {
    const Workspace workspace(program_of(lab), nullptr);
    std::vector<std::string> phases;
    for (const Workspace::Phase& phase : workspace.make_phases()) {
        if (phase.passes.empty()) continue;
        phases.emplace_back();
        for (const Plan::Pass& pass : phase.passes) phases.back() += names(workspace.program(), pass) + "| ";
    }
    return phases;
}

TEST(Phases, ThreadsWaitForEachOtherOnlyWhereOneReadsWhatAllHaveWritten) {
    const int n_threads = ThreadPool(2).n_threads(); // without threads one
    if (n_threads == 1) {
        EXPECT_TRUE(shared_out(small_lab(), 2).empty());
        return;
    }
    const std::vector<std::string> two{"queries keys values ",
                                       "attention_scores scaled_scores attention_weights context_vectors "};
    EXPECT_EQ(shared_out(small_lab(), 2), two);
    EXPECT_EQ(shared_out(small_lab(2, 90), 2), two);
    EXPECT_TRUE(shared_out(small_lab(), 1).empty());
    EXPECT_TRUE(shared_out(small_lab(1, 11), 2).empty()) << "too little to do";
    Lab wide = small_lab(1, 3);
    for (auto& [name, tensor] : wide.tensors)
        tensor = Tensor(name == "inputs" ? Shape::matrix(3, 900) : Shape::matrix(900, 900));
    EXPECT_TRUE(shared_out(wide, 2).empty()) << "too few rows";
}

TEST(Phases, PassesThatReadNothingOfEachOtherGoTogether) {
    const std::string of_weights = "attention_scores scaled_scores attention_weights context_vectors | ";
    const std::vector<std::string> expected{"keys | values | ", "queries " + of_weights};
    EXPECT_EQ(cut_into_tasks(small_lab(1, 300)), expected);
    Lab turned = small_lab(1, 300);
    turned.settings.position = Position::rope;
    const std::vector<std::string> of_turned{"keys | values | ", "rotated_keys | queries | ",
                                             "rotated_queries " + of_weights};
    EXPECT_EQ(cut_into_tasks(turned), of_turned);
}

TEST(Phases, HaveTheBitsOfOneStepAfterAnother) {
    for (const Lab& lab : labs_of_phases()) {
        const Trace expected = run(lab);
        const Program& program = expected.program();
        const auto n_nodes = static_cast<int>(program.nodes.size());
        for (int n_threads : {1, 2, 3}) {
            ThreadPool threads(n_threads);
            Workspace workspace(program, &threads);
            for (int i = 0; i < n_nodes; ++i) {
                if (!program.node(i).is_leaf()) continue;
                const std::vector<float>& values = lab.tensors.at(program.node(i).name).values();
                workspace.cells(i).resize(values.size());
                std::copy(values.begin(), values.end(), workspace.cells(i).data());
            }
            workspace.run_all();
            for (int again = 0; again < 2; ++again) {
                for (int i = 0; i < n_nodes; ++i) {
                    if (!program.node(i).is_leaf()) fill(workspace.cells(i), std::numeric_limits<float>::quiet_NaN());
                }
                workspace.run_all();
                for (int i = 0; i < n_nodes; ++i) {
                    if (!workspace.is_stored(i)) continue;
                    const ScratchCells& cells = workspace.cells(i);
                    const Tensor computed(program.node(i).shape, {cells.data(), cells.data() + cells.size()});
                    EXPECT_TRUE(bit_equal(computed, tensor_of(expected, i)))
                        << program.node(i).name << ", " << n_threads << " threads";
                }
            }
        }
    }
}

} // namespace
