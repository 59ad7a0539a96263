// An update that takes long goes on in slices, and another may begin before it is complete.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/kernels/thread_pool.h"
#include "engine/trace.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

// Scores have 490,000 cells.
constexpr MostStored kFewStored{100000, 400000}, kMoreStored{200000, 800000};
constexpr int kSlicedLength = 700; // so long that scores and contexts are several slices

Lab long_lab(MaskKind mask = MaskKind::none, int n_tokens = kSlicedLength) {
    Dice dice(29);
    Lab lab;
    lab.settings.mask = mask;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(n_tokens, 16));
    for (const char* name : {"W_query", "W_key", "W_value"}) lab.tensors[name] = dice.tensor(Shape::matrix(16, 64));
    lab.tensors["W_output"] = dice.tensor(Shape::matrix(64, 16));
    return lab;
}

void edit_all_scores(Lab& lab, float value) { lab.tensors["W_query"] = lab.tensors.at("W_query").with({}, value); }

void expect_fresh_bits(const Trace& trace, const Lab& lab) {
    const Trace fresh = run(lab);
    for (int i = 0; i < static_cast<int>(trace.program().nodes.size()); ++i) {
        const std::vector<float> cells = read_all(*trace.source(i)), expected = read_all(*fresh.source(i));
        EXPECT_EQ(std::memcmp(cells.data(), expected.data(), cells.size() * sizeof(float)), 0)
            << trace.program().node(i).name;
        if (trace.program().node(i).shape.size() > kFewStored.weights)
            continue; // left out: the extent is that of rows that were seen
        EXPECT_EQ(trace.extent(i).least, fresh.extent(i).least) << trace.program().node(i).name;
        EXPECT_EQ(trace.extent(i).greatest, fresh.extent(i).greatest) << trace.program().node(i).name;
    }
}

int advance_to_the_end(Trace& trace) {
    int n = 0;
    for (; !trace.is_complete(); ++n) trace.advance();
    return n;
}

TEST(Slices, AnUpdateInSlicesEndsWithTheBitsOfARunInOne) {
    for (const MostStored& most_stored : {kStoresAll, kFewStored}) {
        Lab lab = long_lab();
        Trace trace(nullptr, most_stored);
        trace.begin_update(program_of(lab), lab.tensors);
        EXPECT_FALSE(trace.is_complete());
        EXPECT_GT(advance_to_the_end(trace), 1);
        expect_fresh_bits(trace, lab);
        edit_all_scores(lab, 1.5f);
        trace.begin_update(lab.tensors);
        advance_to_the_end(trace);
        expect_fresh_bits(trace, lab);
    }
}

// Before a single slice, and of every kind of tensor: stored or not, computed or not.
TEST(Slices, WhatIsNotComputedYetCanBeLookedAt) {
    for (const MostStored& most_stored : {kStoresAll, kFewStored}) {
        Lab lab = long_lab(MaskKind::causal);
        for (const char* name : {"W_query", "W_key", "W_value"})
            lab.tensors[name] = Dice(7).tensor(Shape::matrix(16, 2048)); // so wide that queries take slices too
        lab.tensors["W_output"] = Dice(8).tensor(Shape::matrix(2048, 16));
        Trace trace(nullptr, most_stored);
        trace.begin_update(program_of(lab), lab.tensors);
        EXPECT_TRUE(trace.is_pending(trace.program().find("keys")));
        for (; !trace.is_complete(); trace.advance()) {
            for (int i = 0; i < static_cast<int>(trace.program().nodes.size()); ++i) {
                const Shape& shape = trace.program().node(i).shape;
                const Cell last{shape.planes - 1, shape.rows - 1, shape.cols - 1};
                const float cell = trace.at(i, last);
                const bool is_number = !std::isnan(cell);
                EXPECT_TRUE(is_number || trace.is_pending(i)) << trace.program().node(i).name;
                const Expression made = trace.derive(i, last);
                trace.notice(i, last.plane, last.row);
                trace.extent(i);
                trace.feeds(i, last);
                trace.survey(i, last.plane, {0, 1});
                if (trace.can_derive(i)) continue;
                EXPECT_EQ(made.kind, Expression::Kind::given) << trace.program().node(i).name;
                EXPECT_EQ(made.label, "still to be computed");
            }
        }
        expect_fresh_bits(trace, lab);
    }
}

// Rows that are there already would be read beside memory that nobody has written yet.
TEST(Slices, WhatIsComputedInPartForTheFirstTimeReadsAsZerosUntilAllOfItIsThere) {
    const Lab lab = long_lab();
    Trace trace;
    trace.begin_update(program_of(lab), lab.tensors);
    const int scores = trace.program().find("attention_scores"), outputs = trace.program().find("outputs");
    int n_slices = 0;
    for (; trace.is_missing(scores); trace.advance(), ++n_slices) {
        EXPECT_EQ(trace.at(scores, {0, 0, 0}), 0) << n_slices;
        EXPECT_EQ(trace.extent(scores).greatest, 0) << n_slices;
        EXPECT_TRUE(trace.is_missing(outputs));
    }
    EXPECT_GT(n_slices, 1);
    EXPECT_NE(trace.at(scores, {0, 0, 0}), 0);
    EXPECT_GT(trace.extent(scores).greatest, 0);
    advance_to_the_end(trace);
    EXPECT_FALSE(trace.is_missing(outputs));
}

