// Scores and weights that are computed near and kept far are those of a pass that computes them where they stay.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/workspace.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr NearPass kNever{.second_cache = 0};
constexpr NearPass kAlways{.second_cache = 1 << 24, .least_cells = 1, .least_columns = 1, .least_rows = 1};

Lab lab_of(int n_heads, int n_kv_heads, int d_k, int n_tokens = 192) {
    Dice dice(3);
    Lab lab;
    lab.settings.n_heads = n_heads;
    lab.settings.n_kv_heads = n_kv_heads;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(n_tokens, 24));
    lab.tensors["W_query"] = dice.tensor(Shape::matrix(24, d_k * n_heads));
    for (const char* name : {"W_key", "W_value"}) lab.tensors[name] = dice.tensor(Shape::matrix(24, d_k * n_kv_heads));
    return lab;
}

Lab with_sink(Lab lab) {
    lab.settings.sink = true;
    lab.tensors["sink"] = Dice(4).tensor(Shape::vector(lab.settings.n_heads));
    return lab;
}

Lab with_mask(Lab lab) {
    lab.settings.mask = MaskKind::causal;
    return lab;
}

void give_leaves(const Lab& lab, Workspace& workspace) {
    for (int i = 0; i < static_cast<int>(workspace.program().nodes.size()); ++i) {
        const Node& node = workspace.program().node(i);
        if (!node.is_leaf()) continue;
        workspace.take_cells(i);
        const std::vector<float> values = lab.tensors.at(node.name).values();
        std::copy(values.begin(), values.end(), workspace.cells(i).begin());
    }
}

// Whether contexts are computed so.
bool runs_near(Workspace& workspace) {
    for (const Plan::Pass& pass : workspace.plan().passes) {
        if (workspace.program().node(pass.back()).name == "context_vectors")
            return workspace.tasks_of(pass).first_near.has_value();
    }
    return false;
}

TEST(NearPass, HasTheBitsOfAPassThatKeepsEverythingWhereItIsComputed) {
    const std::vector<Lab> labs{lab_of(1, 1, 64),      lab_of(2, 2, 64),
                                lab_of(2, 1, 64),      with_sink(lab_of(2, 2, 64)),
                                lab_of(1, 1, 64, 256), lab_of(2, 1, 64, 256)};
    for (const Lab& lab : labs) {
        const Program program = program_of(lab);
        Workspace far(program, nullptr, kStoresAll, kNever);
        give_leaves(lab, far);
        far.run_all();
        ASSERT_FALSE(runs_near(far));
        for (const int n_threads : {1, 2, 3}) {
            ThreadPool threads(n_threads);
            Workspace near(program, &threads, kStoresAll, kAlways);
            give_leaves(lab, near);
            near.run_all();
            ASSERT_TRUE(runs_near(near));
            for (const char* name : {"attention_scores", "attention_weights", "context_vectors"}) {
                const int node = program.find(name);
                EXPECT_EQ(near.cells(node), far.cells(node)) << name << " by " << n_threads;
            }
        }
    }
}

TEST(NearPass, IsTakenOnlyWhereItCanBe) {
    const Lab narrow = lab_of(1, 1, 16), uneven = lab_of(1, 1, 64, 190);
    for (const Lab& lab : {narrow, uneven, with_mask(lab_of(1, 1, 64))}) {
        Workspace workspace(program_of(lab), nullptr, kStoresAll, kAlways);
        give_leaves(lab, workspace);
        workspace.run_all();
        EXPECT_FALSE(runs_near(workspace)) << workspace.program().node(workspace.program().find("W_query")).shape.cols;
    }
}

// 4,096 tokens, of which 48 rows are 768 KiB.
TEST(NearPass, IsWorthItFromFourThousandTokensOnWhereTheSecondCacheHoldsTwoBlocks) {
    const auto is_near = [](int n_tokens, std::size_t second_cache) {
        const Program program = program_of(lab_of(1, 1, 64, n_tokens));
        Workspace workspace(program, nullptr, kStoresAll, {.second_cache = second_cache});
        for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) workspace.take_cells(i);
        return runs_near(workspace);
    };
    EXPECT_TRUE(is_near(4096, 2 << 20));
    EXPECT_FALSE(is_near(4096, 1 << 20));
    EXPECT_FALSE(is_near(2048, 2 << 20));
}

} // namespace
