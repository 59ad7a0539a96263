#include "engine/kernels/thread_pool.h"

namespace lab {

namespace {

// A thread looks this often for work before it sleeps: about as long as waking it would take. At rest it costs nothing.
constexpr int kLooks = 4000;

} // namespace

ThreadPool::ThreadPool(int n_threads) {
    for (int thread = 1; thread < n_threads; ++thread) threads_.emplace_back([this, thread] { work(thread); });
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(int n_tasks, const Task& f) {
    if (threads_.empty() || n_tasks == 1) {
        for (int task = 0; task < n_tasks; ++task) f(task, 0);
        return;
    }
    n_tasks_ = n_tasks;
    task_ = &f;
    next_task_ = 0;
    n_working_ = static_cast<int>(threads_.size());
    {
        const std::lock_guard lock(mutex_);
        ++round_;
    }
    wake_.notify_all();
    take_tasks(0);
    while (n_working_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

void ThreadPool::take_tasks(int thread) {
    for (int task = next_task_++; task < n_tasks_; task = next_task_++) (*task_)(task, thread);
}

// Until there is another round than the one seen; false: the pool ends.
bool ThreadPool::wait_for_round(unsigned seen) {
    for (int look = 0; look < kLooks; ++look) {
        if (round_.load(std::memory_order_acquire) != seen) return true;
    }
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return is_ending_ || round_ != seen; });
    return round_ != seen;
}

void ThreadPool::work(int thread) {
    for (unsigned seen = 0; wait_for_round(seen); ++seen) {
        take_tasks(thread);
        --n_working_;
    }
}

} // namespace lab
