// What is known of rows that are not stored stays known when the program becomes another in which they are computed alike.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <string>

#include "tests/engine/long_labs.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr int kLong = 900; // so long that weights and contexts are several slices

// Whose slopes need no weights of other rows, so that they need not be stored; and whose slopes do.
constexpr const char* kTargets[] = {"sum(queries)", "sum(context_vectors)"};

Program gradients_of(const Lab& lab, const std::string& target) { return try_gradients(lab, target).value(); }

// What the weights are made of row by row, and they themselves.
std::vector<std::string> names_of_rows(const Program& program) {
    std::vector<std::string> names{"attention_scores", "scaled_scores", "masked_scores", "attention_weights"};
    std::erase_if(names, [&](const std::string& name) { return program.find(name) < 0; });
    return names;
}

std::vector<float> seen_from_afar(const Trace& trace, const std::string& name) {
    const int node = trace.program().find(name);
    const Block all = Block::all(seen_at_level(trace.program().node(node).shape, 3));
    std::vector<float> texels(all.size());
    trace.source(node)->reduce(all, {3, Reduction::maximum}, texels.data());
    return texels;
}

void look_at_all(const Trace& trace) {
    for (const std::string& name : names_of_rows(trace.program())) seen_from_afar(trace, name);
}

// Rows of which a picture needs no cell; all of what is stored.
int n_known(const Trace& trace, const std::string& name) {
    const int node = trace.program().find(name);
    int n = 0;
    for_each_row(Block::all(trace.program().node(node).shape), [&](int plane, int row) {
        n += trace.is_surveyed(node, {Range::at(plane), Range::at(row), {}}, {0, Reduction::maximum}) ? 1 : 0;
    });
    return n;
}

void finish(Trace& trace) {
    while (!trace.is_complete()) trace.advance();
}

// Pictures and extents first: reading cells brings rows of overviews up to date.
void expect_same_as_fresh(const Trace& trace, const Lab& lab, const std::string& what) {
    Trace fresh(nullptr, kStoresAll);
    fresh.update(trace.program(), lab.tensors);
    for (const std::string& name : names_of_rows(trace.program())) {
        EXPECT_EQ(seen_from_afar(trace, name), seen_from_afar(fresh, name)) << what << ": " << name;
        const int node = trace.program().find(name);
        EXPECT_EQ(trace.extent(node), fresh.extent(node)) << what << ": " << name;
    }
    expect_equal_bits(trace, fresh, what);
}

Trace looked_at_trace(const Lab& lab, const MostStored& most = kMostStored) {
    Trace trace = run_storing(lab, most);
    look_at_all(trace);
    return trace;
}

TEST(KeptRows, GradientsAreShownAndHiddenAgain) {
    for (const MaskKind mask : {MaskKind::none, MaskKind::causal}) {
        for (const char* target : kTargets) {
            const Lab lab = of_length(kLong, 1, mask);
            const Program with = gradients_of(lab, target), without = program_of(lab);
            Trace trace = looked_at_trace(lab);
            for (const Program* program : {&with, &without, &with}) {
                const int before = trace.program().find("attention_weights");
                const bool was_stored = trace.is_stored(before);
                trace.begin_update(*program, lab.tensors);
                const bool is_stored = trace.is_stored(program->find("attention_weights"));
                for (const std::string& name : names_of_rows(*program)) {
                    const bool is_kept = name != "attention_weights" || was_stored == is_stored;
                    EXPECT_TRUE(!is_kept || n_known(trace, name) == kLong) << target << ": " << name;
                }
                finish(trace);
                expect_same_as_fresh(trace, lab, target);
            }
        }
    }
}

// Scores that are stored run with weights that only now are; what lies between them is what it was.
TEST(KeptRows, WhatRunsWithNewWeightsIsNotForgottenAfterwards) {
    const Lab lab = of_length(kLength, 2, MaskKind::causal);
    Trace trace = looked_at_trace(lab, kMostStoredWithScores);
    const Program with = gradients_of(lab, "sum(context_vectors)");
    ASSERT_FALSE(trace.is_stored(trace.program().find("attention_weights")));
    trace.update(with, lab.tensors);
    ASSERT_TRUE(trace.is_stored(with.find("attention_weights")));
    EXPECT_EQ(n_known(trace, "masked_scores"), 2 * kLength);
    expect_same_as_fresh(trace, lab, "new weights");
}

