// Scores that are stored follow few columns of queries or keys by what these add to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/engine/long_labs.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr int kColumns = 24; // of inputs

std::vector<Lab> labs_with_columns() {
    std::vector<Lab> labs{of_length(kLength, 1, MaskKind::none), of_length(kLength, 2, MaskKind::causal)};
    Lab turned = of_length(kLength, 2, MaskKind::none); // each column with another
    turned.settings.position = Position::rope;
    labs.push_back(turned);
    Lab capped = of_length(kLength, 1, MaskKind::causal);
    capped.settings.softcap = 3;
    labs.push_back(capped);
    labs.push_back(with_one_group(of_length(kLength, 2, MaskKind::none)));
    Lab capped_alone = of_length(kLength, 1, MaskKind::none);
    capped_alone.settings.softcap = 3;
    labs.push_back(capped_alone);
    Lab sparse = of_length(kLength, 1, MaskKind::none);
    sparse.settings.normalization = Normalization::sparsemax;
    labs.push_back(sparse);
    Dice dice(54);
    Lab crossing = of_length(kLength, 2, MaskKind::none);
    crossing.tensors["context_inputs"] = dice.tensor(Shape::matrix(300, kColumns));
    labs.push_back(crossing);
    Lab with_past = of_length(300, 2, MaskKind::causal);
    for (const char* name : {"past_keys", "past_values"})
        with_past.tensors[name] = scaled_down(dice.tensor(Shape::stack(2, 120, kWidth)), 0.25f);
    labs.push_back(with_past);
    return labs;
}

void edit(Trace& trace, Lab& lab, const char* tensor, Cell cell, float value) {
    lab.tensors[tensor] = lab.tensors.at(tensor).with(cell, value);
    trace.update(lab.tensors);
}

float greatest_error(const Trace& trace, const Lab& lab) {
    const Trace fresh = run_storing(lab, kStoresAll);
    float greatest = 0;
    for (int i = 0; i < static_cast<int>(trace.program().nodes.size()); ++i) {
        const std::vector<float> cells = read_all(*trace.source(i)), expected = read_all(*fresh.source(i));
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (std::isnan(cells[k]) && std::isnan(expected[k])) continue;
            if (cells[k] == expected[k]) continue;
            if (!std::isfinite(cells[k]) || !std::isfinite(expected[k])) return HUGE_VALF;
            greatest = std::max(greatest, std::fabs(cells[k] - expected[k]) / (1 + std::fabs(expected[k])));
        }
    }
    return greatest;
}

Trace drifted_trace(Lab& lab, const char* tensor = "W_query") {
    Trace trace = run_storing(lab, kMostStoredWithScores);
    for (const float value : {0.5f, -0.25f, 0.125f}) edit(trace, lab, tensor, {0, 5, 7}, value);
    EXPECT_TRUE(trace.has_drifted()) << "the edits were not followed";
    return trace;
}

TEST(RunningScores, FollowEditsOfAQuerysOrAKeysMatrix) {
    Dice dice(51);
    for (Lab lab : labs_with_columns()) {
        Trace trace = run_storing(lab, kMostStoredWithScores);
        for (int turn = 0; turn < 12; ++turn) {
            const char* const tensor = turn % 2 == 0 ? "W_query" : "W_key";
            const Cell cell{0, dice.below(kColumns), dice.below(lab.tensors.at(tensor).shape().cols)};
            edit(trace, lab, tensor, cell, dice.number() / (turn % 5 == 0 ? 1.0f : 8.0f));
            EXPECT_TRUE(trace.has_drifted()) << tensor << " in turn " << turn;
        }
        EXPECT_LE(greatest_error(trace, lab), 4e-6f);
    }
}

TEST(RunningScores, OneEditReachesTheHeadsThatReadTheColumn) {
    Lab lab = of_length(kLength, 2, MaskKind::none);
    Trace trace = run_storing(lab, kMostStoredWithScores);
    lab.tensors["W_query"] = lab.tensors.at("W_query").with({0, 3, kWidth + 1}, 0.5f);
    const UpdateReport report = trace.update(lab.tensors);
    EXPECT_TRUE(trace.has_drifted());
    const std::size_t queries = kLength, scores = kLength * kLength;
    const std::size_t contexts = 2 * kLength * kWidth; // of both heads: a half is run as all are
    EXPECT_EQ(report.n_cells_computed, queries + scores + contexts);
    const std::size_t node = at_index(trace.program().find("attention_scores"));
    ASSERT_EQ(report.changed[node].blocks().size(), 1u);
    EXPECT_EQ(report.changed[node].blocks()[0], (Block{Range::at(1), {0, kLength}, {0, kLength}}));
}

