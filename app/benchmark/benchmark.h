#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document.h"
#include "engine/result.h"
#include "engine/trace.h"

namespace lab {

// A forward pass to be timed: n tokens of d_in dimensions, n_heads heads of d_k, values as wide as keys, an output projection
// where there are several heads.
struct BenchmarkCase {
    int n = 0;
    int d_in = 0;
    int d_k = 0;
    int n_heads = 1;
    int threads = 1;
    int repeats = 25;

    std::string name() const;    // "1024x64x64", "1024x768x64x12"
    double n_operations() const; // multiplications and additions of the products
};

// "NxD_INxD_K" or "NxD_INxD_KxHEADS".
Result<BenchmarkCase> read_benchmark_case(std::string_view text);

// The document: tensors of evenly spread numbers of variance 1 (inputs) and 1/width (weights), the same on every machine.
Document benchmark_document(const BenchmarkCase& benchmark);

// Microseconds per pass, of one repeat each.
struct BenchmarkTimes {
    std::vector<double> us;

    double least() const;
    double median() const;
};

// A case that is ready to run: passes after which every tensor of the program but weighted_values can be read.
class Benchmark {
  public:
    // Runs on the threads of this pool, which outlives it. The program's own sentence where the case is too large.
    static Result<std::unique_ptr<Benchmark>> prepare(const BenchmarkCase& benchmark, ThreadPool& threads);

    // One pass.
    void run() { trace_.run_again(); }

    // How long so many passes took, in microseconds.
    double run_us(int n_passes);

    // A pass's mean over as many passes as take about two milliseconds, after some that are not counted.
    BenchmarkTimes run_repeats();

    // `threads` are the pool's: a build without threads has one, whatever was asked for.
    const BenchmarkCase& of_case() const { return case_; }

  private:
    Benchmark(const BenchmarkCase& benchmark, ThreadPool& threads)
        : case_(benchmark), trace_(threads.n_threads() > 1 ? &threads : nullptr, kMostStoredInARun) {
        case_.threads = threads.n_threads();
    }

    BenchmarkCase case_;
    Trace trace_;
};

// {"case", "threads", "repeats", "us_min", "us_median", "gflops_median"}
std::string benchmark_json(const BenchmarkCase& benchmark, const BenchmarkTimes& times);

} // namespace lab
