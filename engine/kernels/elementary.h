#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace lab {

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

// e^x with the same bits on every platform: libm's differ in the last place. Within 1 ulp of float32 (the sum runs in
// float64); overflows to ∞ above 88.73 and underflows gradually to 0, as IEEE float32 does.
inline float exponential(float x) {
    if (std::isnan(x)) return x;
    if (x > 100.0f) return HUGE_VALF;
    if (x < -110.0f) return 0.0f;
    return static_cast<float>(moderate_exponential(static_cast<double>(x)));
}

// The same in float64, within 2e-13 relative.
inline double exponential(double x) {
    if (std::isnan(x)) return x;
    if (std::fabs(x) <= 700) return moderate_exponential(x);
    if (std::fabs(x) > 1400) return x < 0 ? 0 : HUGE_VAL;
    const double root = moderate_exponential(x / 2);
    return root * root;
}

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
