#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace lab {

// 2^n for −126 ≤ n ≤ 127.
inline float float_power_of_two(int n) {
    const std::uint32_t bits = static_cast<std::uint32_t>(n + 127) << 23;
    float power;
    std::memcpy(&power, &bits, sizeof power);
    return power;
}

// e^x for |x| ≤ 700, from operations that IEEE 754 rounds exactly.
//
// x = k·ln 2 + r with |r| ≤ ln 2 / 2, e^x = 2^k · e^r, e^r by its Taylor series to r¹³ (error < 1e-17).
inline double moderate_exponential(double x) {
    constexpr double kLn2 = 0.693147180559945309417;
    const double k = std::nearbyint(x / kLn2);
    const double r = x - k * kLn2;
    constexpr double kInverseFactorials[] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1.0,         1.0};
    double series = 0.0;
    for (double coefficient : kInverseFactorials) series = series * r + coefficient;
    const std::uint64_t exponent_bits = static_cast<std::uint64_t>(static_cast<int>(k) + 1023) << 52;
    double power;
    std::memcpy(&power, &exponent_bits, sizeof power);
    return series * power;
}

// e^x in float32 from operations that IEEE 754 rounds exactly, so that every platform gives the same bits, with vectors
// (engine/kernels/rows.h) and without. Within 1 ulp; ∞ above 88.72; 0 below −86.5, where it would be less than 2.7e-38: results
// near the least normal number take a processor a hundred times as long, and a masked score must cost nothing.
//
// x = k·ln 2 + r with |r| ≤ ln 2 / 2, e^x = 2^k · e^r, e^r = 1 + r + r²·q(r); q of least greatest error (3e-9, relative).
struct FloatExponential {
    static constexpr float kLeast = -86.5f;
    static constexpr float kGreatest = 89.0f; // e^x is ∞ from here
    static constexpr float kInverseLn2 = 1.44269504f;
    // 1.5 · 2^23 + 127: what is added to it is rounded to a whole number k, and the last bits of the sum are the exponent of 2^k.
    static constexpr float kRoundingMagic = 12583039.0f;
    // ln 2 in two parts whose products with k are exact: a processor may multiply and subtract in one rounding or in two.
    static constexpr float kLn2High = 0x1.62e4p-1f;
    static constexpr float kLn2Low = 0x1.7f7dp-20f;
    static constexpr int kTerms = 5;
    static constexpr float kSeries[kTerms] = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a20p-7f,
                                              0x1.6a23d4p-10f};
};
inline float exponential(float x) {
    using E = FloatExponential;
    if (std::isnan(x)) return x;
    if (x < E::kLeast) return 0;
    if (x > E::kGreatest) x = E::kGreatest;
    const float k = (x * E::kInverseLn2 + E::kRoundingMagic) - E::kRoundingMagic;
    const float r = (x - k * E::kLn2High) - k * E::kLn2Low;
    const float square = r * r;
    // In pairs rather than one term after the other, so that a processor has several at hand.
    const float low = E::kSeries[1] * r + E::kSeries[0];
    const float high = E::kSeries[4] * square + (E::kSeries[3] * r + E::kSeries[2]);
    const float power = ((high * square + low) * square + r) + 1.0f;
    const float half = power * float_power_of_two(static_cast<int>(k) - 1); // 2^128 is no number
    return half + half;
}

// The same in float64, within 2e-13 relative.
inline double exponential(double x) {
    if (std::isnan(x)) return x;
    if (std::fabs(x) <= 700) return moderate_exponential(x);
    if (std::fabs(x) > 1400) return x < 0 ? 0 : HUGE_VAL;
    const double root = moderate_exponential(x / 2);
    return root * root;
}

// e^x in float32 as 2^t, t = x · log₂e, by fused multiply-adds, each rounded once: half the operations of `FloatExponential`, for
// who has them. 2^t is within 7e-8 relative, never falls, and is 1 on both sides of 0; t − 1 is rounded, so e^x is within 1.2e-7 + 9e-8 · |x|.
// What is 0 and what ∞, as of `FloatExponential`.
//
// t − 1, rounded once, is ⌊t − 1⌋ + f, and 2^t = 2^⌊t − 1⌋ · 2 p(f). For x at most 0 it is at most −1, where f is exact, whether it
// is taken in one instruction or in two. p of least greatest error (3e-9, relative) among those with p(0) = 1 and p(1) = 2.
struct FloatPowerOfTwo {
    static constexpr float kLog2E = 1.44269504f;
    static constexpr int kTerms = 7;
    static constexpr float kSeries[kTerms] = {1.0f,           0x1.62e42ap-1f,  0x1.ebfdb4p-3f, 0x1.c68168p-5f,
                                              0x1.3d50d0p-7f, 0x1.44a904p-10f, 0x1.cbabe0p-13f};
};

// A score that a mask has set to −∞.
template <class T> bool is_masked(T score) { return score == -std::numeric_limits<T>::infinity(); }

// 10^n, exact to 10^10 in float32.
template <class T> T power_of_ten(int n) {
    T power = 1;
    for (; n > 0; --n) power *= 10;
    return power;
}

// x to a number of decimals, ties to even, as torch.round(x, decimals=…): nearbyint(x · 10^d) / 10^d.
template <class T> T round_to_decimals(T x, int decimals) {
    const T power = power_of_ten<T>(decimals < 0 ? -decimals : decimals);
    return decimals < 0 ? std::nearbyint(x / power) * power : std::nearbyint(x * power) / power;
}

} // namespace lab