// Tokens change between: their scores are run, those of others keep their rounding.
TEST(RunningScores, TidyingUpLeavesTheBitsOfAFreshRunOfScores) {
    for (Lab lab : labs_with_columns()) {
        for (const char* tensor : {"W_query", "W_key"}) {
            Trace trace = drifted_trace(lab, tensor);
            edit(trace, lab, "inputs", {0, 11, 3}, 0.75f);
            EXPECT_TRUE(trace.has_drifted());
            tidy_up(trace);
            expect_equal_bits(trace, run_storing(lab, kStoresAll), tensor);
        }
    }
}

// What was added is so large that rounding it leaves little of what it was added to.
TEST(RunningScores, WhereColumnsWouldCancelRowsAreRunAgain) {
    for (const char* tensor : {"W_query", "W_key"}) {
        Lab lab = of_length(kLength, 1, MaskKind::none);
        Trace trace = run_storing(lab, kMostStoredWithScores);
        for (const float value : {0.25f, -0.125f}) {
            edit(trace, lab, tensor, {0, 2, 9}, 1e5f);
            EXPECT_TRUE(trace.has_drifted()) << "it was followed";
            if (value < 0) tidy_up(trace);
            edit(trace, lab, tensor, {0, 2, 9}, value);
            EXPECT_LE(greatest_error(trace, lab), 4e-6f) << tensor << " " << value;
        }
    }
}

TEST(RunningScores, WhatIsNotFiniteStaysNoLongerThanItIs) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const char* tensor : {"W_query", "W_key"}) {
        Lab lab = of_length(kLength, 1, MaskKind::none);
        Trace trace = run_storing(lab, kMostStoredWithScores);
        for (const float value : {kInfinity, 0.25f, std::nanf(""), 0.5f, 3e38f, -0.25f}) {
            edit(trace, lab, tensor, {0, 2, 9}, value);
            const bool is_moderate = value != 3e38f; // of which float32 leaves a fresh run as little
            EXPECT_TRUE(!is_moderate || greatest_error(trace, lab) <= 4e-6f) << tensor << " " << value;
        }
    }
}

// A number of a query or a key reaches one row or column of the scores, which are run.
TEST(RunningScores, SingleRowsOfQueriesAndKeysAreRun) {
    for (const char* tensor : {"queries", "keys"}) {
        Lab lab = given_of_length(kLength);
        Trace trace = run_storing(lab, kMostStoredWithScores);
        lab.tensors[tensor] = lab.tensors.at(tensor).with({0, 7, 3}, 0.5f);
        const UpdateReport report = trace.update(lab.tensors);
        EXPECT_EQ(report.n_cells_computed, std::size_t{kLength} + kLength * kWidth) << tensor;
        const std::size_t node = at_index(trace.program().find("attention_scores"));
        ASSERT_EQ(report.changed[node].blocks().size(), 1u);
        EXPECT_EQ(report.changed[node].blocks()[0].size(), std::size_t{kLength}) << tensor;
    }
}

// 0 · ∞
TEST(RunningScores, AKeyThatBecomesInfiniteReachesQueriesThatAreZeroThere) {
    Lab lab = given_of_length(kLength);
    Tensor queries = lab.tensors.at("queries");
    for (int row = 0; row < kLength; ++row) queries = queries.with({0, row, 4}, 0);
    lab.tensors["queries"] = queries;
    Trace trace = run_storing(lab, kMostStoredWithScores);
    Tensor keys = lab.tensors.at("keys");
    for (const float of_one : {0.25f, HUGE_VALF}) {
        for (int row = 0; row < kLength; ++row) keys = keys.with({0, row, 4}, row == 100 ? of_one : 0.5f);
        lab.tensors["keys"] = keys;
        const UpdateReport report = trace.update(lab.tensors);
        EXPECT_EQ(report.n_cells_computed > 0, of_one == HUGE_VALF) << "what adds nothing is followed";
    }
    EXPECT_TRUE(std::isnan(trace.at(trace.program().find("attention_scores"), {0, 8, 100})));
    EXPECT_LE(greatest_error(trace, lab), 4e-6f);
}

// The third of inputs' columns is 0 throughout, so that what it is multiplied by reaches nothing.
TEST(RunningScores, WhatAddsNothingLeavesNoRounding) {
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Tensor inputs = lab.tensors.at("inputs");
    for (int row = 0; row < kLength; ++row) inputs = inputs.with({0, row, 2}, 0);
    lab.tensors["inputs"] = inputs;
    Trace trace = run_storing(lab, kMostStoredWithScores);
    edit(trace, lab, "W_query", {0, 2, 7}, 0.5f);
    EXPECT_FALSE(trace.has_drifted());
}

