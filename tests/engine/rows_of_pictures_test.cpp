// What pictures read of rows that are not stored: sampled, as an update comes by, and ahead of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "engine/kernels/thread_pool.h"
#include "engine/trace.h"
#include "tests/engine/long_labs.h"

namespace {

using namespace lab;
using namespace lab::test;

// While a long text is computed its pictures come with it: no row is computed a second time for them.
TEST(RowsOfPictures, WhatPicturesAskForIsKeptAsAnUpdateComesBy) {
    constexpr int kLong = 900;
    const Lab lab = of_length(kLong, 1, MaskKind::causal);
    Trace trace(nullptr, kMostStored);
    trace.begin_update(program_of(lab), lab.tensors);
    ASSERT_FALSE(trace.is_complete());
    const int weights = trace.program().find("attention_weights");
    const auto is_known = [&](int row) {
        return trace.is_surveyed(weights, {Range::at(0), Range::at(row), {}}, {0, Reduction::maximum});
    };
    EXPECT_FALSE(is_known(kLong - 1)) << "not yet";
    EXPECT_TRUE(trace.is_surveyed(weights, {Range::at(0), Range::at(0), {}}, {0, Reduction::mean})) << "keeps nothing";
    while (!trace.is_complete()) trace.advance();
    EXPECT_TRUE(is_known(kLong - 1));
    EXPECT_TRUE(is_known(kLong / 2));
}

// Rows by themselves, which no pass has come by, are those of a fresh run; the others stay to be computed.
TEST(RowsOfPictures, RowsAreSampledBeforeAnUpdateComesByThem) {
    constexpr int kLong = 900, kLevel = 5;
    for (int n_threads : {1, 2}) {
        ThreadPool threads(n_threads);
        Lab lab = of_length(kLong, 1, MaskKind::causal);
        Trace trace(&threads, kMostStored);
        trace.update(program_of(lab), lab.tensors);
        lab.tensors["W_query"] = lab.tensors.at("W_query").with({0, 1, 1}, 2.5f);
        trace.begin_update(lab.tensors);
        ASSERT_FALSE(trace.is_complete());
        const Trace fresh = run_storing(lab, kStoresAll);
        const Block texels{{0, 1}, {20, 28}, {3, 25}};
        for (const char* name : {"attention_scores", "attention_weights"}) {
            const int node = trace.program().find(name);
            const Seen seen{kLevel, Reduction::maximum, true};
            std::vector<float> samples(texels.size()), expected(texels.size());
            trace.source(node)->reduce(texels, seen, samples.data());
            fresh.source(node)->reduce(texels, seen, expected.data());
            EXPECT_EQ(samples, expected) << name;
            EXPECT_TRUE(trace.is_surveyed(node, texels, seen));
            EXPECT_FALSE(trace.is_surveyed(node, texels, {kLevel, Reduction::maximum})) << "the other rows";
        }
    }
}

// Of the cells that are not masked.
float mean_of(const Tensor& cells, int plane, int row, Range cols) {
    double sum = 0;
    int n = 0;
    for (int col = cols.begin; col < cols.end; ++col) {
        const float cell = cells.at({plane, row, col});
        if (cell == -kInfinity) continue;
        sum += static_cast<double>(cell);
        ++n;
    }
    return n == 0 ? -kInfinity : static_cast<float>(sum / n);
}

// Of the middle row of those that each texel stands for.
std::vector<float> sampled_means(const Tensor& cells, const Block& texels, int level) {
    const Shape& shape = cells.shape();
    std::vector<float> means;
    for_each_row(texels, [&](int plane, int texel_row) {
        const int begin = texel_row << level, end = std::min(begin + (1 << level), shape.rows);
        for (int texel = texels.cols.begin; texel < texels.cols.end; ++texel) {
            const Range cols{texel << level, std::min((texel + 1) << level, shape.cols)};
            means.push_back(mean_of(cells, plane, (begin + end) / 2, cols));
        }
    });
    return means;
}

TEST(RowsOfPictures, SampledMeansAreThoseOfTheirRowsWithAnyNumberOfThreads) {
    constexpr int kLevel = 3;
    for (const MaskKind mask : {MaskKind::none, MaskKind::causal}) {
        const Lab lab = of_length(kLength, 2, mask);
        const Trace expected = run_storing(lab, kStoresAll);
        for (const std::string name : {"attention_scores", "masked_scores", "attention_weights"}) {
            const int node = expected.program().find(name);
            if (node < 0) continue;
            for (const Block& texels : {Block{{0, 2}, {0, 53}, {0, 53}}, Block{{1, 2}, {20, 53}, {3, 41}}}) {
                const std::vector<float> means = sampled_means(tensor_of(expected, node), texels, kLevel);
                for (const int n_threads : {1, 2, 4}) {
                    ThreadPool threads(n_threads);
                    Trace trace(&threads, kMostStored);
                    trace.update(program_of(lab), lab.tensors);
                    std::vector<float> samples(texels.size());
                    trace.source(node)->reduce(texels, {kLevel, Reduction::mean, true}, samples.data());
                    EXPECT_EQ(samples, means) << name << ", " << n_threads << " threads";
                }
            }
        }
    }
}

// Contexts of rows by themselves are those that the update comes to: weights on the way are those of the new queries, or values.
TEST(RowsOfPictures, RowsOfContextsAreReadAheadOfAnUpdate) {
    constexpr int kLong = 900;
    ThreadPool threads(2);
    const std::pair<const char*, ThreadPool*> kinds[] = {
        {"W_query", nullptr}, {"W_query", &threads}, {"W_value", &threads}};
    for (const auto& [edited, pool] : kinds) {
        Lab lab = of_length(kLong, 2, MaskKind::causal);
        Trace trace(pool, kMostStored);
        trace.update(program_of(lab), lab.tensors);
        const int node = trace.program().find("context_vectors");
        ASSERT_TRUE(trace.is_made_of_unstored(node));
        EXPECT_FALSE(trace.can_read_ahead(node)) << "it is as it will be";
        lab.tensors[edited] = lab.tensors.at(edited).with({0, 1, 1}, 2.5f);
        trace.begin_update(lab.tensors);
        ASSERT_TRUE(trace.can_read_ahead(node)) << edited;
        const Trace fresh = run_storing(lab, kStoresAll);
        const Shape shape = trace.program().node(node).shape;
        std::vector<int> rows;
        for (int row = kLong - 1; row >= 0; row -= 31) rows.push_back(row);
        std::vector<float> ahead(rows.size() * static_cast<std::size_t>(shape.cols)), expected(ahead.size());
        trace.read_ahead(node, shape.planes - 1, rows, ahead.data());
        for (std::size_t k = 0; k < rows.size(); ++k) {
            fresh.source(node)->read({Range::at(shape.planes - 1), Range::at(rows[k]), {0, shape.cols}},
                                     expected.data() + k * static_cast<std::size_t>(shape.cols));
        }
        EXPECT_EQ(ahead, expected) << edited;
        ASSERT_TRUE(trace.is_pending(node)) << "all is still to be computed";
        while (!trace.is_complete()) trace.advance();
        EXPECT_EQ(read_all(*trace.source(node)), read_all(*fresh.source(node)));
    }
}

} // namespace
