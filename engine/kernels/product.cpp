#include "engine/kernels/product.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "engine/kernels/line_memory.h"
#include "engine/kernels/relaxed_kernels.h"
#include "engine/kernels/sum_units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/product.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

namespace lab {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using Vector = hn::Vec<D>;

constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));

// A tile of C is as large as the registers hold.
#if HWY_TARGET <= HWY_AVX3
constexpr int kTileRows = 6, kTileVectors = 4;
#elif HWY_TARGET <= HWY_AVX2
constexpr int kTileRows = 6, kTileVectors = 2;
#else
constexpr int kTileRows = 4, kTileVectors = 2;
#endif

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab

#include "engine/kernels/multiply_add.h"

#include "engine/kernels/product_loops.h"

#include "engine/kernels/panel_loops.h"
#if HWY_TARGET <= HWY_AVX3
#include "engine/kernels/pair_loops.h"
#else
#include "engine/kernels/pair_loops_none.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

int strip_columns() { return kStripColumns; }
const char* instruction_set() { return hwy::TargetName(HWY_TARGET); }
bool rounds_once() { return kRoundsOnce; }

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lab {

HWY_EXPORT(multiply_packed);
HWY_EXPORT(multiply_unpacked);
HWY_EXPORT(pack_panel);
HWY_EXPORT(pack_panel_transposed);
HWY_EXPORT(renew_column);
HWY_EXPORT(has_pairs);
HWY_EXPORT(multiply_by_pairs);
HWY_EXPORT(pair_columns);
HWY_EXPORT(strip_columns);
HWY_EXPORT(instruction_set);
HWY_EXPORT(rounds_once);

namespace {

// As PackedProduct asks of what is copied.
[[maybe_unused]] bool is_of_lines(const float* copy, std::ptrdiff_t stride) {
    constexpr std::ptrdiff_t kLine = kCacheLine / sizeof(float);
    return reinterpret_cast<std::uintptr_t>(copy) % kCacheLine == 0 && stride % kLine == 0;
}
[[maybe_unused]] bool can_copy(const PackedProduct& of) {
    if (of.copy_of_c && !(of.cols.size() % kPanelColumns == 0 && is_of_lines(of.copy_of_c, of.c_stride))) return false;
    return !of.copy_of_a || (of.b->n_inner % kPanelColumns == 0 && is_of_lines(of.copy_of_a, of.a_stride));
}

} // namespace

void multiply_packed(const PackedProduct& of) {
    if (of.b->is_by_pairs()) {
        const bool is_in_halves = sum_units() == SumUnits::of_half_vectors;
        return multiply_by_pairs(of, is_in_halves ? Spread::by_every_addition : Spread::once);
    }
    assert(can_copy(of));
    const RelaxedKernels* relaxed = relaxed_kernels();
    relaxed ? relaxed->multiply_packed(of) : HWY_DYNAMIC_DISPATCH(multiply_packed)(of);
}
void multiply_by_pairs(const PackedProduct& of, Spread spread) {
    assert(can_copy(of) && of.b->is_by_pairs() && can_sum_by_pairs());
    HWY_DYNAMIC_DISPATCH(multiply_by_pairs)(of, spread);
}
void multiply_unpacked(const PlainProduct<float>& of) {
    const RelaxedKernels* relaxed = relaxed_kernels();
    relaxed ? relaxed->multiply_unpacked(of) : HWY_DYNAMIC_DISPATCH(multiply_unpacked)(of);
}
int strip_columns() { return HWY_DYNAMIC_DISPATCH(strip_columns)(); }
bool rounds_once() { return relaxed_kernels() || HWY_DYNAMIC_DISPATCH(rounds_once)(); }
const char* instruction_set() { return relaxed_kernels() ? "relaxed WASM" : HWY_DYNAMIC_DISPATCH(instruction_set)(); }

namespace {

// Column j of B, from `b` on every `stride` floats.
void renew_column(const float* b, std::ptrdiff_t stride, int j, PanelMatrix& packed) {
    if (packed.elsewhere) return; // where the change is already
    float* panel = packed.own_panel(j / kPanelColumns);
    HWY_DYNAMIC_DISPATCH(renew_column)(b, stride, packed.n_inner, j % kPanelColumns, panel);
}

// Columns of B that were written anew.
void pair_columns(Range cols, PanelMatrix& packed) {
    if (!packed.is_by_pairs()) return;
    for (int p = cols.begin / kPanelColumns; p * kPanelColumns < cols.end; ++p) {
        const int first = p * kPanelColumns;
        const Range here{std::max(cols.begin - first, 0), std::min(cols.end - first, kPanelColumns)};
        HWY_DYNAMIC_DISPATCH(pair_columns)(packed.own_panel(p), packed.n_inner, here, packed.pairs(p));
    }
}

} // namespace

void renew_columns(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for (int j = cols.begin; j < cols.end; ++j) renew_column(b + j, stride, j, packed);
    pair_columns(cols, packed);
}

void renew_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for (int j = cols.begin; j < cols.end; ++j) renew_column(b + j * stride, 1, j, packed);
    pair_columns(cols, packed);
}