// A number that is there, but not what it is to be made of now.
TEST(Slices, HowANumberOfBeforeCameAboutIsNotToldFromWhatIsStillToBeComputed) {
    const Lab lab = long_lab();
    Trace trace;
    trace.update(*try_gradients(lab, "sum(queries)"), lab.tensors);
    const Cell cell{0, 3, 2};
    trace.begin_update(*try_gradients(lab, "sum(outputs)"), lab.tensors);
    const int slopes = trace.program().find("grad.queries");
    ASSERT_FALSE(trace.is_missing(slopes));
    EXPECT_FALSE(trace.can_derive(slopes)) << "what the scores' slopes are made of is new";
    EXPECT_EQ(trace.at(slopes, cell), 1) << "of the target before";
    EXPECT_EQ(trace.derive(slopes, cell).label, "still to be computed");
    EXPECT_EQ(evaluate(trace.derive(slopes, cell)), 1);
    advance_to_the_end(trace);
    EXPECT_TRUE(trace.can_derive(slopes));
    EXPECT_EQ(trace.derive(slopes, cell).kind, Expression::Kind::sum);
}

// Cells of which each is only set, by no operation: to be written for the first time is what takes long.
TEST(Slices, WhatIsOnlyWrittenGoesOnInSlicesToo) {
    Dice dice(29);
    Lab lab;
    constexpr int kTokens = 1500;
    for (const char* name : {"queries", "keys", "values"}) lab.tensors[name] = dice.tensor(Shape::matrix(kTokens, 4));
    lab.settings.projections = false;
    Trace trace(nullptr, kFewStored);
    trace.update(program_of(lab), lab.tensors);
    trace.begin_update(*try_gradients(lab, "attention_scores[3,2]"), lab.tensors);
    const int seed = trace.program().find("grad.attention_scores");
    ASSERT_TRUE(trace.is_stored(seed));
    EXPECT_TRUE(trace.is_missing(seed));
    advance_to_the_end(trace);
    EXPECT_EQ(trace.at(seed, {0, 3, 2}), 1);
    EXPECT_EQ(trace.at(seed, {0, 3, 1}), 0);
}

TEST(Slices, AnEditOfAllScoresOfALongTextGoesOnInSlices) {
    for (const MostStored& most : {kFewStored, kMoreStored}) {
        Lab lab = long_lab(most == kFewStored ? MaskKind::none : MaskKind::causal);
        Trace trace(nullptr, most);
        trace.update(program_of(lab), lab.tensors);
        edit_all_scores(lab, 1.5f);
        trace.begin_update(lab.tensors);
        EXPECT_GT(advance_to_the_end(trace), 1);
        EXPECT_EQ(trace.has_drifted(), most == kMoreStored) << "scores that are stored are followed";
        int n_refreshed = 0;
        for (; trace.refresh_some(); ++n_refreshed) EXPECT_TRUE(trace.is_complete()) << "what is there is good";
        EXPECT_EQ(n_refreshed > 1, most == kMoreStored);
        expect_fresh_bits(trace, lab);
    }
}

// By all threads and in as many slices: row after row the keys of a long text would be read from memory anew for each.
TEST(Slices, TidyingUpIsSharedOutAsComputingIs) {
    for (const int n_threads : {1, 2}) {
        ThreadPool threads(n_threads);
        Lab lab = long_lab(MaskKind::none, 2 * kSlicedLength);
        Trace trace(&threads, kFewStored);
        trace.begin_update(program_of(lab), lab.tensors);
        const int n_slices = advance_to_the_end(trace);
        lab.tensors["inputs"] = lab.tensors.at("inputs").with({0, 7, 3}, 0.5f);
        trace.update(lab.tensors);
        ASSERT_TRUE(trace.has_drifted());
        int n_refreshed = 0;
        while (trace.refresh_some()) ++n_refreshed;
        EXPECT_GT(n_slices, 8 / n_threads);
        EXPECT_NEAR(n_refreshed, n_slices, 1) << n_threads;
        expect_fresh_bits(trace, lab);
    }
}

// Few numbers come out, but each takes a row of weights, which is computed where it is read.
TEST(Slices, NarrowContextsOfALongTextGoOnInSlices) {
    Dice dice(31);
    Lab lab;
    lab.tensors["inputs"] = dice.tensor(Shape::matrix(2048, 3));
    for (const char* name : {"W_query", "W_key", "W_value"}) lab.tensors[name] = dice.tensor(Shape::matrix(3, 2));
    Trace trace(nullptr, kFewStored);
    trace.begin_update(program_of(lab), lab.tensors);
    EXPECT_TRUE(trace.is_pending(trace.program().find("context_vectors")));
    EXPECT_GT(advance_to_the_end(trace), 1);
    expect_fresh_bits(trace, lab);
    edit_all_scores(lab, 1.5f);
    trace.begin_update(lab.tensors);
    EXPECT_GT(advance_to_the_end(trace), 1);
    expect_fresh_bits(trace, lab);
}

