// What this machine can do at most: multiplications and additions in registers for each set of instructions, and STREAM's
// triad in each level of its memory. A JSON line for each.
//
//   machine_limit [--threads T] [--rounds R]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/limits.h"

namespace lab {
namespace {

void print_peaks(int n_threads, int n_rounds) {
    for (const InstructionSet& set : instruction_sets()) {
        std::vector<double> gflops;
        for (int round = 0; round < n_rounds; ++round) gflops.push_back(peak_gflops(set.loops, n_threads));
        std::sort(gflops.begin(), gflops.end());
        std::printf(R"({"limit": "arithmetic", "of": "%s", "threads": %d, "gflops_max": %.1f, "gflops_median": %.1f})"
                    "\n",
                    set.name.c_str(), n_threads, gflops.back(), gflops[gflops.size() / 2]);
    }
}

void print_bandwidths(int n_threads, int n_rounds) {
    const LimitLoops widest = instruction_sets().back().loops;
    for (const MemoryLevel& level : memory_levels()) {
        const double gbytes = triad_gbytes(widest, level, n_threads, n_rounds);
        std::printf(R"({"limit": "triad", "of": "%s", "bytes": %ld, "threads": %d, "gbytes_max": %.1f})"
                    "\n",
                    level.name.c_str(), 3 * level.bytes_per_array, n_threads, gbytes);
    }
}

} // namespace
} // namespace lab

int main(int argc, char** argv) {
    int n_threads = 1, n_rounds = 5;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        if (name == "--threads") n_threads = std::max(1, std::atoi(argv[i + 1]));
        if (name == "--rounds") n_rounds = std::max(1, std::atoi(argv[i + 1]));
    }
    lab::print_peaks(n_threads, n_rounds);
    lab::print_bandwidths(n_threads, n_rounds);
    return 0;
}
