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

TEST(ThreadPool, OtherThreadsStartWithTheFirstWorkToShareOut) {
    ThreadPool pool(3);
    const auto nothing = [](int, int) {};
    pool.run(1, nothing);
    EXPECT_EQ(pool.n_running(), 1);
    pool.run(2, nothing);
    while (pool.n_running() < pool.n_threads()) std::this_thread::yield();
    EXPECT_EQ(pool.n_running(), pool.n_threads());
}

// A thread that has a task takes no other, so that as many tasks as threads, none of which ends before all have begun, have
// each a thread of their own.
TEST(ThreadPool, EveryThreadTakesTasksAndKnowsItsNumber) {
    ThreadPool pool(kMostThreads);
    const int n_threads = pool.n_threads();
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> n_begun{0};
        std::vector<int> n_tasks_of(static_cast<std::size_t>(n_threads), 0);
        pool.run(n_threads, [&](int, int thread) {
            ++n_tasks_of[static_cast<std::size_t>(thread)];
            ++n_begun;
            while (n_begun < n_threads) std::this_thread::yield();
        });
        EXPECT_EQ(n_tasks_of, std::vector<int>(static_cast<std::size_t>(n_threads), 1));
    }
}

// Of all threads' first tasks none ends before all have begun.
TEST(ThreadPool, EveryThreadBeginsWithTasksBesideEachOther) {
    constexpr int kTasks = 10;
    ThreadPool pool(kMostThreads);
    const int n_threads = pool.n_threads();
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> n_begun{0};
        std::vector<int> first(static_cast<std::size_t>(n_threads), -1);
        pool.run(kTasks, [&](int task, int thread) {
            int& of_thread = first[static_cast<std::size_t>(thread)];
            if (of_thread >= 0) return;
            of_thread = task;
            ++n_begun;
            while (n_begun < n_threads) std::this_thread::yield();
        });
        for (int thread = 0; thread < n_threads; ++thread)
            EXPECT_EQ(first[static_cast<std::size_t>(thread)], kTasks * thread / n_threads);
    }
}

TEST(ThreadPool, WhoIsDoneTakesTasksOfOthers) {
    constexpr int kTasks = 10, kMostLooks = 10'000'000;
    ThreadPool pool(2);
    const int n_others = pool.n_threads() == 1 ? 0 : kTasks - 1; // that can be done while one is not
    std::atomic<int> n_done{0};
    pool.run(kTasks, [&](int task, int) {
        if (task > 0) return void(++n_done);
        for (int look = 0; n_done < n_others && look < kMostLooks; ++look) std::this_thread::yield();
        EXPECT_GE(n_done, n_others);
    });
    EXPECT_EQ(n_done, kTasks - 1);
}

TEST(ThreadPool, HasTheCallersThreadAtLeast) {
    EXPECT_EQ(ThreadPool(0).n_threads(), 1);
    EXPECT_GE(ThreadPool::sensible_n_threads(), 1);
    EXPECT_LE(ThreadPool::sensible_n_threads(), 4);
}

} // namespace
} // namespace lab