// One column of the contexts is another, for which all weights are computed.
TEST(Slices, AColumnThatIsWeighedAnewGoesOnInSlices) {
    for (const MostStored& most : {kFewStored, kMoreStored}) {
        Lab lab = long_lab(most == kFewStored ? MaskKind::none : MaskKind::causal);
        Trace trace(nullptr, most);
        trace.update(program_of(lab), lab.tensors);
        lab.tensors["W_value"] = lab.tensors.at("W_value").with({0, 3, 5}, 1.5f);
        trace.begin_update(lab.tensors);
        EXPECT_TRUE(trace.is_pending(trace.program().find("context_vectors")));
        EXPECT_GT(advance_to_the_end(trace), 1);
        const int contexts = trace.program().find("context_vectors");
        const Block column{{0, 1}, {0, kSlicedLength}, {5, 6}};
        EXPECT_EQ(trace.take_report().changed[static_cast<std::size_t>(contexts)].blocks(), Region(column).blocks());
        expect_fresh_bits(trace, lab);
    }
}

// Less than half of what a pass computes, and yet more than a frame has time for.
TEST(Slices, ManyRowsOfALongTextGoOnInSlices) {
    constexpr int kTokens = 1500, kEdited = 600;
    Dice dice(37);
    Lab lab;
    for (const char* name : {"queries", "keys", "values"}) lab.tensors[name] = dice.tensor(Shape::matrix(kTokens, 64));
    lab.settings.projections = false;
    Trace trace(nullptr, kFewStored);
    trace.update(program_of(lab), lab.tensors);
    for (int i = 0; i < kEdited; ++i) lab.tensors["queries"] = lab.tensors.at("queries").with({0, i, 7}, 0.25f);
    trace.begin_update(lab.tensors);
    EXPECT_TRUE(trace.is_pending(trace.program().find("context_vectors")));
    EXPECT_GT(advance_to_the_end(trace), 1);
    expect_fresh_bits(trace, lab);
}

TEST(Slices, ProgressGrowsToOne) {
    const Lab lab = long_lab();
    Trace trace;
    trace.begin_update(program_of(lab), lab.tensors);
    double before = -1;
    while (!trace.is_complete()) {
        EXPECT_GT(trace.progress(), before);
        EXPECT_LE(trace.progress(), 1);
        before = trace.progress();
        trace.advance();
    }
    EXPECT_EQ(trace.progress(), 1);
}

TEST(Slices, WhatIsPendingIsToldAndWhatIsLeftOutIsReadableAtOnce) {
    Lab lab = long_lab();
    Trace trace(nullptr, kFewStored);
    trace.update(program_of(lab), lab.tensors);
    edit_all_scores(lab, 1.5f);
    trace.begin_update(lab.tensors);
    ASSERT_FALSE(trace.is_complete());
    const Trace fresh = run(lab);
    for (const char* name : {"attention_scores", "attention_weights"}) {
        const int node = trace.program().find(name);
        EXPECT_FALSE(trace.is_pending(node)) << name;
        EXPECT_EQ(trace.at(node, {0, 650, 7}), fresh.at(node, {0, 650, 7})) << name;
    }
    EXPECT_TRUE(trace.is_pending(trace.program().find("context_vectors")));
    EXPECT_TRUE(trace.is_pending(trace.program().find("outputs")));
    advance_to_the_end(trace);
    EXPECT_FALSE(trace.is_pending(trace.program().find("outputs")));
}

TEST(Slices, TheNextEditTakesTheUpdateOver) {
    for (const MostStored& most_stored : {kStoresAll, kFewStored, kMoreStored}) {
        Lab lab = long_lab(most_stored == kStoresAll ? MaskKind::none : MaskKind::causal);
        Trace trace(nullptr, most_stored);
        trace.begin_update(program_of(lab), lab.tensors);
        trace.advance();
        for (int n_slices : {0, 1, 2}) {
            edit_all_scores(lab, 2.0f + static_cast<float>(n_slices));
            trace.begin_update(lab.tensors);
            for (int i = 0; i < n_slices && !trace.is_complete(); ++i) trace.advance();
        }
        lab.tensors["W_value"] =
            lab.tensors.at("W_value").with({0, 3, 3}, 9); // leaves the scores alone, which are not complete
        trace.begin_update(lab.tensors);
        advance_to_the_end(trace);
        expect_fresh_bits(trace, lab);
    }
}

TEST(Slices, AnotherProgramTakesTheUpdateOver) {
    Lab lab = long_lab();
    Trace trace;
    trace.update(program_of(lab), lab.tensors);
    edit_all_scores(lab, 3);
    trace.begin_update(lab.tensors);
    trace.advance();
    lab.settings.softcap = 4.0f;
    trace.begin_update(program_of(lab), lab.tensors);
    advance_to_the_end(trace);
    expect_fresh_bits(trace, lab);
}

} // namespace
