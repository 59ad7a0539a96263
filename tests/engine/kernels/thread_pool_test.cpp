#include "engine/kernels/thread_pool.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lab {
namespace {

constexpr int kMostThreads = 4;

TEST(ThreadPool, RunsEveryTaskOnce) {
    for (int n_threads = 1; n_threads <= kMostThreads; ++n_threads) {
        ThreadPool pool(n_threads);
        EXPECT_GE(pool.n_threads(), 1);
        EXPECT_LE(pool.n_threads(), n_threads);
        for (int n_tasks : {0, 1, 2, 7, 1000}) {
            std::vector<int> n_runs(static_cast<std::size_t>(n_tasks), 0);
            pool.run(n_tasks, [&](int task, int) { ++n_runs[static_cast<std::size_t>(task)]; });
            EXPECT_EQ(n_runs, std::vector<int>(static_cast<std::size_t>(n_tasks), 1));
        }
    }
}

TEST(ThreadPool, OneRoundAfterAnotherLosesNone) {
    ThreadPool pool(kMostThreads);
    std::vector<long> sums(static_cast<std::size_t>(kMostThreads), 0);
    for (int round = 0; round < 2000; ++round)
        pool.run(3, [&](int task, int thread) { sums[static_cast<std::size_t>(thread)] += task; });
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0L), 2000 * 3);
}

} // namespace
} // namespace lab
