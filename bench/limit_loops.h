#pragma once

namespace lab {

// The two loops whose speed is taken for the machine's limit.
struct LimitLoops {
    // c = c · a + b in independent chains, all in registers; returns their sum, so that nothing is left out.
    float (*multiply_and_add)(long n_steps);
    long operations_per_step; // multiplications and additions
    // a[i] = b[i] + 3 · c[i] (STREAM's triad, by J. McCalpin)
    void (*triad)(float* a, const float* b, const float* c, long n);
};

// One for each set of instructions that bench/CMakeLists.txt compiles the loops for.
namespace vectors_of_128 {
LimitLoops loops(); // multiplication and addition apart
}
namespace avx2 {
LimitLoops loops(); // apart too, 256 bits
}
namespace avx2_fma {
LimitLoops loops();
}
namespace avx512_fma {
LimitLoops loops();
}

} // namespace lab
