#include "engine/kernels/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Threads of a pool that has run nothing yet: those of another may still be looking for tasks of the run before. Of all threads' first
// tasks none ends before all have begun.
TEST(ThreadPool, EveryThreadBeginsWithTasksBesideEachOther) {
    constexpr int kTasks = 10;
    for (int round = 0; round < 20; ++round) {
        ThreadPool pool(kMostThreads);
        const int n_threads = pool.n_threads();
        std::atomic<int> n_begun{0};
        std::vector<std::vector<int>> taken(static_cast<std::size_t>(n_threads));
        pool.run(kTasks, [&](int task, int thread) {
            taken[static_cast<std::size_t>(thread)].push_back(task);
            if (taken[static_cast<std::size_t>(thread)].size() > 1) return;
            ++n_begun;
            while (n_begun < n_threads) std::this_thread::yield();
        });
        for (int thread = 0; thread < n_threads; ++thread) {
            const std::vector<int>& tasks = taken[static_cast<std::size_t>(thread)];
            const int begin = kTasks * thread / n_threads, end = kTasks * (thread + 1) / n_threads;
            EXPECT_EQ(tasks.front(), begin);
            const auto is_own = [&](int task) { return begin <= task && task < end; };
            EXPECT_TRUE(std::is_sorted(tasks.begin(), std::partition_point(tasks.begin(), tasks.end(), is_own)));
        }
    }
}

// One thread waits in its first task, so that the other has to take what is left of its share.
TEST(ThreadPool, OfOthersTheLastTasksAreTaken) {
    constexpr int kTasks = 10;
    ThreadPool pool(2);
    if (pool.n_threads() == 1) return; // there are no others
    std::atomic<int> n_done{0};
    std::vector<int> taken; // by the one that does not wait
    pool.run(kTasks, [&](int task, int) {
        if (task > 0) taken.push_back(task), ++n_done;
        while (task == 0 && n_done < kTasks - 1) std::this_thread::yield();
    });
    EXPECT_EQ(taken, (std::vector{5, 6, 7, 8, 9, 4, 3, 2, 1}));
}

// A thread that is late from one run takes tasks of the next: as that one's.
TEST(ThreadPool, ATaskIsThatOfItsRunHoweverSoonItComes) {
    constexpr int kRounds = 100'000;
    ThreadPool pool(kMostThreads);
    std::atomic<int> n_odd{0}, n_even{0};
    const ThreadPool::Task odd = [&](int, int) { ++n_odd; }, even = [&](int, int) { ++n_even; };
    int expected_odd = 0, expected_even = 0;
    for (int round = 0; round < kRounds; ++round) {
        const int n_tasks = 2 + round % 5;
        const bool is_odd = round % 2 == 1;
        pool.run(n_tasks, is_odd ? odd : even);
        (is_odd ? expected_odd : expected_even) += n_tasks;
        ASSERT_EQ(n_odd, expected_odd) << round;
        ASSERT_EQ(n_even, expected_even) << round;
    }
}

TEST(ThreadPool, HasTheCallersThreadAtLeast) {
    EXPECT_EQ(ThreadPool(0).n_threads(), 1);
    EXPECT_GE(ThreadPool::sensible_n_threads(), 1);
    EXPECT_LE(ThreadPool::sensible_n_threads(), 4);
}

} // namespace
} // namespace lab
