// What is kept of rows beside their softmax: spans, maxima of blocks, sums that follow single terms.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/kernels/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/rows_kept.cpp"
#include "hwy/foreach_target.h"

#include "engine/kernels/row_vectors.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

void greater_of_pairs(const float* x, int n, float* y) {
    int k = 0;
#if HWY_TARGET != HWY_SCALAR
    const D d;
    for (; 2 * (k + kLanes) <= n; k += kLanes) {
        const Vector first = hn::LoadU(d, x + 2 * k), second = hn::LoadU(d, x + 2 * k + kLanes);
        hn::StoreU(hn::Max(hn::ConcatEven(d, second, first), hn::ConcatOdd(d, second, first)), d, y + k);
    }
#endif
    for (; 2 * k + 1 < n; ++k) y[k] = std::max(x[2 * k], x[2 * k + 1]);
    if (2 * k < n) y[k] = x[2 * k];
}

void keep_greater(const float* HWY_RESTRICT x, int n, float* HWY_RESTRICT y) {
    const D d;
    int j = 0;
    for (; j + kLanes <= n; j += kLanes) {
        const Vector now = hn::LoadU(d, x + j), before = hn::LoadU(d, y + j);
        hn::StoreU(hn::IfThenElse(hn::Or(hn::Gt(now, before), hn::IsNaN(now)), now, before), d, y + j);
    }
    for (; j < n; ++j) y[j] = x[j] > y[j] || x[j] != x[j] ? x[j] : y[j];
}

void keep_farther(const float* HWY_RESTRICT x, int n, float* HWY_RESTRICT y) {
    const D d;
    const Vector masked = hn::Set(d, kMinusInfinity), nearest = hn::Set(d, -1);
    const auto distance = [&](Vector v) { return hn::IfThenElse(hn::Eq(v, masked), nearest, hn::Abs(v)); };
    int j = 0;
    for (; j + kLanes <= n; j += kLanes) {
        const Vector now = hn::LoadU(d, x + j), before = hn::LoadU(d, y + j);
        const Vector of_now = distance(now), of_before = distance(before);
        const auto is_as_far = hn::And(hn::Eq(of_now, of_before), hn::Gt(now, before));
        const auto stands = hn::Or(hn::Or(hn::Gt(of_now, of_before), is_as_far), hn::IsNaN(now));
        hn::StoreU(hn::IfThenElse(stands, now, before), d, y + j);
    }
    for (; j < n; ++j) y[j] = is_farther(x[j], y[j]) || x[j] != x[j] ? x[j] : y[j];
}

// Magnitudes are compared by their bits: finite ones are in their order, and below those of all others.
float add_multiple(float factor, const float* HWY_RESTRICT x, int n, float* HWY_RESTRICT y) {
    const D d;
    const hn::RebindToSigned<D> di;
    const Vector by = hn::Set(d, factor);
    auto greatest = hn::Zero(di);
    const auto magnitude = [&](Vector v) HWY_ATTR { return hn::BitCast(di, hn::Abs(v)); };
    int j = 0;
    for (; j + kLanes <= n; j += kLanes) {
        const Vector sum = hn::MulAdd(by, hn::LoadU(d, x + j), hn::LoadU(d, y + j));
        hn::StoreU(sum, d, y + j);
        greatest = hn::Max(greatest, magnitude(sum));
    }
    for (; j < n; ++j) {
        y[j] += factor * x[j];
        greatest = hn::Max(greatest, magnitude(hn::Set(d, y[j])));
    }
    return hn::GetLane(hn::BitCast(d, hn::MaxOfLanes(di, greatest)));
}

void exchange_term(double* HWY_RESTRICT sums, int n, double gained, const float* HWY_RESTRICT now, double lost,
                   const float* HWY_RESTRICT before) {
    for (int j = 0; j < n; ++j) sums[j] += gained * static_cast<double>(now[j]) - lost * static_cast<double>(before[j]);
}

