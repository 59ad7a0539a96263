#include "bench/limits.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace lab {

namespace {

constexpr long kStepsOfPeak = 2'000'000;
constexpr double kBytesOfTriad = 3e8;

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

std::vector<InstructionSet> instruction_sets() {
    std::vector<InstructionSet> sets = {{"128 bits, multiply and add", vectors_of_128::loops()}};
#if defined(__x86_64__)
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_avx2) sets.push_back({"AVX2, multiply and add", avx2::loops()});
    if (has_avx2) sets.push_back({"AVX2, multiply-add", avx2_fma::loops()});
    if (__builtin_cpu_supports("avx512f")) sets.push_back({"AVX-512, multiply-add", avx512_fma::loops()});
#endif
    return sets;
}

std::vector<MemoryLevel> memory_levels() {
    return {{"L1", 8L << 10}, {"L2", 384L << 10}, {"L3", 6L << 20}, {"memory", 128L << 20}};
}

double seconds_together(int n_threads, const std::function<void(int)>& f) {
    std::atomic<int> n_ready{0};
    std::atomic<bool> go{false};
    std::vector<double> ends(n_threads);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < n_threads; ++thread)
        threads.emplace_back([&, thread] {
            ++n_ready;
            while (!go) std::this_thread::yield();
            f(thread);
            ends[thread] = seconds_now();
        });
    while (n_ready < n_threads) std::this_thread::yield();
    const double begin = seconds_now();
    go = true;
    for (std::thread& each : threads) each.join();
    return *std::max_element(ends.begin(), ends.end()) - begin;
}

double peak_gflops(const LimitLoops& loops, int n_threads) {
    static std::atomic<float> sink;
    const double seconds = seconds_together(n_threads, [&](int) { sink = loops.multiply_and_add(kStepsOfPeak); });
    return static_cast<double>(loops.operations_per_step) * kStepsOfPeak * n_threads / seconds / 1e9;
}

double triad_gbytes(const LimitLoops& loops, const MemoryLevel& level, int n_threads, int n_rounds) {
    const long n = level.bytes_per_array / static_cast<long>(sizeof(float));
    const double bytes = 3.0 * static_cast<double>(level.bytes_per_array);
    const long n_passes = std::max(1L, static_cast<long>(kBytesOfTriad / bytes));
    std::vector<std::vector<float>> arrays(3L * n_threads);
    // Each thread touches its own first, so that they lie near it.
    seconds_together(n_threads, [&](int thread) {
        for (int i = 0; i < 3; ++i) arrays[3 * thread + i].assign(n, static_cast<float>(i));
    });
    double greatest = 0;
    for (int round = 0; round < n_rounds; ++round) {
        const double seconds = seconds_together(n_threads, [&](int thread) {
            std::vector<float>* of_thread = &arrays[3L * thread];
            for (long i = 0; i < n_passes; ++i)
                loops.triad(of_thread[0].data(), of_thread[1].data(), of_thread[2].data(), n);
        });
        greatest = std::max(greatest, bytes * static_cast<double>(n_passes) * n_threads / seconds / 1e9);
    }
    return greatest;
}

} // namespace lab
