#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/limit_loops.h"

namespace lab {

// A set of instructions that this processor has.
struct InstructionSet {
    std::string name; // "AVX-512, multiply-add"
    LimitLoops loops;
};
std::vector<InstructionSet> instruction_sets(); // the last is the widest

// Three arrays as large as a level of the memory holds, per thread.
struct MemoryLevel {
    std::string name; // "L2"
    long bytes_per_array;
};
std::vector<MemoryLevel> memory_levels();

// Runs f(thread) on n_threads threads that begin together. Seconds from then until the last is done.
double seconds_together(int n_threads, const std::function<void(int)>& f);

// Multiplications and additions in 10⁹ per second, all threads together; takes a few milliseconds.
double peak_gflops(const LimitLoops& loops, int n_threads);

// Bytes read and written, in 10⁹ per second, all threads together; the greatest of `n_rounds`.
double triad_gbytes(const LimitLoops& loops, const MemoryLevel& level, int n_threads, int n_rounds);

} // namespace lab
