#include "engine/kernels/transcendental.h"

#include <cmath>
#include <limits>

#include "engine/kernels/elementary.h"

namespace lab {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLn2 = 0.693147180559945309417;

// x − k·π/2 and k's place in the turn. π/2 = kFirst + kSecond + kThird with 33 bits in each of the first two, so that their
// products with k are exact up to |x| = 1e6 (Cody and Waite; the parts are fdlibm's).
struct Quarters {
    double rest; // |rest| ≤ π/4
    int quarter; // k modulo 4
};
Quarters quarters_of(double x) {
    constexpr double kTwoOverPi = 0.636619772367581343076;
    constexpr double kFirst = 1.57079632673412561417e+00;
    constexpr double kSecond = 6.07710050630396597660e-11;
    constexpr double kThird = 2.02226624879595063154e-21;
    const double k = std::nearbyint(x * kTwoOverPi);
    const double rest = ((x - k * kFirst) - k * kSecond) - k * kThird;
    return {rest, static_cast<int>(k - 4 * std::floor(k / 4))};
}

// Taylor series on |r| ≤ π/4, to r¹⁷ and r¹⁶.
double sine_series(double r) {
    const double square = r * r;
    double sum = 1;
    for (int n = 17; n >= 3; n -= 2) sum = 1 - square / (n * (n - 1)) * sum;
    return r * sum;
}
double cosine_series(double r) {
    const double square = r * r;
    double sum = 1;
    for (int n = 16; n >= 2; n -= 2) sum = 1 - square / (n * (n - 1)) * sum;
    return sum;
}

// sin(x + turns·π/2)
double sine_after(double x, int turns) {
    if (!std::isfinite(x)) return kNaN;
    constexpr double kTurn = 6.28318530717958647693;
    if (std::fabs(x) > 1e6) x = std::remainder(x, kTurn); // itself exact, but a turn is not
    const Quarters reduced = quarters_of(x);
    const int quarter = (reduced.quarter + turns) % 4;
    const double value = quarter % 2 == 0 ? sine_series(reduced.rest) : cosine_series(reduced.rest);
    return quarter < 2 ? value : -value;
}

// (Φ(x) − ½) / φ(x) = x + x³/3 + x⁵/(3·5) + …: every term has the sign of x, so nothing cancels.
double inner_area(double x) {
    double term = x, sum = x;
    for (int n = 3; std::fabs(term) > 1e-17 * std::fabs(sum); n += 2) {
        term *= x * x / n;
        sum += term;
    }
    return sum;
}

// (1 − Φ(x)) / φ(x) = 1 / (x + 1 / (x + 2 / (x + 3 / (x + …)))) for x ≥ 3, from the inside outwards.
double tail_area(double x) {
    double fraction = x;
    for (int n = 100; n >= 1; --n) fraction = x + n / fraction;
    return 1 / fraction;
}

} // namespace

// x = m · 2^k with √½ ≤ m < √2, ln x = k · ln 2 + ln m, and with s = (m − 1) / (m + 1) ln m = 2 (s + s³/3 + s⁵/5 + …).
double logarithm(double x) {
    if (x < 0) return kNaN;
    if (x == 0) return -kInfinity;
    if (!std::isfinite(x)) return x;
    int k = 0;
    double m = std::frexp(x, &k);
    constexpr double kRootOfHalf = 0.70710678118654752440;
    if (m < kRootOfHalf) m *= 2, --k;
    const double s = (m - 1) / (m + 1);
    double series = 0;
    for (int n = 23; n >= 1; n -= 2) series = series * (s * s) + 1.0 / n;
    return k * kLn2 + 2 * s * series;
}

double power(double base, double exponent) { return exponential(exponent * logarithm(base)); }

double sine(double x) { return sine_after(x, 0); }

double cosine(double x) { return sine_after(x, 1); }

// With m = e^2x − 1: m / (m + 2), near 0 with m by its Taylor series; else 1 − 2 / (e^2x + 1).
double hyperbolic_tangent(double x) {
    if (std::fabs(x) > 0.25) {
        const double value = 1 - 2 / (exponential(2 * std::fabs(x)) + 1);
        return x < 0 ? -value : value;
    }
    double series = 1;
    for (int n = 15; n >= 2; --n) series = 1 + 2 * x / n * series;
    const double m = 2 * x * series;
    return m / (m + 2);
}

double sigmoid(double x) {
    const double power_of_minus = exponential(-std::fabs(x));
    return (x < 0 ? power_of_minus : 1) / (1 + power_of_minus);
}

double normal_density(double x) {
    constexpr double kOneOverRootOfTwoPi = 0.398942280401432677940;
    return kOneOverRootOfTwoPi * exponential(-0.5 * x * x);
}

double normal_cumulative(double x) {
    if (std::isnan(x)) return x;
    const double density = normal_density(x);
    if (std::fabs(x) < 3) return 0.5 + density * inner_area(x);
    const double tail = std::isinf(x) ? 0 : density * tail_area(std::fabs(x));
    return x < 0 ? tail : 1 - tail;
}

} // namespace lab
