// Sixteen numbers of a row at once, and powers of them, for one set of instructions: the first part of engine/kernels/row_loops.h, which
// says what has to be there before. Without a guard, since it is included once for every set.
#include <algorithm>

#include "engine/kernels/elementary.h"
#include "engine/kernels/rows.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

constexpr int kPartialSums = 16;
constexpr int kVectors = kPartialSums / kLanes;

// Sixteen numbers of a row; the last ones filled up with −∞, which is no maximum and whose power is 0.
struct Sixteen {
    Vector parts[kVectors];

    static HWY_INLINE Sixteen load(const float* x) {
        Sixteen all;
        for (int v = 0; v < kVectors; ++v) all.parts[v] = hn::LoadU(D(), x + v * kLanes);
        return all;
    }
    static HWY_INLINE Sixteen load_first(const float* x, int n) {
        Sixteen all;
#if HWY_TARGET <= HWY_AVX2
        const D d;
        for (int v = 0; v < kVectors; ++v) {
            const auto is_within = first_lanes(n - v * kLanes);
            all.parts[v] =
                hn::IfThenElse(is_within, hn::MaskedLoad(is_within, d, x + v * kLanes), hn::Set(d, kMinusInfinity));
        }
#else
        for (int v = 0; v < kVectors; ++v) all.parts[v] = load_first_lanes(x + v * kLanes, n - v * kLanes);
#endif
        return all;
    }
    static HWY_INLINE Sixteen of(float value) {
        Sixteen all;
        for (Vector& part : all.parts) part = hn::Set(D(), value);
        return all;
    }
    HWY_INLINE void store(float* y) const {
        for (int v = 0; v < kVectors; ++v) hn::StoreU(parts[v], D(), y + v * kLanes);
    }
    HWY_INLINE void store_first(float* y, int n) const {
#if HWY_TARGET <= HWY_AVX2
        for (int v = 0; v < kVectors; ++v) hn::BlendedStore(parts[v], first_lanes(n - v * kLanes), D(), y + v * kLanes);
#else
        for (int v = 0; v < kVectors; ++v) store_first_lanes(parts[v], y + v * kLanes, n - v * kLanes);
#endif
    }

  private:
    static HWY_INLINE hn::Mask<D> first_lanes(int n) {
        return hn::FirstN(D(), static_cast<std::size_t>(std::max(n, 0)));
    }
    // Lane by lane: to copy so few bytes as their number says is a call.
    static HWY_INLINE Vector load_first_lanes(const float* x, int n) {
        const D d;
        if (n >= kLanes) return hn::LoadU(d, x);
        Vector part = hn::Set(d, kMinusInfinity);
        HWY_UNROLL(4) for (int lane = 0; lane + 1 < kLanes; ++lane) {
            if (lane < n) part = hn::InsertLane(part, static_cast<std::size_t>(lane), x[lane]);
        }
        return part;
    }
    static HWY_INLINE void store_first_lanes(Vector part, float* y, int n) {
        if (n >= kLanes) return hn::StoreU(part, D(), y);
        HWY_UNROLL(4) for (int lane = 0; lane + 1 < kLanes; ++lane) {
            if (lane < n) y[lane] = hn::ExtractLane(part, static_cast<std::size_t>(lane));
        }
    }
};

// In halves: 8 and 8, 4 and 4, …
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE float sum_of_part(D, Vector all) { return hn::GetLane(all); }
#else
template <class Part> HWY_INLINE float sum_of_part(Part, hn::Vec<Part> all) {
    if constexpr (hn::MaxLanes(Part()) > 4) {
        const hn::Half<Part> half;
        return sum_of_part(half, hn::Add(hn::LowerHalf(half, all), hn::UpperHalf(half, all)));
    } else {
        const auto pairs = hn::Add(all, hn::Shuffle1032(all));
        return hn::GetLane(hn::Add(pairs, hn::Shuffle2301(pairs)));
    }
}
#endif
HWY_INLINE float sum_of(Sixteen all) {
    for (int half = kVectors / 2; half > 0; half /= 2) {
        for (int v = 0; v < half; ++v) all.parts[v] = hn::Add(all.parts[v], all.parts[v + half]);
    }
    return sum_of_part(D(), all.parts[0]);
}

HWY_INLINE float greatest_of(Sixteen all) {
    for (int v = 1; v < kVectors; ++v) all.parts[0] = hn::Max(all.parts[0], all.parts[v]);
    return hn::GetLane(hn::MaxOfLanes(D(), all.parts[0]));
}

// The last step: power · 2^⌊k⌋, 0 where x is below what is raised. `shifted` ends with the bits of that power's exponent.
enum class Arguments { any, at_most_0 };
#if HWY_TARGET <= HWY_AVX3
template <Arguments> HWY_INLINE Vector times_power_of_two(Vector power, Vector /*shifted*/, Vector k, Vector x) {
    const Vector least = hn::Set(D(), FloatExponential::kLeast);
    return Vector{_mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x.raw, least.raw, _CMP_NLT_UQ), power.raw, k.raw)};
}
#else
template <Arguments kArguments>
HWY_INLINE Vector times_power_of_two(Vector power, Vector shifted, Vector /*k*/, Vector x) {
    const D d;
    const Vector least = hn::Set(d, FloatExponential::kLeast);
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, shifted);
    const auto is_below = hn::Lt(x, least);
    if (kArguments == Arguments::at_most_0)
        return hn::IfThenZeroElse(is_below, hn::Mul(power, hn::BitCast(d, hn::ShiftLeft<23>(bits))));
    const Vector half = hn::Mul(power, hn::BitCast(d, hn::ShiftLeft<23>(hn::Sub(bits, hn::Set(di, 1)))));
    return hn::IfThenZeroElse(is_below, hn::Add(half, half)); // 2^128 is no number
}
#endif

