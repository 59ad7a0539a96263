// What softmax does to rows, for one set of instructions: included by what has said before, in the same namespace, which vectors there are
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
        for (j = kStrip; j + kStrip <= n; j += kStrip) HWY_UNROLL(8)
        for (int v = 0; v < kStripVectors; ++v) strip[v] = hn::Max(strip[v], hn::LoadU(d, x + j + v * kLanes));
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
    for (; j + kStrip <= n; j += kStrip) {
        HWY_UNROLL(8)
        for (int v = 0; v < kStripVectors; ++v)
            hn::StoreU(hn::Mul(hn::LoadU(d, x + j + v * kLanes), by), d, y + j + v * kLanes);
    }
    for (; j + kLanes <= n; j += kLanes) hn::StoreU(hn::Mul(hn::LoadU(d, x + j), by), d, y + j);
    for (; j < n; ++j) y[j] = x[j] * factor;
}

// The sum with the sink's power in it, which is taken as those of the row.
HWY_INLINE float with_sink(float sum, const float* sink, float shift, int row_length) {
    if (!sink) return sum;
    float power;
    powers_in_row(sink, 1, shift, row_length, &power);
    return sum + power;
}

// Whether all of the row is −∞, whose weights are then zeros: true, once these are written. `greatest`: of the row.
HWY_INLINE bool is_zeros(const float* x, int n, float greatest, float* y) {
    if (!is_masked(greatest) || !std::all_of(x, x + n, is_masked<float>)) return false;
    std::fill(y, y + n, 0.0f);
    return true;
}

// A row that fits into sixteen numbers, which stay in registers, and of these into kUsed vectors: powers of what fills the others up
// are zeros.
template <int kUsed> RowSum softmax_of_short_row(const float* x, int n, float factor, const float* sink, float* y) {
    Sixteen some = Sixteen::load_first(x, n), sums = Sixteen::of(0);
    float shift = greatest_of(some) * factor;
    if (is_zeros(x, n, shift, y)) return {};
    if (sink) shift = std::max(shift, *sink);
    Vector used[kUsed];
    for (int v = 0; v < kUsed; ++v) used[v] = hn::MulSub(some.parts[v], hn::Set(D(), factor), hn::Set(D(), shift));
    raise<Arguments::at_most_0, Base::e>(used);
    for (int v = 0; v < kUsed; ++v) sums.parts[v] = used[v];
    const float sum = with_sink(sum_of(sums), sink, shift, n);
    for (int v = 0; v < kUsed; ++v) some.parts[v] = hn::Mul(used[v], hn::Set(D(), 1 / sum));
    some.store_first(y, n);
    return {shift, sum};
}

RowSum softmax_of_short_row(const float* x, int n, float factor, const float* sink, float* y) {
    constexpr int kHalf = kVectors / 2;
    if constexpr (kHalf > 0) {
        if (n <= kHalf * kLanes) return softmax_of_short_row<kHalf>(x, n, factor, sink, y);
    }
    return softmax_of_short_row<kVectors>(x, n, factor, sink, y);
}

// Whether there are registers for other rows while powers of one are taken.
constexpr bool kWorksBeside = HWY_TARGET <= HWY_AVX3;

// What is done to its neighbours while powers of a row are taken, which keep the units busy that multiply and add: the greatest
// score of the row behind it is found, which waits for memory, and the row before it is divided, which writes.
struct Neighbours {
    const float* behind = nullptr; // scores, or none
    float* before = nullptr;       // powers, or none
    float factor = 0;              // of those
    Vector greatest[kStripVectors];

    HWY_INLINE Neighbours() {
        for (Vector& some : greatest) some = hn::Set(D(), kMinusInfinity);
    }
    HWY_INLINE void strip(int j) {
        if (!kWorksBeside) return;
        const D d;
        if (behind) {
            HWY_UNROLL(8)
            for (int v = 0; v < kStripVectors; ++v)
                greatest[v] = hn::Max(greatest[v], hn::LoadU(d, behind + j + v * kLanes));
        }
        if (!before) return;
        HWY_UNROLL(8) for (int v = 0; v < kStripVectors; ++v) {
            float* y = before + j + v * kLanes;
            hn::StoreU(hn::Mul(hn::LoadU(d, y), hn::Set(d, factor)), d, y);
        }
    }
    // What is left of n numbers, after `strip` was called with the first n_strips; returns the greatest of all scores behind.
    HWY_INLINE float finish(int n_strips, int n) {
        const int j = kWorksBeside ? n_strips * kStrip : 0;
        if (before && j < n) scale_row(before + j, n - j, factor, before + j);
        if (!behind) return kMinusInfinity;
        Sixteen of_strips = Sixteen::of(kMinusInfinity);
        for (int v = 0; v < kStripVectors; ++v)
            of_strips.parts[v % kVectors] = hn::Max(of_strips.parts[v % kVectors], greatest[v]);
        const float of_all = greatest_of(of_strips);
        return j < n ? std::max(of_all, row_maximum(behind + j, n - j)) : of_all;
    }
};

// Neighbours lie so many rows apart that the greatest and the sum of each are there when they are asked for, and that what lies
// between stays in the first cache.
constexpr int kNumbersApart = kWorksBeside ? 1024 : kNearNumbers, kMostRowsApart = kWorksBeside ? 4 : 16;

// Returns what is kept of the first row.
RowSum softmax_of_long_rows(const SoftmaxRows& of) {
    const int n = of.n, n_apart = std::clamp(kNumbersApart / n, 1, kMostRowsApart);
    const auto x = [&](int i) { return of.x + i * of.x_stride; };
    const auto y = [&](int i) { return of.y + i * of.y_stride; };
    float greatest[kMostRowsApart];
    RowSum sums[kMostRowsApart], first;
    for (int i = 0; i < std::min(n_apart, of.n_rows); ++i) greatest[i] = row_maximum(x(i), n);
    for (int i = 0; i < of.n_rows + n_apart; ++i) {
        RowSum& row = sums[i % n_apart];
        Neighbours neighbours;
        if (i + n_apart < of.n_rows) neighbours.behind = x(i + n_apart);
        if (row.sum != 0) {
            neighbours.before = y(i - n_apart);
            neighbours.factor = 1 / row.sum;
        }
        row = {greatest[i % n_apart] * of.factor};
        int n_strips = 0;
        if (i >= of.n_rows || is_zeros(x(i), n, row.shift, y(i))) {
            row = {};
        } else {
            if (of.sink) row.shift = std::max(row.shift, *of.sink);
            const float sum =
                raise_row<Arguments::at_most_0>(x(i), n, {base_of(n), of.factor, row.shift}, y(i), neighbours);
            row.sum = with_sink(sum, of.sink, row.shift, n);
            n_strips = n / kStrip;
        }
        if (i == 0) first = row;
        greatest[i % n_apart] = neighbours.finish(n_strips, n);
    }
    return first;
}

// Returns what is kept of the row, where it is a single one.
RowSum softmax_rows_with_sum(const SoftmaxRows& of) {
    if (of.n > kPartialSums) return softmax_of_long_rows(of);
    RowSum sum;
    for (int i = 0; i < of.n_rows; ++i)
        sum = softmax_of_short_row(of.x + i * of.x_stride, of.n, of.factor, of.sink, of.y + i * of.y_stride);
    return sum;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
