// Large tensors that are not stored read as if they were.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/document.h"
#include "engine/kernels/thread_pool.h"
#include "engine/trace.h"
#include "tests/engine/long_labs.h"

namespace {

using namespace lab;
using namespace lab::test;

std::vector<Lab> long_labs() {
    std::vector<Lab> labs;
    for (int n_heads : {1, 2}) {
        for (MaskKind mask : {MaskKind::none, MaskKind::causal}) labs.push_back(of_length(kLength, n_heads, mask));
    }
    Lab capped = of_length(kLength, 2, MaskKind::causal);
    capped.settings.softcap = 3;
    capped.settings.sink = true;
    capped.tensors["sink"] = Tensor(Shape::vector(2), {0.5f, -1});
    labs.push_back(capped);
    labs.push_back(with_one_group(of_length(kLength, 2, MaskKind::causal)));
    Lab rounded = of_length(kLength, 1, MaskKind::none);
    rounded.settings.round_weights = 3;
    labs.push_back(rounded);
    Lab sparse = of_length(kLength, 1, MaskKind::causal);
    sparse.settings.normalization = Normalization::sparsemax;
    labs.push_back(sparse);
    return labs;
}

TEST(Unstored, TensorsReadToTheBitsOfThoseStored) {
    for (const Lab& lab : long_labs()) {
        for (const MostStored& most : {kMostStored, kMostStoredWithScores}) {
            const Trace trace = run_storing(lab, most), expected = run_storing(lab, kStoresAll);
            expect_equal_bits(trace, expected, "fresh");
            const Plan plan = make_plan(trace.program(), most);
            const auto is_stored = [&](const char* name) {
                return plan.is_stored[static_cast<std::size_t>(trace.program().find(name))];
            };
            EXPECT_EQ(is_stored("attention_scores"), most == kMostStoredWithScores);
            const bool has_sums = lab.settings.normalization == Normalization::softmax;
            EXPECT_EQ(is_stored("attention_weights"), most == kMostStoredWithScores && !has_sums);
        }
    }
}

// Threads that compute different planes may then write side by side what is kept of the rows that they come by.
TEST(Unstored, NoTwoPlanesReadTheSameRowOfWhatIsNotStored) {
    std::vector<Lab> labs = long_labs();
    for (const Position position : {Position::alibi, Position::none}) {
        labs.push_back(of_length(kLength, 2, MaskKind::causal));
        labs.back().settings.position = position;
        if (position == Position::none) labs.back().tensors["mask"] = Tensor(Shape::matrix(kLength, kLength));
    }
    for (const Lab& lab : labs) {
        for (const Program& program : {program_of(lab), try_gradients(lab, "sum(context_vectors)").value()}) {
            const Plan plan = make_plan(program, kMostStored);
            for (const Node& node : program.nodes) {
                for (const int operand : node.operands) {
                    const bool is_stored = plan.is_stored[static_cast<std::size_t>(operand)];
                    EXPECT_TRUE(is_stored || program.node(operand).shape.planes >= node.shape.planes)
                        << node.name << " reads " << program.node(operand).name;
                }
            }
        }
    }
}

TEST(Unstored, APartOfARowAndASingleCellHaveTheBitsOfTheWhole) {
    for (const Lab& lab : long_labs()) {
        const Trace trace = run_storing(lab, kMostStored), expected = run_storing(lab, kStoresAll);
        for (const char* name : {"attention_scores", "attention_weights"}) {
            const auto part = trace.source(trace.program().find(name));
            const auto whole = expected.source(trace.program().find(name));
            for (const auto& [rows, cols] : {std::pair(Range{7, 61}, Range{3, 140}), {{9, 10}, {100, 140}}}) {
                const Block block{{part->shape().planes - 1, part->shape().planes}, rows, cols};
                std::vector<float> cells(block.size()), of_stored(block.size());
                part->read(block, cells.data());
                whole->read(block, of_stored.data());
                EXPECT_EQ(cells, of_stored) << name;
            }
            EXPECT_EQ(part->at({0, 419, 419}), whole->at({0, 419, 419})) << name;
        }
    }
}

TEST(Unstored, ReductionsAreThoseOfTheCells) {
    for (const Lab& lab : long_labs()) {
        const Trace trace = run_storing(lab, kMostStored), expected = run_storing(lab, kStoresAll);
        for (const char* name : {"attention_scores", "attention_weights"}) {
            const int node = trace.program().find(name);
            for (int level : {0, 1, 4, 9}) {
                for (Reduction reduction : {Reduction::maximum, Reduction::mean}) {
                    const Block all = Block::all(seen_at_level(trace.program().node(node).shape, level));
                    std::vector<float> texels(all.size()), of_stored(all.size());
                    trace.source(node)->reduce(all, {level, reduction}, texels.data());
                    expected.source(node)->reduce(all, {level, reduction}, of_stored.data());
                    EXPECT_EQ(texels, of_stored) << name << " at level " << level;
                }
            }
            EXPECT_EQ(trace.extent(node).least, expected.extent(node).least) << name;
            EXPECT_EQ(trace.extent(node).greatest, expected.extent(node).greatest) << name;
            EXPECT_EQ(trace.typical_magnitude(node), expected.typical_magnitude(node)) << name;
        }
    }
}

float greatest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    float greatest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        greatest = std::max(greatest, std::fabs(a[i] - b[i]) / (1 + std::fabs(b[i])));
    return greatest;
}

