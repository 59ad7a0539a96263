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

std::uint64_t packed(std::uint32_t begin, std::uint32_t end) { return (std::uint64_t{begin} << 32) + end; }

// A task of those left, the first or the last one; −1 where none is.
int take_one(std::atomic<std::uint64_t>& begin_and_end, bool takes_first) {
    std::uint64_t seen = begin_and_end;
    while (true) {
        const auto begin = static_cast<std::uint32_t>(seen >> 32), end = static_cast<std::uint32_t>(seen);
        if (begin >= end) return -1;
        const std::uint64_t left = takes_first ? packed(begin + 1, end) : packed(begin, end - 1);
        if (begin_and_end.compare_exchange_weak(seen, left)) return static_cast<int>(takes_first ? begin : end - 1);
    }
}

} // namespace

ThreadPool::ThreadPool(int n_threads)
    : n_threads_(std::max(n_threads, 1)), shares_(static_cast<std::size_t>(n_threads_)) {}

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
    // Before any share: who is late from the run before may take a task as soon as there is one.
    task_ = &f;
    n_done_ = 0;
    std::uint32_t begin = 0;
    for (std::size_t thread = 0; thread < shares_.size(); ++thread) {
        const auto end =
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(n_tasks) * (thread + 1) / shares_.size());
        shares_[thread].begin_and_end = packed(std::exchange(begin, end), end);
    }
    {
        const std::lock_guard lock(mutex_);
        ++round_;
    }
    wake_.notify_all();
    take_tasks(0);
    // Others are at their last tasks. A page's own thread must not block, so nobody does.
    for (int look = 0; n_done_.load(std::memory_order_acquire) < n_tasks;)
        look < kLooks ? (++look, hwy::Pause()) : std::this_thread::yield();
}

// First its own, then those of the next threads.
void ThreadPool::take_tasks(int thread) {
    for (int i = 0; i < n_threads_; ++i) {
        Share& share = shares_[static_cast<std::size_t>((thread + i) % n_threads_)];
        int n_done = 0;
        for (int task; (task = take_one(share.begin_and_end, i == 0)) >= 0; ++n_done) (*task_)(task, thread);
        if (n_done > 0) n_done_.fetch_add(n_done, std::memory_order_release);
    }
}

// Until there is another round than the one seen, which it then is; false: the pool ends.
bool ThreadPool::wait_for_round(std::uint32_t& seen) {
    for (int look = 0; look < kLooks && round_ == seen; ++look) hwy::Pause();
    if (round_ == seen) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return is_ending_ || round_ != seen; });
    }
    const std::uint32_t now = round_;
    return std::exchange(seen, now) != now;
}

void ThreadPool::work(int thread) {
    // Emscripten wakes a sleeping thread ten times a second to see whether somebody cancels it. Nobody does.
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    ++n_running_;
    for (std::uint32_t seen = 0; wait_for_round(seen);) take_tasks(thread);
}

} // namespace lab