#define LAB_EACH HWY_UNROLL(8) for (int v = 0; v < kCount; ++v)

// A comparison rather than a minimum, which treats NaN differently on different processors.
template <Arguments kArguments, int kCount> HWY_INLINE void keep_below(float greatest, Vector (&x)[kCount]) {
    if (kArguments == Arguments::at_most_0) return;
    const Vector bound = hn::Set(D(), greatest);
    LAB_EACH x[v] = hn::IfThenElse(hn::Gt(x[v], bound), bound, x[v]);
}

// As `exponential(float)`, operation by operation, for several vectors at once, each step for all of them before the next: one
// alone would wait for its own results.
template <Arguments kArguments, int kCount> HWY_INLINE void raise_e(Vector (&x)[kCount]) {
    using E = FloatExponential;
    const D d;
    const Vector magic = hn::Set(d, E::kRoundingMagic);
    Vector shifted[kCount], k[kCount], r[kCount], square[kCount], low[kCount], high[kCount];
    keep_below<kArguments>(E::kGreatest, x);
    LAB_EACH shifted[v] = hn::Mul(x[v], hn::Set(d, E::kInverseLn2));
    LAB_EACH shifted[v] = hn::Add(shifted[v], magic);
    LAB_EACH k[v] = hn::Sub(shifted[v], magic);
    LAB_EACH r[v] = hn::NegMulAdd(k[v], hn::Set(d, E::kLn2High), x[v]);
    LAB_EACH r[v] = hn::NegMulAdd(k[v], hn::Set(d, E::kLn2Low), r[v]);
    LAB_EACH square[v] = hn::Mul(r[v], r[v]);
    LAB_EACH high[v] = hn::Mul(hn::Set(d, E::kSeries[3]), r[v]);
    LAB_EACH low[v] = hn::Mul(hn::Set(d, E::kSeries[1]), r[v]);
    LAB_EACH high[v] = hn::Add(high[v], hn::Set(d, E::kSeries[2]));
    LAB_EACH high[v] = hn::Add(hn::Mul(hn::Set(d, E::kSeries[4]), square[v]), high[v]);
    LAB_EACH low[v] = hn::Add(low[v], hn::Set(d, E::kSeries[0]));
    LAB_EACH low[v] = hn::Add(hn::Mul(high[v], square[v]), low[v]);
    LAB_EACH low[v] = hn::Mul(low[v], square[v]);
    LAB_EACH low[v] = hn::Add(low[v], r[v]);
    LAB_EACH low[v] = hn::Add(low[v], hn::Set(d, 1.0f));
    LAB_EACH x[v] = times_power_of_two<kArguments>(low[v], shifted[v], k[v], x[v]);
}

// t − ⌊t⌋ of arguments less 1. Of those at most 0 it is exact, in one instruction too; of others that would round down what two
// round to the nearest, and the page would have other bits.
template <Arguments kArguments> HWY_INLINE Vector fraction_of(Vector t) {
#if HWY_TARGET <= HWY_AVX3
    if constexpr (kArguments == Arguments::at_most_0)
        return Vector{_mm512_reduce_ps(t.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)};
#endif
    return hn::Sub(t, hn::Floor(t));
}

// e^x as `FloatPowerOfTwo` says, where `multiply_add` rounds once.
template <Arguments kArguments, int kCount> HWY_INLINE void raise_2(Vector (&x)[kCount]) {
    using P = FloatPowerOfTwo;
    const D d;
    Vector t[kCount], fraction[kCount], power[kCount];
    keep_below<kArguments>(FloatExponential::kGreatest, x);
    LAB_EACH t[v] = multiply_add(x[v], hn::Set(d, P::kLog2E), hn::Set(d, -1.0f));
    LAB_EACH fraction[v] = fraction_of<kArguments>(t[v]);
    LAB_EACH power[v] = hn::Set(d, 2 * P::kSeries[P::kTerms - 1]);
    HWY_UNROLL(8) for (int k = P::kTerms - 2; k >= 0; --k) {
        LAB_EACH power[v] = multiply_add(power[v], fraction[v], hn::Set(d, 2 * P::kSeries[k]));
    }
    LAB_EACH {
        const Vector shifted = hn::Add(hn::Floor(t[v]), hn::Set(d, FloatExponential::kRoundingMagic));
        x[v] = times_power_of_two<Arguments::at_most_0>(power[v], shifted, t[v], x[v]); // ⌊t⌋ is at most 127
    }
}
#undef LAB_EACH

// How powers are taken: as `FloatExponential` says, or as `FloatPowerOfTwo`.
enum class Base { e, two };
HWY_INLINE Base base_of(int row_length) { return kRoundsOnce && row_length >= kLongRow ? Base::two : Base::e; }

template <Arguments kArguments, Base kBase, int kCount> HWY_INLINE void raise(Vector (&x)[kCount]) {
    if constexpr (kBase == Base::e)
        raise_e<kArguments>(x);
    else
        raise_2<kArguments>(x);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