#if HWY_TARGET == HWY_WASM
// The first numbers, four by four, of scale_sums; returns how many. Highway has no float64 here, and of a loop the compiler makes one that
// rounds number by number.
int scale_fours(const double* HWY_RESTRICT sums, int n, double factor, float* HWY_RESTRICT y, bool& are_finite) {
    const v128_t by = wasm_f64x2_splat(factor);
    const auto two = [&](int j) { return wasm_f32x4_demote_f64x2_zero(wasm_f64x2_mul(wasm_v128_load(sums + j), by)); };
    v128_t differences = wasm_f32x4_splat(0); // of every number from itself: NaN where it is not finite
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        const v128_t four = wasm_i64x2_shuffle(two(j), two(j + 2), 0, 2);
        wasm_v128_store(y + j, four);
        differences = wasm_f32x4_add(differences, wasm_f32x4_sub(four, four));
    }
    are_finite = wasm_i32x4_all_true(wasm_f32x4_eq(differences, differences));
    return j;
}
#else
int scale_fours(const double*, int, double, float*, bool&) { return 0; }
#endif

bool scale_sums(const double* HWY_RESTRICT sums, int n, double factor, float* HWY_RESTRICT y) {
    constexpr std::uint32_t kWithoutSign = 0x7fffffff, kInfinite = 0x7f800000;
    bool are_finite = true;
    std::uint32_t greatest = 0; // bits of finite numbers are in their order, and below those of all others
    for (int j = scale_fours(sums, n, factor, y, are_finite); j < n; ++j) {
        y[j] = static_cast<float>(sums[j] * factor);
        std::uint32_t bits;
        std::memcpy(&bits, y + j, sizeof bits);
        greatest = std::max(greatest, bits & kWithoutSign);
    }
    return are_finite && greatest < kInfinite;
}

RowSpan row_span(const float* x, int n) {
    const D d;
    const Vector masked = hn::Set(d, kMinusInfinity), none = hn::Set(d, std::numeric_limits<float>::max());
    Vector least = none, greatest = masked;
    auto has_nan = hn::IsNaN(masked), has_masked = has_nan; // none
    int j = 0;
    for (; j + kLanes <= n; j += kLanes) {
        const Vector some = hn::LoadU(d, x + j);
        const auto is_masked = hn::Eq(some, masked);
        has_nan = hn::Or(has_nan, hn::IsNaN(some));
        has_masked = hn::Or(has_masked, is_masked);
        least = hn::Min(least, hn::IfThenElse(is_masked, none, some));
        greatest = hn::Max(greatest, some);
    }
    RowSpan span{hn::GetLane(hn::MinOfLanes(d, least)), hn::GetLane(hn::MaxOfLanes(d, greatest)),
                 !hn::AllFalse(d, has_nan), !hn::AllFalse(d, has_masked)};
    for (; j < n; ++j) {
        span.has_nan = span.has_nan || x[j] != x[j];
        span.has_masked = span.has_masked || x[j] == kMinusInfinity;
        if (x[j] > kMinusInfinity) span.least = std::min(span.least, x[j]);
        span.greatest = std::max(span.greatest, x[j]);
    }
    return span;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lab {

HWY_EXPORT(greater_of_pairs);
HWY_EXPORT(keep_greater);
HWY_EXPORT(keep_farther);
HWY_EXPORT(row_span);
HWY_EXPORT(add_multiple);
HWY_EXPORT(exchange_term);
HWY_EXPORT(scale_sums);

void greater_of_pairs(const float* x, int n, float* y) { HWY_DYNAMIC_DISPATCH(greater_of_pairs)(x, n, y); }
void keep_greater(const float* x, int n, float* y) { HWY_DYNAMIC_DISPATCH(keep_greater)(x, n, y); }
void keep_farther(const float* x, int n, float* y) { HWY_DYNAMIC_DISPATCH(keep_farther)(x, n, y); }
RowSpan row_span(const float* x, int n) { return HWY_DYNAMIC_DISPATCH(row_span)(x, n); }
float add_multiple(float factor, const float* x, int n, float* y) {
    return HWY_DYNAMIC_DISPATCH(add_multiple)(factor, x, n, y);
}
void exchange_term(double* sums, int n, double gained, const float* now, double lost, const float* before) {
    HWY_DYNAMIC_DISPATCH(exchange_term)(sums, n, gained, now, lost, before);
}
bool scale_sums(const double* sums, int n, double factor, float* y) {
    return HWY_DYNAMIC_DISPATCH(scale_sums)(sums, n, factor, y);
}

} // namespace lab
#endif