TEST(RunningScores, ManyColumnsAreRun) {
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Trace trace = run_storing(lab, kMostStoredWithScores);
    Tensor matrix = lab.tensors.at("W_query");
    for (int col = 0; col < 5; ++col) matrix = matrix.with({0, 4, col}, 0.25f);
    lab.tensors["W_query"] = matrix;
    trace.update(lab.tensors);
    EXPECT_FALSE(trace.has_drifted());
    expect_equal_bits(trace, run_storing(lab, kStoresAll), "five columns");
}

// What is small enough to be run within a frame leaves no rounding behind.
TEST(RunningScores, SmallScoresAreRun) {
    for (const MostStored& most : {kStoresAll, MostStored{200000, 400000}}) {
        Lab lab = of_length(kLength, 1, MaskKind::none);
        Trace trace = run_storing(lab, most);
        edit(trace, lab, "W_query", {0, 5, 7}, 0.5f);
        EXPECT_FALSE(trace.has_drifted());
        expect_equal_bits(trace, run_storing(lab, kStoresAll), "run");
    }
}

// What is added is small beside what there is: thirty-one or thirty-two terms are.
TEST(RunningScores, AreRunAgainAfterSoManyTerms) {
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Trace trace = run_storing(lab, kMostStoredWithScores);
    int n_followed = 0;
    for (; n_followed < 40; ++n_followed) {
        edit(trace, lab, "W_query", {0, 5, 7}, n_followed % 2 == 0 ? 0.0625f : 0.09375f);
        if (!trace.has_drifted()) break;
    }
    EXPECT_GE(n_followed, 24);
    EXPECT_LE(n_followed, 32);
    expect_equal_bits(trace, run_storing(lab, kStoresAll), "run again");
}

// Some rows are fresh then, and some not; what has not changed is not said to have.
void edit_within_refresh(Lab lab, int n_refreshed, const std::string& tensor) {
    const std::string what = tensor + " after " + std::to_string(n_refreshed);
    Trace trace = run_storing(lab, kMostStoredWithScores);
    edit(trace, lab, "W_query", {0, 5, 7}, 0.5f);
    for (int i = 0; i < n_refreshed; ++i) ASSERT_TRUE(trace.refresh_some()) << what;
    ASSERT_TRUE(trace.is_complete() && trace.has_drifted()) << what;
    trace.take_report();
    lab.tensors[tensor] = lab.tensors.at(tensor).with({0, 9, 3}, 0.75f);
    const UpdateReport report = trace.update(lab.tensors);
    EXPECT_EQ(report.changed[at_index(trace.program().find("keys"))].empty(), tensor != "inputs") << what;
    const bool changes_scores = !report.changed[at_index(trace.program().find("attention_scores"))].empty();
    EXPECT_EQ(changes_scores, tensor != "W_value") << what;
    EXPECT_TRUE(trace.has_drifted()) << what;
    EXPECT_LE(greatest_error(trace, lab), 4e-6f) << what;
    tidy_up(trace);
    expect_equal_bits(trace, run_storing(lab, kStoresAll), what);
}

TEST(RunningScores, AnEditInterruptsTheRefresh) {
    Lab lab = of_length(600, 1, MaskKind::causal); // scores and contexts are several slices
    Lab sparse = lab;                              // whose weights are stored
    sparse.settings.normalization = Normalization::sparsemax;
    for (const int n_refreshed : {1, 2, 3}) {
        for (const char* tensor : {"W_query", "W_value", "inputs"}) {
            edit_within_refresh(lab, n_refreshed, tensor);
            edit_within_refresh(sparse, n_refreshed, tensor);
        }
    }
}

TEST(RunningScores, AnotherProgramInterruptsTheRefresh) {
    Lab lab = of_length(600, 1, MaskKind::none);
    Trace trace = run_storing(lab, kMostStoredWithScores);
    edit(trace, lab, "W_key", {0, 5, 7}, 0.5f);
    ASSERT_TRUE(trace.refresh_some());
    ASSERT_TRUE(trace.has_drifted());
    lab.settings.scale = 0.25f;
    trace.update(program_of(lab), lab.tensors);
    EXPECT_TRUE(trace.has_drifted());
    tidy_up(trace);
    expect_equal_bits(trace, run_storing(lab, kStoresAll), "another scale");
}

