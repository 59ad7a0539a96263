#pragma once

#include <algorithm>
#include <chrono>

namespace lab {

// Microseconds of one run: the mean of as many as take about five milliseconds, after one that is not counted.
template <class Function> double mean_run_us(Function& run) {
    using Clock = std::chrono::steady_clock;
    constexpr double kLasts_us = 5000;
    const auto time_us = [&](int n_runs) {
        const auto begin = Clock::now();
        for (int i = 0; i < n_runs; ++i) run();
        return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / n_runs;
    };
    const int n_runs = static_cast<int>(std::clamp(kLasts_us / std::max(0.01, time_us(1)), 1.0, 1e5));
    return time_us(n_runs);
}

} // namespace lab
