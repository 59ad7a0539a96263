#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lab {

// A few threads that share out numbered tasks. One thread means the caller's own, and starts none; a build without threads
// (thread_pool_none.cpp) has no other.
//
// Each has a share of tasks beside each other, and who is done takes the last ones of others. Tasks beside each other write beside
// each other: taken in turn, they made threads that lie far from each other wait for each other's memory (docs/performance.md).
//
// The others start when there is first something to share out, and sleep between runs. Nobody waits for a thread that has no
// task: in a page threads come up slowly, and a run is done whether they do or not.
class ThreadPool {
  public:
    explicit ThreadPool(int n_threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    // As many as the machine runs at once, at most 4: beyond, what they read and write waits for the memory that they share.
    static int sensible_n_threads();

    int n_threads() const { return n_threads_; }
    int n_running() const { return n_running_; } // of these, the caller's and those that have come up

    // Calls f(task, thread) once for every task from 0 to n_tasks − 1, each thread (0 … n_threads − 1) one at a time, and
    // returns when all are done. Not to be called by two threads at once, nor from within f.
    using Task = std::function<void(int task, int thread)>;
    void run(int n_tasks, const Task& f);

    // Starts the other threads now rather than by the first run.
    void start();

  private:
    void work(int thread);
    bool wait_for_round(std::uint32_t& seen);
    void take_tasks(int thread);

    const int n_threads_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    // Tasks of the run that nobody has taken. One word, so that who comes late takes none twice.
    struct alignas(64) Share { // a line of a cache
        std::atomic<std::uint64_t> begin_and_end{0};
    };
    std::vector<Share> shares_;           // per thread
    std::atomic<std::uint32_t> round_{0}; // the number of the run
    std::atomic<bool> is_ending_{false};
    std::atomic<int> n_running_{1};
    std::atomic<int> n_done_{0};
    // Of the run: to be read by who has taken one of its tasks, since it goes on until that is done.
    const Task* task_ = nullptr;
};

} // namespace lab