// First as pictures see it, of what is kept: reading cells brings rows of overviews up to date.
void expect_near_tensors(const Trace& trace, const Trace& expected, float tolerance, const std::string& what) {
    const Program& program = trace.program();
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        const Block all = Block::all(seen_at_level(program.node(i).shape, 3));
        std::vector<float> texels(all.size()), of_stored(all.size());
        trace.source(i)->reduce(all, {3, Reduction::maximum}, texels.data());
        expected.source(i)->reduce(all, {3, Reduction::maximum}, of_stored.data());
        EXPECT_LE(greatest_difference(texels, of_stored), tolerance)
            << what << " seen from afar: " << program.node(i).name;
        const Extent extent = trace.extent(i), of_all = expected.extent(i);
        EXPECT_LE(greatest_difference({extent.least, extent.greatest}, {of_all.least, of_all.greatest}), tolerance)
            << what << ", extent: " << program.node(i).name;
    }
    for (int i = 0; i < static_cast<int>(program.nodes.size()); ++i) {
        EXPECT_LE(greatest_difference(read_all(*trace.source(i)), read_all(*expected.source(i))), tolerance)
            << what << ": " << program.node(i).name;
    }
}

// As a picture does, so that maxima are kept up.
using Names = std::vector<const char*>;
const Names kSeen{"attention_scores", "attention_weights"};
const Names kUnfolded{"attention_scores", "scaled_scores", "position_bias",
                      "combined_mask",    "masked_scores", "attention_weights"};
void look_at(const Trace& trace, Range planes, const Names& names = kSeen) {
    for (const char* name : names) {
        const int node = trace.program().find(name);
        if (node < 0) continue;
        Block seen = Block::all(seen_at_level(trace.program().node(node).shape, 3));
        seen.planes = planes;
        std::vector<float> texels(seen.size());
        trace.source(node)->reduce(seen, {3, Reduction::maximum}, texels.data());
    }
}

Trace edited_trace(Lab& lab, int n_edits, Dice& dice, const MostStored& most = kMostStored, const Names& seen = kSeen,
                   ThreadPool* threads = nullptr) {
    Trace trace = run_storing(lab, most, threads);
    look_at(trace, {0, lab.settings.n_heads}, seen);
    for (int edit = 0; edit < n_edits; ++edit) {
        const Cell cell{0, dice.below(kLength), dice.below(24)};
        lab.tensors["inputs"] = lab.tensors.at("inputs").with(cell, dice.number() * (edit % 7 == 0 ? 8.0f : 1.0f));
        trace.update(lab.tensors);
        if (edit % 3 == 0) look_at(trace, Range::at(0), seen);
    }
    return trace;
}

