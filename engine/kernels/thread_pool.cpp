#include "engine/kernels/thread_pool.h"

#include <algorithm>
#include <utility>

#include <pthread.h>

#include "hwy/cache_control.h"

namespace lab {

namespace {

// A thread looks this often, with pauses where the processor has them (100 µs), before it sleeps or leaves the processor to others:
// waking it would take as long, and between two runs of an update there is less to do. At rest it costs nothing.
constexpr int kLooks = 4000;

constexpr unsigned kMostThreads = 4;

} // namespace

ThreadPool::ThreadPool(int n_threads) : n_threads_(std::max(n_threads, 1)) {}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

int ThreadPool::sensible_n_threads() {
    return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads));
}

void ThreadPool::start() {
    if (!threads_.empty()) return;
    for (int thread = 1; thread < n_threads_; ++thread) threads_.emplace_back([this, thread] { work(thread); });
}

void ThreadPool::run(int n_tasks, const Task& f) {
    if (n_threads_ == 1 || n_tasks <= 1) {
        for (int task = 0; task < n_tasks; ++task) f(task, 0);
        return;
    }
    start();
    n_tasks_ = n_tasks;
    task_ = &f;
    n_done_ = 0;
    {
        const std::lock_guard lock(mutex_);
        round_and_left_ = (std::uint64_t{round() + 1} << 32) + static_cast<std::uint32_t>(n_tasks);
    }
    wake_.notify_all();
    take_tasks(0);
    // Others are at their last tasks. A page's own thread must not block, so nobody does.
    for (int look = 0; n_done_.load(std::memory_order_acquire) < n_tasks;)
        look < kLooks ? (++look, hwy::Pause()) : std::this_thread::yield();
}

void ThreadPool::take_tasks(int thread) {
    std::uint64_t seen = round_and_left_;
    while (const auto n_left = static_cast<std::uint32_t>(seen)) {
        if (!round_and_left_.compare_exchange_weak(seen, seen - 1)) continue;
        (*task_)(n_tasks_ - static_cast<int>(n_left), thread);
        n_done_.fetch_add(1, std::memory_order_release);
        seen = round_and_left_;
    }
}

// Until there is another round than the one seen, which it then is; false: the pool ends.
bool ThreadPool::wait_for_round(std::uint32_t& seen) {
    for (int look = 0; look < kLooks && round() == seen; ++look) hwy::Pause();
    if (round() == seen) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return is_ending_ || round() != seen; });
    }
    const std::uint32_t now = round();
    return std::exchange(seen, now) != now;
}

void ThreadPool::work(int thread) {
    // Emscripten wakes a sleeping thread ten times a second to see whether somebody cancels it. Nobody does.
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    ++n_running_;
    for (std::uint32_t seen = 0; wait_for_round(seen);) take_tasks(thread);
}

} // namespace lab
