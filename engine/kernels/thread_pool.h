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
    std::uint32_t round() const { return static_cast<std::uint32_t>(round_and_left_ >> 32); }

    const int n_threads_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    // The number of the run and, in the lower half, how many of its tasks nobody has taken. One word, so that who comes late
    // takes no task of another run.
    std::atomic<std::uint64_t> round_and_left_{0};
    std::atomic<bool> is_ending_{false};
    std::atomic<int> n_running_{1};
    std::atomic<int> n_done_{0};
    // Of the run: to be read by who has taken one of its tasks, since it goes on until that is done.
    int n_tasks_ = 0;
    const Task* task_ = nullptr;
};

} // namespace lab
