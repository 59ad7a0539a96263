// window.attentionLab.bench: a benchmark in the page. JavaScript calls pass by pass, since a browser makes a function fast only
// between its calls.
#include <map>
#include <memory>
#include <string>

#include <emscripten.h>

#include "app/benchmark/benchmark.h"
#include "app/web_page.h"

#define WEB_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

namespace {

std::unique_ptr<lab::Benchmark>& benchmark() {
    static std::unique_ptr<lab::Benchmark> one;
    return one;
}

constexpr int kMostThreads = 16;

lab::ThreadPool*& threads_of_benchmark() {
    static lab::ThreadPool* threads = nullptr;
    return threads;
}

// The page's own pool or another, which stays, asleep: a page must not wait for threads to end.
lab::ThreadPool& pool_of(int n_threads) {
    if (lab::page_threads().n_threads() == n_threads) return lab::page_threads();
    static std::map<int, std::unique_ptr<lab::ThreadPool>> pools;
    std::unique_ptr<lab::ThreadPool>& pool = pools[n_threads];
    if (!pool) pool = std::make_unique<lab::ThreadPool>(n_threads);
    return *pool;
}

} // namespace

// The sentence of an error, or an empty text.
WEB_EXPORT const char* lab_bench_begin(int n, int d_in, int d_k, int n_heads, int threads) {
    static std::string error;
    const auto counts = {n, d_in, d_k, n_heads, threads};
    for (const int count : counts) {
        if (count >= 1) continue;
        error = "bench takes counts of 1 or more but got " + std::to_string(count);
        return error.c_str();
    }
    if (threads > kMostThreads) {
        error = "bench takes at most " + std::to_string(kMostThreads) + " threads but got " + std::to_string(threads);
        return error.c_str();
    }
    threads_of_benchmark() = &pool_of(threads);
    auto ready = lab::Benchmark::prepare({n, d_in, d_k, n_heads, threads, 0}, *threads_of_benchmark());
    error = ready ? "" : ready.error();
    if (ready) benchmark() = std::move(ready).value();
    return error.c_str();
}

WEB_EXPORT void lab_bench_run() { benchmark()->run(); }

WEB_EXPORT int lab_bench_threads() { return benchmark()->of_case().threads; }
WEB_EXPORT int lab_bench_threads_running() { return threads_of_benchmark()->n_running(); }

WEB_EXPORT double lab_bench_operations() { return benchmark()->of_case().n_operations(); }

WEB_EXPORT void lab_bench_end() { benchmark().reset(); }
