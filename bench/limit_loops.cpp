// Compiled once for each set of instructions (bench/CMakeLists.txt), which is also the name of the namespace.
#include "bench/limit_loops.h"

#include <cstdint>

namespace lab::LAB_INSTRUCTIONS {

namespace {

using Vector = float __attribute__((vector_size(LAB_VECTOR_BYTES)));
constexpr int kLanes = LAB_VECTOR_BYTES / sizeof(float);
// As many chains as hide how long one operation takes (4 cycles, two begun in each), and as the registers hold.
constexpr int kChains = 12;

// Read while it runs: of numbers that the compiler knows it finds out that 1 · 0.999999 + 10⁻⁶ rounds to 1, and leaves that chain out.
volatile float the_factor = 0.999999f, the_term = 1e-6f;

float multiply_and_add(long n_steps) {
    const Vector factor = Vector{} + the_factor, term = Vector{} + the_term;
    Vector chains[kChains];
    for (int i = 0; i < kChains; ++i) chains[i] = Vector{} + (1.0f + i);
    for (long step = 0; step < n_steps; ++step) {
#pragma GCC unroll 16
        for (int i = 0; i < kChains; ++i) chains[i] = chains[i] * factor + term;
    }
    Vector sum{};
    for (const Vector& each : chains) sum += each;
    return sum[0];
}

void triad(float* __restrict a, const float* __restrict b, const float* __restrict c, long n) {
    for (long i = 0; i < n; ++i) a[i] = b[i] + 3.0f * c[i];
}

} // namespace

LimitLoops loops() { return {multiply_and_add, 2L * kChains * kLanes, triad}; }

} // namespace lab::LAB_INSTRUCTIONS