void make_panels(int n_inner, int n_cols, PanelMatrix& packed, Summing summing) {
    packed.n_inner = n_inner;
    packed.n_cols = n_cols;
    packed.elsewhere = nullptr;
    packed.cells.resize(static_cast<std::size_t>(packed.n_panels()) * static_cast<std::size_t>(n_inner) *
                        kPanelColumns);
    const bool is_by_pairs = summing == Summing::by_pairs;
    assert(!is_by_pairs || (can_sum_by_pairs() && n_inner <= kMostPairedSteps));
    packed.of_pairs.resize(is_by_pairs ? static_cast<std::size_t>(packed.n_panels()) * PanelMatrix::kPairNumbers : 0);
}

bool can_sum_by_pairs() { return HWY_DYNAMIC_DISPATCH(has_pairs)(); }

Summing faster_summing(int n_rows, int n_inner, int n_cols) {
    // Laying a row or a column out takes half as long again as in order.
    constexpr int kLeastSteps = 32, kLeastRows = 128, kLeastColumns = 256;
    const bool is_large = n_rows >= kLeastRows && n_inner >= kLeastSteps && n_cols >= kLeastColumns;
    const bool is_possible = n_inner <= kMostPairedSteps && can_sum_by_pairs();
    return is_large && is_possible && sum_units() != SumUnits::none ? Summing::by_pairs : Summing::in_order;
}

namespace {

// Calls f(panel, its first column, its number of columns), which lays it out in order.
template <class Function> void lay_out_panels(Range cols, PanelMatrix& packed, Function f) {
    for (int first = cols.begin; first < cols.end; first += kPanelColumns) {
        f(packed.own_panel(first / kPanelColumns), first, std::min(kPanelColumns, cols.end - first));
        pair_columns({first, first + kPanelColumns}, packed);
    }
}

} // namespace

void pack_rows(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    lay_out_panels(cols, packed, [&](float* panel, int first, int n) {
        HWY_DYNAMIC_DISPATCH(pack_panel)(b + first, stride, packed.n_inner, n, panel);
    });
}

void pack_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    lay_out_panels(cols, packed, [&](float* panel, int first, int n) {
        HWY_DYNAMIC_DISPATCH(pack_panel_transposed)(b + first * stride, stride, packed.n_inner, n, panel);
    });
}

void pack_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed, Summing summing) {
    make_panels(n_inner, n_cols, packed, summing);
    pack_rows(b, stride, {0, n_cols}, packed);
}

void pack_transposed(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed,
                     Summing summing) {
    make_panels(n_inner, n_cols, packed, summing);
    pack_transposed(b, stride, {0, n_cols}, packed);
}

bool refer_to_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed) {
    if (n_cols != kPanelColumns || stride != kPanelColumns) return false;
    if (n_inner > kNearRows && strip_columns() != kPanelColumns) return false;
    packed = {.n_inner = n_inner, .n_cols = n_cols, .cells = {}, .of_pairs = {}, .elsewhere = b};
    return true;
}

} // namespace lab
#endif