TEST(KeptRows, AQueryIsEditedAtTheSameTime) {
    Lab lab = given_of_length(kLong);
    for (const char* target : {"sum(values)", "sum(context_vectors)"}) {
        Trace trace = looked_at_trace(lab);
        for (const bool shows_gradients : {true, false}) {
            lab.tensors["queries"] = lab.tensors.at("queries").with({0, 7, 3}, shows_gradients ? 2.0f : -1.0f);
            trace.begin_update(shows_gradients ? gradients_of(lab, target) : program_of(lab), lab.tensors);
            EXPECT_GE(n_known(trace, "attention_scores"), kLong - 1) << "of all other rows";
            finish(trace);
            expect_same_as_fresh(trace, lab, target);
        }
    }
}

// Weights run as a whole without the step before them, whose factor they take themselves: what is known of it is not renewed by that.
TEST(KeptRows, ARunOfWeightsForgetsWhatItPassesBy) {
    Dice dice(43);
    Lab lab = of_length(kLength, 1, MaskKind::none);
    lab.settings.scale = 0.25f;
    Trace trace = run_storing(lab, {400000, 1600000});
    ASSERT_TRUE(trace.is_stored(trace.program().find("attention_weights")));
    const std::vector<float> before = seen_from_afar(trace, "scaled_scores");
    lab.tensors["W_query"] = dice.tensor(lab.tensors.at("W_query").shape());
    trace.update(lab.tensors);
    EXPECT_NE(seen_from_afar(trace, "scaled_scores"), before);
    expect_same_as_fresh(trace, lab, "after an edit of W_query");
}

// Sums that came along are those that the edit's terms are added to.
TEST(KeptRows, AKeyIsEditedAtTheSameTime) {
    Lab lab = given_of_length(kLength);
    Trace trace = looked_at_trace(lab);
    for (const bool shows_gradients : {true, false}) {
        lab.tensors["keys"] = lab.tensors.at("keys").with({0, 9, 2}, shows_gradients ? 1.5f : 0.5f);
        trace.update(shows_gradients ? gradients_of(lab, "sum(values)") : program_of(lab), lab.tensors);
        EXPECT_TRUE(trace.has_drifted()) << "the edit was not followed";
        while (trace.refresh_some()) finish(trace);
        expect_same_as_fresh(trace, lab, "after an edit of a key");
    }
}

// Steps that compute something else are not known by what their names were before, whatever comes before them is.
TEST(KeptRows, AnotherSettingForgetsWhatItReaches) {
    const auto scale = [](AttentionSettings& settings) { settings.scale = 0.25f; };
    const auto window = [](AttentionSettings& settings) {
        settings.mask = MaskKind::sliding_window;
        settings.window = 50;
    };
    const auto softcap = [](AttentionSettings& settings) { settings.softcap = 2; };
    for (const auto& change : {std::function<void(AttentionSettings&)>(scale), {window}, {softcap}}) {
        Lab lab = of_length(kLong, 1, MaskKind::causal);
        Trace trace = looked_at_trace(lab);
        const std::vector<float> before = seen_from_afar(trace, "masked_scores");
        for (const bool shows_gradients : {true, false}) {
            if (shows_gradients)
                change(lab.settings);
            else
                lab.settings = of_length(kLong, 1, MaskKind::causal).settings;
            trace.begin_update(shows_gradients ? gradients_of(lab, "sum(queries)") : program_of(lab), lab.tensors);
            EXPECT_EQ(n_known(trace, "attention_scores"), kLong);
            EXPECT_LT(n_known(trace, "masked_scores"), kLong);
            EXPECT_LT(n_known(trace, "attention_weights"), kLong);
            finish(trace);
            expect_same_as_fresh(trace, lab, shows_gradients ? "another setting" : "the setting of before");
            EXPECT_EQ(seen_from_afar(trace, "masked_scores") != before, shows_gradients) << "a setting without effect";
        }
    }
}