TEST(Unstored, EditsOfInputsAreFollowedTermByTerm) {
    Dice dice(17);
    std::vector<Lab> labs = long_labs();
    labs.push_back(of_length(kLength, 2, MaskKind::causal));
    labs.back().settings.position = Position::alibi;
    for (const MostStored& most : {kMostStored, kMostStoredWithScores}) {
        for (const Names& seen : {kSeen, kUnfolded}) {
            for (Lab lab : labs) {
                const Trace trace = edited_trace(lab, 12, dice, most, seen);
                expect_near_tensors(trace, run_storing(lab, kStoresAll), 4e-6f, "after edits");
            }
        }
    }
}

TEST(Unstored, MaximaAreKeptUpOnlyOfHeadsThatSomebodyLooksAt) {
    Dice dice(19);
    Lab lab = of_length(kLength, 2, MaskKind::none);
    const Trace trace = edited_trace(lab, 12, dice);
    const int weights = trace.program().find("attention_weights");
    const auto n_kept_rows = [&](int plane) {
        int n = 0;
        for (int row = 0; row < kLength; ++row)
            n += trace.is_surveyed(weights, {Range::at(plane), Range::at(row), {}}, {0, Reduction::maximum}) ? 1 : 0;
        return n;
    };
    EXPECT_GT(n_kept_rows(0), kLength / 2);
    EXPECT_LT(n_kept_rows(1), kLength / 2) << "rows that are run again are known";
}

// Also where an edit comes between.
TEST(Unstored, TidyingUpLeavesTheBitsOfAFreshRun) {
    Dice dice(18);
    ThreadPool two(2);
    for (ThreadPool* const threads : {static_cast<ThreadPool*>(nullptr), &two}) {
        for (const MostStored& most : {kMostStored, kMostStoredWithScores}) {
            for (Lab lab : long_labs()) {
                Trace trace = edited_trace(lab, 5, dice, most, kSeen, threads);
                tidy_up(trace);
                expect_equal_bits(trace, run_storing(lab, kStoresAll), "tidied up");
                for (const float value : {0.5f, -1.0f}) {
                    lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 11, 3}, value);
                    trace.update(lab.tensors);
                    if (value > 0) trace.refresh_some();
                }
                tidy_up(trace);
                expect_equal_bits(trace, run_storing(lab, kStoresAll), "tidied up after an edit between");
            }
        }
    }
}

TEST(Unstored, OneEditComputesAsManyCellsAsThereAreTokensNotPairs) {
    for (const MostStored& most : {kMostStored, kMostStoredWithScores}) {
        Lab lab = of_length(kLength, 1, MaskKind::none);
        Trace trace = run_storing(lab, most);
        lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 7, 3}, 0.5f);
        const UpdateReport report = trace.update(lab.tensors);
        const std::size_t projections = 3 * kWidth, contexts = kLength * kWidth;
        const std::size_t scores = most == kMostStored ? 0 : 2 * kLength;
        EXPECT_EQ(report.n_cells_computed, projections + scores + contexts);
        EXPECT_TRUE(trace.has_drifted());
    }
}

// Tokens that hold nearly all of a row's weight come and go: what is subtracted is nearly all there is.
TEST(Unstored, WhereTermsWouldCancelRowsAreRunAgain) {
    for (const MostStored& most : {kMostStored, kMostStoredWithScores}) {
        Lab lab = of_length(kLength, 1, MaskKind::none);
        Trace trace = run_storing(lab, most);
        for (float value : {200.0f, -200.0f, 0.25f, 300.0f, 0.5f}) {
            lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 11, 2}, value);
            trace.update(lab.tensors);
            expect_near_tensors(trace, run_storing(lab, kStoresAll), 4e-6f, "value " + std::to_string(value));
        }
    }
}

// Columns that the last edit left are those that the next begins with only where nothing else has changed them.
TEST(Unstored, WeightsChangeBetweenEditsOfOneToken) {
    for (int turn = 0; turn < 4; ++turn) {
        const bool is_interrupted = turn % 2 == 1;
        Lab lab = of_length(kLength, 2, MaskKind::none);
        Trace trace = run_storing(lab, turn < 2 ? kMostStored : kMostStoredWithScores);
        const auto edit = [&](const char* tensor, Cell cell, float value) {
            lab.tensors[tensor] = lab.tensors.at(tensor).with(cell, value);
            trace.begin_update(lab.tensors);
        };
        for (const float value : {0.5f, -0.5f, 1.5f}) {
            edit("inputs", {0, 5, 7}, value);
            while (!trace.is_complete()) trace.advance();
            edit("W_key", {0, 3, 4}, value);
            while (!trace.is_complete() && !is_interrupted) trace.advance();
        }
        edit("inputs", {0, 5, 7}, 0.25f);
        while (!trace.is_complete()) trace.advance();
        expect_near_tensors(trace, run_storing(lab, kStoresAll), 4e-6f, is_interrupted ? "interrupted" : "between");
    }
}