// The switch leaves scores as they are, which goes on to be known.
TEST(RunningScores, DriftIsKnownAlsoWhenAnotherProgramTakesThemUp) {
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Trace trace = drifted_trace(lab);
    for (const bool shows_gradients : {true, false}) {
        trace.update(shows_gradients ? try_gradients(lab, "sum(queries)").value() : program_of(lab), lab.tensors);
        EXPECT_TRUE(trace.has_drifted());
    }
    EXPECT_LE(greatest_error(trace, lab), 4e-6f);
    tidy_up(trace);
    expect_equal_bits(trace, run_storing(lab, kStoresAll), "refreshed after the switch");
}

TEST(RunningScores, AnEditInterruptsAnother) {
    Lab lab = of_length(kLength, 2, MaskKind::causal);
    Trace trace = run_storing(lab, kMostStoredWithScores);
    for (const float value : {0.5f, -0.25f, 0.125f, 0.75f}) {
        for (const char* tensor : {"W_query", "W_key", "inputs"}) {
            lab.tensors[tensor] = lab.tensors.at(tensor).with({0, 5, 7}, value);
            trace.begin_update(lab.tensors); // what is left of it is left
        }
    }
    while (!trace.is_complete()) trace.advance();
    EXPECT_LE(greatest_error(trace, lab), 4e-6f);
}

// Queries are those of now, scores those of before.
TEST(RunningScores, AnEditComesBeforeTheScoresOfAnother) {
    Dice dice(55);
    Lab lab = of_length(kLength, 2, MaskKind::none);
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(kLength, 1500)); // projections are several slices
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = scaled_down(dice.tensor(Shape::matrix(1500, 2 * kWidth)), 0.01f);
    Trace trace = drifted_trace(lab);
    lab.tensors["W_query"] = scaled_down(dice.tensor(Shape::matrix(1500, 2 * kWidth)), 0.01f);
    trace.begin_update(lab.tensors);
    while (trace.is_pending(trace.program().find("queries"))) trace.advance();
    ASSERT_TRUE(trace.is_pending(trace.program().find("attention_scores")));
    edit(trace, lab, "W_query", {0, 5, 7}, 0.5f);
    EXPECT_FALSE(trace.has_drifted());
    expect_equal_bits(trace, run_storing(lab, kStoresAll), "after both");
}

TEST(RunningScores, WhatIsForgottenIsRun) {
    Lab lab = of_length(kLength, 1, MaskKind::causal);
    Trace trace = drifted_trace(lab);
    edit(trace, lab, "inputs", {0, 11, 3}, 0.75f);
    trace.forget_all();
    trace.update(lab.tensors);
    expect_equal_bits(trace, run_storing(lab, kStoresAll), "everything");
    EXPECT_FALSE(trace.has_drifted());
}

TEST(RunningScores, AreTheSameBitsWithTwoThreads) {
    ThreadPool threads(2);
    Lab lab = of_length(kLength, 2, MaskKind::causal), same = lab;
    Trace alone = run_storing(lab, kMostStoredWithScores), shared(&threads, kMostStoredWithScores);
    shared.update(program_of(same), same.tensors);
    for (const char* tensor : {"W_query", "W_key"}) {
        edit(alone, lab, tensor, {0, 5, 7}, 0.5f);
        edit(shared, same, tensor, {0, 5, 7}, 0.5f);
    }
    EXPECT_TRUE(shared.has_drifted());
    expect_equal_bits(shared, alone, "two threads");
}

// Ten thousand edits of any cell of the matrices and of the tokens.
TEST(RunningScores, TenThousandEditsOfMatricesDriftBelowAHundredThousandth) {
    constexpr int kFew = 80;
    Dice dice(53);
    Lab lab;
    lab.settings.n_heads = 2;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(kFew, 8));
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = scaled_down(dice.tensor(Shape::matrix(8, 16)), 0.5f);
    Trace trace = run_storing(lab, {1000, 13000});
    float greatest = 0;
    for (int turn = 0; turn < 10000; ++turn) {
        const char* const tensor = turn % 3 == 0 ? "W_query" : turn % 3 == 1 ? "W_key" : "inputs";
        const Shape shape = lab.tensors.at(tensor).shape();
        edit(trace, lab, tensor, {0, dice.below(shape.rows), dice.below(shape.cols)},
             dice.number() / (turn % 3 == 2 ? 1.0f : 2.0f));
        if (turn % 1000 == 999) greatest = std::max(greatest, greatest_error(trace, lab));
    }
    EXPECT_TRUE(trace.has_drifted()) << "the last edits were followed";
    EXPECT_LE(greatest, 1e-5f);
    tidy_up(trace);
    expect_equal_bits(trace, run_storing(lab, kStoresAll), "tidied up");
}

} // namespace