// While queries are new in part, what is seen of scores is of neither text.
TEST(KeptRows, AnUpdateIsInterruptedByAnotherProgram) {
    Dice dice(37);
    Lab lab = of_length(kLong, 1, MaskKind::causal);
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(kLong, 1500)); // projections are several slices
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = scaled_down(dice.tensor(Shape::matrix(1500, kWidth)), 0.01f);
    for (const char* target : kTargets) {
        Trace trace = looked_at_trace(lab);
        lab.tensors["W_query"] = dice.tensor(Shape::matrix(1500, kWidth));
        trace.begin_update(lab.tensors);
        ASSERT_TRUE(trace.is_pending(trace.program().find("attention_scores")));
        look_at_all(trace);
        trace.begin_update(gradients_of(lab, target), lab.tensors);
        finish(trace);
        expect_same_as_fresh(trace, lab, target);
    }
}

void refresh(Trace& trace) {
    while (trace.refresh_some()) finish(trace);
}

// Three edits of one cell, which are followed.
Trace trace_that_has_drifted(Lab& lab) {
    Trace trace = looked_at_trace(lab);
    for (const float value : {0.5f, -1.5f, 1.0f}) {
        lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 9, 2}, value);
        trace.update(lab.tensors);
    }
    EXPECT_TRUE(trace.has_drifted()) << "the edits were not followed";
    return trace;
}

TEST(KeptRows, DriftIsKnownAlsoAfterAnEditThatLeavesWeightsAsTheyAre) {
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Trace trace = trace_that_has_drifted(lab);
    lab.tensors["W_value"] = lab.tensors.at("W_value").with({0, 1, 1}, 2);
    trace.update(lab.tensors);
    EXPECT_TRUE(trace.has_drifted());
    refresh(trace);
    EXPECT_FALSE(trace.has_drifted());
    expect_same_as_fresh(trace, lab, "refreshed");
}

TEST(KeptRows, DriftIsGoneWhenAllWeightsAreNew) {
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Trace trace = trace_that_has_drifted(lab);
    Dice dice(41);
    lab.tensors["W_query"] = dice.tensor(lab.tensors.at("W_query").shape());
    trace.update(lab.tensors);
    EXPECT_FALSE(trace.has_drifted());
    expect_same_as_fresh(trace, lab, "all new");
}

// The switch comes before the refresh, or in the middle of it; then an edit may be followed.
TEST(KeptRows, DriftIsKnownAlsoWhenTheProgramIsAnother) {
    for (const int n_refreshed : {0, 1}) {
        for (const bool is_edited : {false, true}) {
            Lab lab = of_length(kLong, 1, MaskKind::none);
            Trace trace = trace_that_has_drifted(lab);
            for (int i = 0; i < n_refreshed; ++i) trace.refresh_some();
            look_at_all(trace);
            if (is_edited) lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 11, 1}, 2);
            trace.update(gradients_of(lab, "sum(queries)"), lab.tensors);
            EXPECT_GT(n_known(trace, "attention_weights"), is_edited ? kLong / 2 : kLong - 1);
            EXPECT_TRUE(trace.has_drifted());
            refresh(trace);
            expect_same_as_fresh(trace, lab, "refreshed after the switch");
        }
    }
}

// Nor has what follows from them: outputs.
TEST(KeptRows, WhereWeightsAreStoredFromNowOnNothingHasDrifted) {
    Dice dice(47);
    Lab lab = of_length(kLength, 2, MaskKind::none);
    lab.tensors["W_output"] = dice.tensor(Shape::matrix(2 * kWidth, 24));
    Trace trace = trace_that_has_drifted(lab);
    ASSERT_GE(trace.program().find("outputs"), 0);
    trace.update(gradients_of(lab, "sum(context_vectors)"), lab.tensors);
    ASSERT_TRUE(trace.is_stored(trace.program().find("attention_weights")));
    EXPECT_FALSE(trace.has_drifted());
    expect_same_as_fresh(trace, lab, "stored");
}

