// What softmax is made of, row by row, for one set of instructions: included by what has said before, in the same namespace, which vectors there are
// (engine/kernels/row_vectors.h), how to `multiply_add`, and whether that rounds once (kRoundsOnce). Without a guard, since it is
// included once for every set.
#include <algorithm>

#include "engine/cells.h"
#include "engine/kernels/row_powers.h"
#include "engine/kernels/rows.h"
#include "engine/shape.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

// As many numbers as are worked on at once.
constexpr int kStripVectors = std::max(kVectors, 4);
constexpr int kStrip = kStripVectors * kLanes;
// Where powers will be written so many numbers later, memory is asked for: a row of weights is in the third cache at best, which
// takes as long to answer as sixty lines to be computed.
constexpr int kAhead = 1024;

HWY_INLINE void take_greatest(const float* x, Vector (&greatest)[kStripVectors]) {
    HWY_UNROLL(8)
    for (int v = 0; v < kStripVectors; ++v) greatest[v] = hn::Max(greatest[v], hn::LoadU(D(), x + v * kLanes));
}

HWY_INLINE void scale_strip(const float* x, Vector by, float* y) {
    HWY_UNROLL(8)
    for (int v = 0; v < kStripVectors; ++v)
        hn::StoreU(hn::Mul(hn::LoadU(D(), x + v * kLanes), by), D(), y + v * kLanes);
}

float row_maximum(const float* x, int n) {
    Sixteen greatest = Sixteen::of(kMinusInfinity);
    const auto take = [&](const Sixteen& some) HWY_ATTR {
        for (int v = 0; v < kVectors; ++v) greatest.parts[v] = hn::Max(greatest.parts[v], some.parts[v]);
    };
    int j = 0;
    if (n >= kStrip) {
        const D d;
        Vector strip[kStripVectors];
        HWY_UNROLL(8) for (int v = 0; v < kStripVectors; ++v) strip[v] = hn::LoadU(d, x + v * kLanes);
        for (j = kStrip; j + kStrip <= n; j += kStrip) take_greatest(x + j, strip);
        for (int v = 0; v < kStripVectors; ++v)
            greatest.parts[v % kVectors] = hn::Max(greatest.parts[v % kVectors], strip[v]);
    }
    for (; j + kPartialSums <= n; j += kPartialSums) take(Sixteen::load(x + j));
    if (j < n) take(Sixteen::load_first(x + j, n - j));
    return greatest_of(greatest);
}

// y = e^(x · factor − shift). The factor is as SoftmaxRows says, so that the product is the same in an operation by itself or not.
struct Powers {
    Base base;
    float factor, shift;
};

// Nothing is done beside.
struct Alone {
    HWY_INLINE void strip(int /*j*/) {}
};

// Returns the sum of the powers. `beside.strip(j)` is called with each whole strip.
template <Arguments kArguments, Base kBase, class Beside>
HWY_INLINE float raise_row(const float* x, int n, const Powers& powers, float* y, Beside& beside) {
    const D d;
    const Vector factor = hn::Set(d, powers.factor), shift = hn::Set(d, powers.shift);
    Sixteen sums = Sixteen::of(0);
    int j = 0;
    for (; j + kStrip <= n; j += kStrip) {
        HWY_UNROLL(8) for (int v = 0; v < kStripVectors; ++v) __builtin_prefetch(y + j + kAhead + v * kLanes, 1);
        Vector strip[kStripVectors];
        HWY_UNROLL(8)
        for (int v = 0; v < kStripVectors; ++v) strip[v] = hn::MulSub(hn::LoadU(d, x + j + v * kLanes), factor, shift);
        raise<kArguments, kBase>(strip);
        HWY_UNROLL(8) for (int v = 0; v < kStripVectors; ++v) {
            hn::StoreU(strip[v], d, y + j + v * kLanes);
            sums.parts[v % kVectors] = hn::Add(sums.parts[v % kVectors], strip[v]);
        }
        beside.strip(j);
    }
    for (; j < n; j += kPartialSums) {
        const int n_here = std::min(kPartialSums, n - j);
        Sixteen some = n_here == kPartialSums ? Sixteen::load(x + j) : Sixteen::load_first(x + j, n_here);
        for (Vector& part : some.parts) part = hn::MulSub(part, factor, shift);
        raise<kArguments, kBase>(some.parts);
        for (int v = 0; v < kVectors; ++v) sums.parts[v] = hn::Add(sums.parts[v], some.parts[v]);
        if (n_here == kPartialSums)
            some.store(y + j);
        else
            some.store_first(y + j, n_here);
    }
    return sum_of(sums);
}

template <Arguments kArguments, class Beside>
float raise_row(const float* x, int n, const Powers& powers, float* y, Beside& beside) {
    if (kRoundsOnce && powers.base == Base::two) return raise_row<kArguments, Base::two>(x, n, powers, y, beside);
    return raise_row<kArguments, Base::e>(x, n, powers, y, beside);
}
template <Arguments kArguments> float raise_row(const float* x, int n, const Powers& powers, float* y) {
    Alone alone;
    return raise_row<kArguments>(x, n, powers, y, alone);
}

// Of n scores of a row: their powers, as RowSum has them.
void powers_in_row(const float* x, int n, float shift, int row_length, float* y) {
    raise_row<Arguments::any>(x, n, {base_of(row_length), 1, shift}, y);
}

template <Base kBase> HWY_INLINE void raise_in_rows(const float* x, const RowSum* sums, int n, float* y) {
    for (int first = 0; first < n; first += kPartialSums) {
        const int n_here = std::min(kPartialSums, n - first);
        float shifts[kPartialSums] = {};
        for (int i = 0; i < n_here; ++i) shifts[i] = sums[first + i].shift;
        Sixteen some = Sixteen::load_first(x + first, n_here);
        for (int v = 0; v < kVectors; ++v) some.parts[v] = hn::Sub(some.parts[v], hn::LoadU(D(), shifts + v * kLanes));
        raise<Arguments::any, kBase>(some.parts);
        some.store_first(y + first, n_here);
    }
}

void powers_in_rows(const float* x, const RowSum* sums, int n, int row_length, float* y) {
    if (kRoundsOnce && base_of(row_length) == Base::two) return raise_in_rows<Base::two>(x, sums, n, y);
    raise_in_rows<Base::e>(x, sums, n, y);
}

void scale_row(const float* x, int n, float factor, float* y) {
    const D d;
    const Vector by = hn::Set(d, factor);
    int j = 0;
    for (; j + kStrip <= n; j += kStrip) scale_strip(x + j, by, y + j);
    for (; j + kLanes <= n; j += kLanes) hn::StoreU(hn::Mul(hn::LoadU(d, x + j), by), d, y + j);
    for (; j < n; ++j) y[j] = x[j] * factor;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
