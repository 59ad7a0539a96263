// For builds without threads: every pool is the caller's own thread.
#include "engine/kernels/thread_pool.h"

namespace lab {

ThreadPool::ThreadPool(int) : n_threads_(1) {}

ThreadPool::~ThreadPool() = default;

int ThreadPool::sensible_n_threads() { return 1; }

void ThreadPool::start() {}

void ThreadPool::run(int n_tasks, const Task& f) {
    for (int task = 0; task < n_tasks; ++task) f(task, 0);
}

} // namespace lab