TEST(KeptRows, SumsThatWereRunAgainComeAlong) {
    Lab lab = of_length(kLength, 1, MaskKind::none);
    Trace trace = looked_at_trace(lab);
    lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 9, 2}, 0.5f);
    trace.update(lab.tensors);
    ASSERT_TRUE(trace.has_drifted());
    refresh(trace);
    look_at_all(trace);
    trace.begin_update(gradients_of(lab, "sum(queries)"), lab.tensors);
    EXPECT_EQ(n_known(trace, "attention_weights"), kLength);
    finish(trace);
    expect_same_as_fresh(trace, lab, "after a refresh");
}

// Of rows that a picture has come by it is known; of others a weight is looked at.
TEST(KeptRows, ARowWithoutKeysIsFoundWhetherItIsKnownOrNot) {
    constexpr int kWithout = 211;
    Lab lab = of_length(kLength, 1, MaskKind::tensor);
    const float forbidden = -std::numeric_limits<float>::infinity();
    std::vector<float> mask(Shape::matrix(kLength, kLength).size(), 0.0f);
    for (int row = 0; row < kLength; ++row) mask[at_index(row * kLength)] = forbidden; // the first key, for all
    std::fill_n(mask.begin() + std::ptrdiff_t{kWithout} * kLength, kLength, forbidden);
    lab.tensors["mask"] = Tensor(Shape::matrix(kLength, kLength), std::move(mask));
    for (const bool is_looked_at : {false, true}) {
        Trace trace = run_storing(lab, kMostStored);
        const int weights = trace.program().find("attention_weights");
        ASSERT_FALSE(trace.is_stored(weights));
        if (is_looked_at) look_at_all(trace);
        EXPECT_FALSE(trace.have_keys(weights, 0, {0, kLength}));
        EXPECT_FALSE(trace.have_keys(weights, 0, Range::at(kWithout)));
        EXPECT_EQ(trace.have_keys(weights, 0, {0, kWithout}), is_looked_at);
        EXPECT_EQ(trace.have_keys(weights, 0, {kWithout + 1, kLength}), is_looked_at);
        for (int row = 0; row < kLength; ++row)
            ASSERT_EQ(trace.has_all_keys_masked(weights, 0, row), row == kWithout) << row;
        std::map<std::string, Tensor> tensors = lab.tensors;
        for (int key = 1; key < kLength; ++key)
            tensors["mask"] = tensors.at("mask").with({0, kWithout + 1, key}, forbidden);
        trace.update(tensors);
        EXPECT_FALSE(trace.have_keys(weights, 0, Range::at(kWithout + 1))) << "what was known of it";
        EXPECT_TRUE(trace.has_all_keys_masked(weights, 0, kWithout + 1));
    }
}

// However often rows were looked at before the program is another and after, the extent is that of those that are known.
TEST(KeptRows, ExtentsGrowWithTheRowsThatBecomeKnownLater) {
    constexpr int kShort = 130, kFirst = 60;
    const Lab lab = of_length(kShort, 1, MaskKind::none);
    Trace expected = run_storing(lab, kStoresAll);
    const Tensor scores = tensor_of(expected, "attention_scores");
    for (int n_more = 0; n_more <= kShort - kFirst; ++n_more) {
        Trace trace = run_storing(lab, {4000, 16000});
        const int node = trace.program().find("attention_scores");
        ASSERT_FALSE(trace.is_stored(node));
        for (int row = 0; row < kFirst; ++row) trace.survey(node, 0, Range::at(row));
        trace.extent(node);
        trace.update(gradients_of(lab, "sum(queries)"), lab.tensors);
        for (int row = kFirst; row < kFirst + n_more; ++row) trace.survey(node, 0, Range::at(row));
        ExtentSum sum;
        for (int row = 0; row < kFirst + n_more; ++row) sum.add_finite(scores.row(row).data(), kShort);
        EXPECT_EQ(trace.extent(node), sum.extent()) << n_more;
    }
}

} // namespace