TEST(Unstored, SeveralTokensAreEditedAtOnce) {
    Dice dice(21);
    for (const MostStored& most : {kMostStored, kMostStoredWithScores}) {
        for (Lab lab : long_labs()) {
            Trace trace = run_storing(lab, most);
            look_at(trace, {0, lab.settings.n_heads});
            for (const int token : {17, 200}) {
                Tensor inputs = lab.tensors.at("inputs");
                for (const int other : {token, token + 1, 400}) inputs = inputs.with({0, other, 3}, dice.number());
                lab.tensors["inputs"] = inputs;
                trace.update(lab.tensors);
            }
            expect_near_tensors(trace, run_storing(lab, kStoresAll), 4e-6f, "three tokens");
        }
    }
}

// Weights come and go behind the attention, and rows of its product are known of which no sums are.
TEST(Unstored, AnEditAfterAnotherProgramWasTakenUp) {
    Dice dice(22);
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Trace trace = run_storing(lab, kMostStored);
    const Tensor output = scaled_down(dice.tensor(Shape::matrix(kWidth, 24)), 0.125f);
    for (const bool has_output : {true, false, true}) {
        if (has_output)
            lab.tensors["W_output"] = output;
        else
            lab.tensors.erase("W_output");
        trace.update(program_of(lab), lab.tensors);
        lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 9, 4}, dice.number());
        trace.update(lab.tensors);
        expect_near_tensors(trace, run_storing(lab, kStoresAll), 4e-6f, has_output ? "with outputs" : "without");
    }
}

// So many tokens that maxima are kept of two columns together: of the greater of which nothing is left once it falls.
TEST(Unstored, MaximaOfBlocksFollowWhatHadBeenTheGreatest) {
    constexpr int kOfBlocks = 1100;
    Lab lab = of_length(kOfBlocks, 1, MaskKind::none);
    Trace trace = run_storing(lab, kMostStored);
    const int scores = trace.program().find("attention_scores");
    const auto seen = [&](const Trace& of, int level) {
        const Block all = Block::all(seen_at_level(of.program().node(scores).shape, level));
        std::vector<float> texels(all.size());
        of.source(scores)->reduce(all, {level, Reduction::maximum}, texels.data());
        return texels;
    };
    seen(trace, 1);
    for (const float value : {3.0f, -3.0f, 0.0f}) {
        lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 700, 3}, value);
        trace.update(lab.tensors);
        const Trace fresh = run_storing(lab, kStoresAll);
        for (const int level : {1, 2, 3, 4})
            EXPECT_LE(greatest_difference(seen(trace, level), seen(fresh, level)), 4e-6f)
                << "value " << value << " seen at level " << level;
    }
}

// Ten thousand edits of any cell, of any size: what is left of their rounding stays below a hundred-thousandth.
TEST(Unstored, TenThousandEditsDriftBelowAHundredThousandth) {
    constexpr int kFew = 80;
    Dice dice(5);
    Lab lab;
    lab.settings.n_heads = 2;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(kFew, 8));
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = scaled_down(dice.tensor(Shape::matrix(8, 16)), 0.5f);
    Trace trace = run_storing(lab, {1000, 4000});
    for (int edit = 0; edit < 10000; ++edit) {
        const Cell cell{0, dice.below(kFew), dice.below(8)};
        lab.tensors["inputs"] = lab.tensors.at("inputs").with(cell, dice.number());
        trace.update(lab.tensors);
    }
    EXPECT_TRUE(trace.has_drifted()) << "the last edits were followed";
    expect_near_tensors(trace, run_storing(lab, kStoresAll), 1e-5f, "after ten thousand edits");
}

} // namespace
