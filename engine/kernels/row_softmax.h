// Softmax of rows, for one set of instructions: what is kept of a row and of its neighbours, on top of engine/kernels/row_loops.h, which
// says what has to be there before. Without a guard, since it is included once for every set.
#include <algorithm>

#include "engine/kernels/row_loops.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

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
        if (behind) take_greatest(behind + j, greatest);
        if (before) scale_strip(before + j, hn::Set(D(), factor), before + j);
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

// Powers of row i, whose greatest score is `greatest`, and what is done beside. RowSum{} where there is no such row, or it is zeros;
// returns the greatest score of the row behind.
HWY_INLINE float raise_one_of_rows(const SoftmaxRows& of, int i, float greatest, Neighbours& neighbours, RowSum& row) {
    const int n = of.n;
    const float* x = of.x + i * of.x_stride;
    float* y = of.y + i * of.y_stride;
    row = {};
    if (i >= of.n_rows || is_zeros(x, n, greatest * of.factor, y)) return neighbours.finish(0, n);
    row.shift = greatest * of.factor;
    if (of.sink) row.shift = std::max(row.shift, *of.sink);
    const float sum = raise_row<Arguments::at_most_0>(x, n, {base_of(n), of.factor, row.shift}, y, neighbours);
    row.sum = with_sink(sum, of.sink, row.shift, n);
    return neighbours.finish(n / kStrip, n);
}

// Returns what is kept of the last row.
RowSum softmax_of_long_rows(const SoftmaxRows& of) {
    const int n_apart = std::clamp(kNumbersApart / of.n, 1, std::clamp(of.n_rows, 1, kMostRowsApart));
    float greatest[kMostRowsApart] = {};
    RowSum sums[kMostRowsApart], last;
    for (int i = 0; i < std::min(n_apart, of.n_rows); ++i) greatest[i] = row_maximum(of.x + i * of.x_stride, of.n);
    for (int i = 0; i < of.n_rows + n_apart; ++i) {
        const int turn = i % n_apart;
        Neighbours neighbours;
        if (i + n_apart < of.n_rows) neighbours.behind = of.x + (i + n_apart) * of.x_stride;
        if (sums[turn].sum != 0) {
            neighbours.before = of.y + (i - n_apart) * of.y_stride;
            neighbours.factor = 1 / sums[turn].sum;
        }
        greatest[turn] = raise_one_of_rows(of, i, greatest[turn], neighbours, sums[turn]);
        if (i == of.n_rows - 1) last = sums[turn];
    }
    return last;
}

// Returns what is kept of the last row.
RowSum softmax_rows_with_sum(const SoftmaxRows& of) {
    if (of.n > kPartialSums) return softmax_of_long_rows(of);
    RowSum last;
    for (int i = 0; i < of.n_rows; ++i)
        last = softmax_of_short_row(of.x + i * of.x_stride, of.n, of.factor, of.sink, of.y + i * of.y_stride);
    return last;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
