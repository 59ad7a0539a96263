#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lab {

// A few threads that share out numbered tasks. One thread means the caller's own, and starts none; a build without threads
// (thread_pool_none.cpp) has no other.
class ThreadPool {
  public:
    explicit ThreadPool(int n_threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int n_threads() const { return static_cast<int>(threads_.size()) + 1; }

    // Calls f(task, thread) once for every task from 0 to n_tasks − 1, each thread (0 … n_threads − 1) one at a time, and
    // returns when all are done. Not to be called by two threads at once, nor from within f.
    using Task = std::function<void(int task, int thread)>;
    void run(int n_tasks, const Task& f);

  private:
    void work(int thread);
    bool wait_for_round(unsigned seen);
    void take_tasks(int thread);

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::atomic<unsigned> round_{0}; // grows with every run
    std::atomic<bool> is_ending_{false};
    std::atomic<int> next_task_{0};
    std::atomic<int> n_working_{0}; // threads of the pool that are not done with the round
    int n_tasks_ = 0;
    const Task* task_ = nullptr;
};

} // namespace lab
