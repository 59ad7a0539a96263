#include "engine/kernels/rows.h"

#include <algorithm>
#include <limits>

#include "engine/kernels/elementary.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 16>;
using Vector = hn::Vec<D>;

constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
constexpr int kPartialSums = 16;
constexpr int kVectors = kPartialSums / kLanes;

// Calls f(vectors of the next sixteen numbers) for every whole sixteen, then once for the rest, filled up with `filler`.
template <class Function> HWY_INLINE void for_each_sixteen(const float* x, int n, float filler, Function f) {
    int j = 0;
    for (; j + kPartialSums <= n; j += kPartialSums) f(x + j, j, kPartialSums);
    if (j == n) return;
    float rest[kPartialSums];
    std::fill(std::copy(x + j, x + n, rest), rest + kPartialSums, filler);
    f(rest, j, n - j);
}

// As `exponential(float)`, operation by operation.
HWY_INLINE Vector exponentials(Vector x) {
    const D d;
    const hn::RebindToSigned<D> di;
    const auto is_number = hn::Eq(x, x);
    const Vector in_range =
        hn::Min(hn::Max(x, hn::Set(d, FloatExponential::kLeast)), hn::Set(d, FloatExponential::kGreatest));
    const Vector magic = hn::Set(d, FloatExponential::kRoundingMagic);
    const Vector shifted = hn::Add(hn::Mul(in_range, hn::Set(d, FloatExponential::kInverseLn2)), magic);
    const Vector k = hn::Sub(shifted, magic);
    const Vector r = hn::Sub(hn::Sub(in_range, hn::Mul(k, hn::Set(d, FloatExponential::kLn2High))),
                             hn::Mul(k, hn::Set(d, FloatExponential::kLn2Low)));
    Vector series = hn::Set(d, FloatExponential::kSeries[0]);
    for (int i = 1; i < FloatExponential::kTerms; ++i)
        series = hn::Add(hn::Mul(series, r), hn::Set(d, FloatExponential::kSeries[i]));
    const Vector power = hn::Add(hn::Add(hn::Mul(series, hn::Mul(r, r)), r), hn::Set(d, 1.0f));
    const auto exponent = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, magic));
    const auto half = hn::ShiftRight<1>(exponent);
    const auto two_to = [&](auto e)
                            HWY_ATTR { return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(e, hn::Set(di, 127)))); };
    const Vector result = hn::Mul(hn::Mul(power, two_to(half)), two_to(hn::Sub(exponent, half)));
    return hn::IfThenElse(is_number, result, x);
}

float row_maximum(const float* x, int n) {
    const D d;
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    Vector greatest[kVectors];
    for (Vector& each : greatest) each = hn::Set(d, kNone);
    for_each_sixteen(x, n, kNone, [&](const float* sixteen, int, int) HWY_ATTR {
        for (int v = 0; v < kVectors; ++v) greatest[v] = hn::Max(greatest[v], hn::LoadU(d, sixteen + v * kLanes));
    });
    for (int v = 1; v < kVectors; ++v) greatest[0] = hn::Max(greatest[0], greatest[v]);
    return hn::GetLane(hn::MaxOfLanes(d, greatest[0]));
}

float exponentials_of_row(const float* x, int n, float shift, float* y) {
    const D d;
    const Vector by = hn::Set(d, shift);
    Vector sums[kVectors];
    for (Vector& each : sums) each = hn::Zero(d);
    const float filler = -std::numeric_limits<float>::infinity(); // whose power is 0
    for_each_sixteen(x, n, filler, [&](const float* sixteen, int j, int n_kept) HWY_ATTR {
        float rest[kPartialSums];
        float* to = n_kept == kPartialSums ? y + j : rest;
        for (int v = 0; v < kVectors; ++v) {
            const Vector power = exponentials(hn::Sub(hn::LoadU(d, sixteen + v * kLanes), by));
            sums[v] = hn::Add(sums[v], power);
            hn::StoreU(power, d, to + v * kLanes);
        }
        if (to == rest) std::copy_n(rest, n_kept, y + j);
    });
    float partial[kPartialSums];
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, partial + v * kLanes);
    for (int half = kPartialSums / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) partial[i] += partial[i + half];
    }
    return partial[0];
}

void scale_row(const float* x, int n, float factor, float* y) {
    const D d;
    const Vector by = hn::Set(d, factor);
    int j = 0;
    for (; j + kLanes <= n; j += kLanes) hn::StoreU(hn::Mul(hn::LoadU(d, x + j), by), d, y + j);
    for (; j < n; ++j) y[j] = x[j] * factor;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lab {

HWY_EXPORT(row_maximum);
HWY_EXPORT(exponentials_of_row);
HWY_EXPORT(scale_row);

float row_maximum(const float* x, int n) { return HWY_DYNAMIC_DISPATCH(row_maximum)(x, n); }
float exponentials_of_row(const float* x, int n, float shift, float* y) {
    return HWY_DYNAMIC_DISPATCH(exponentials_of_row)(x, n, shift, y);
}
void scale_row(const float* x, int n, float factor, float* y) { HWY_DYNAMIC_DISPATCH(scale_row)(x, n, factor, y); }

} // namespace lab
#endif
