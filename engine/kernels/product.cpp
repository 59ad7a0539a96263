#include "engine/kernels/product.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "engine/kernels/line_memory.h"
#include "engine/kernels/relaxed_kernels.h"

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

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

// Where line j of strips begins.
template <int kStrip> HWY_INLINE std::ptrdiff_t in_strips(int n_inner, int j) {
    return static_cast<std::ptrdiff_t>(j / kStrip) * n_inner * kStrip + j % kStrip;
}
HWY_INLINE std::ptrdiff_t column_in_panel(int n_inner, int j) { return in_strips<kStripColumns>(n_inner, j); }

// One panel of B, from its rows.
void pack_panel(const float* HWY_RESTRICT b, std::ptrdiff_t stride, int n_inner, int n_cols,
                float* HWY_RESTRICT panel) {
    const D d;
    for (int first = 0; first < kPanelColumns; first += kStripColumns) {
        const float* row = b + first;
        const int n_here = std::clamp(n_cols - first, 0, kStripColumns);
        for (int k = 0; k < n_inner; ++k, row += stride, panel += kStripColumns) {
            if (n_here < kStripColumns)
                std::fill(std::copy_n(row, n_here, panel), panel + kStripColumns, 0.0f);
            else
                for (int j = 0; j < kStripColumns; j += kLanes) hn::StoreU(hn::LoadU(d, row + j), d, panel + j);
        }
    }
}

#if HWY_TARGET == HWY_SCALAR
// None: one lane turns nothing.
template <int kStrip> HWY_INLINE int pack_four_columns(const float*, std::ptrdiff_t, int, float*) { return 0; }
#else
// A vector's blocks of four numbers, which are of every fourth step, each to its row of the strip.
template <int kStrip, class Part> HWY_INLINE void store_blocks(Part part, hn::Vec<Part> all, float* row) {
    if constexpr (hn::MaxLanes(Part()) > 4) {
        const hn::Half<Part> half;
        store_blocks<kStrip>(half, hn::LowerHalf(half, all), row);
        store_blocks<kStrip>(half, hn::UpperHalf(half, all), row + static_cast<int>(hn::MaxLanes(half)) * kStrip);
    } else {
        hn::StoreU(all, part, row);
    }
}

// Four columns of a panel, from four rows of Bᵀ, from step `k` on as far as whole vectors go; returns how far.
template <int kStrip, class Part>
HWY_INLINE int pack_four_columns(Part d, const float* HWY_RESTRICT b, std::ptrdiff_t stride, int k, int n_inner,
                                 float* HWY_RESTRICT strip) {
    constexpr int kSteps = static_cast<int>(hn::MaxLanes(Part()));
    const hn::Repartition<double, Part> d_pairs;
    const auto pairs = [&](auto x) HWY_ATTR { return hn::BitCast(d_pairs, x); };
    for (; k + kSteps <= n_inner; k += kSteps) {
        const auto row0 = hn::LoadU(d, b + k), row1 = hn::LoadU(d, b + stride + k);
        const auto row2 = hn::LoadU(d, b + 2 * stride + k), row3 = hn::LoadU(d, b + 3 * stride + k);
        const auto low01 = pairs(hn::InterleaveLower(d, row0, row1)), low23 = pairs(hn::InterleaveLower(d, row2, row3));
        const auto high01 = pairs(hn::InterleaveUpper(d, row0, row1)),
                   high23 = pairs(hn::InterleaveUpper(d, row2, row3));
        float* to = strip + k * kStrip;
        store_blocks<kStrip>(d, hn::BitCast(d, hn::InterleaveLower(d_pairs, low01, low23)), to);
        store_blocks<kStrip>(d, hn::BitCast(d, hn::InterleaveUpper(d_pairs, low01, low23)), to + kStrip);
        store_blocks<kStrip>(d, hn::BitCast(d, hn::InterleaveLower(d_pairs, high01, high23)), to + 2 * kStrip);
        store_blocks<kStrip>(d, hn::BitCast(d, hn::InterleaveUpper(d_pairs, high01, high23)), to + 3 * kStrip);
    }
    return k;
}
template <int kStrip>
HWY_INLINE int pack_four_columns(const float* b, std::ptrdiff_t stride, int n_inner, float* strip) {
    const int k = pack_four_columns<kStrip>(D(), b, stride, 0, n_inner, strip);
    return pack_four_columns<kStrip>(hn::Full128<float>(), b, stride, k, n_inner, strip);
}
#endif

// Lines that lie side by side in strips, from the first on.
template <int kStrip>
void pack_lines(const float* HWY_RESTRICT b, std::ptrdiff_t stride, int n_inner, int n_cols,
                float* HWY_RESTRICT panel) {
    const auto column = [&](int j) { return panel + in_strips<kStrip>(n_inner, j); };
    for (int j = 0; j < n_cols; j += 4) {
        const int n_columns = std::min(4, n_cols - j);
        const float* rows = b + j * stride;
        const int n_done = n_columns == 4 ? pack_four_columns<kStrip>(rows, stride, n_inner, column(j)) : 0;
        for (int k = n_done; k < n_inner; ++k) {
            for (int i = 0; i < n_columns; ++i) column(j + i)[k * kStrip] = rows[i * stride + k];
        }
    }
}

// One panel of B, from rows of Bᵀ.
void pack_panel_transposed(const float* HWY_RESTRICT b, std::ptrdiff_t stride, int n_inner, int n_cols,
                           float* HWY_RESTRICT panel) {
    pack_lines<kStripColumns>(b, stride, n_inner, n_cols, panel);
    for (int j = n_cols; j < kPanelColumns; ++j) {
        for (int k = 0; k < n_inner; ++k) panel[column_in_panel(n_inner, j) + k * kStripColumns] = 0;
    }
}

// Column j of a panel, from `b` on every `stride` floats.
void renew_column(const float* b, std::ptrdiff_t stride, int n_inner, int j, float* panel) {
    float* to = panel + column_in_panel(n_inner, j);
    for (int k = 0; k < n_inner; ++k) to[k * kStripColumns] = b[k * stride];
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();

#if HWY_TARGET <= HWY_AVX3
#include "engine/kernels/pair_loops.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET <= HWY_AVX3
bool has_pairs() { return true; }
#else
// None, which `has_pairs` says.
bool has_pairs() { return false; }
void multiply_by_pairs(const PackedProduct&) { assert(false); }
void pair_panel(float*, int, float*, float*) { assert(false); }
void pair_column(float*, int, int, float*, float*) { assert(false); }
#endif

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
HWY_EXPORT(pair_panel);
HWY_EXPORT(pair_column);
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
    assert(can_copy(of));
    if (of.b->is_by_pairs()) return HWY_DYNAMIC_DISPATCH(multiply_by_pairs)(of);
    const RelaxedKernels* relaxed = relaxed_kernels();
    relaxed ? relaxed->multiply_packed(of) : HWY_DYNAMIC_DISPATCH(multiply_packed)(of);
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
    const int first = j / kPanelColumns * kPanelColumns;
    float* panel = packed.cells.data() + static_cast<std::size_t>(j / kPanelColumns) * packed.n_inner * kPanelColumns;
    HWY_DYNAMIC_DISPATCH(renew_column)(b, stride, packed.n_inner, j % kPanelColumns, panel);
    if (packed.is_by_pairs()) {
        HWY_DYNAMIC_DISPATCH(pair_column)
        (panel, packed.n_inner, j - first, packed.scales.data() + first, packed.sums.data() + first * kPairedHalves);
    }
}

} // namespace

void renew_columns(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for (int j = cols.begin; j < cols.end; ++j) renew_column(b + j, stride, j, packed);
}

void renew_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for (int j = cols.begin; j < cols.end; ++j) renew_column(b + j * stride, 1, j, packed);
}

void make_panels(int n_inner, int n_cols, PanelMatrix& packed, Summing summing) {
    packed.n_inner = n_inner;
    packed.n_cols = n_cols;
    packed.elsewhere = nullptr;
    packed.cells.resize(static_cast<std::size_t>(packed.n_panels()) * static_cast<std::size_t>(n_inner) *
                        kPanelColumns);
    const bool is_by_pairs = summing == Summing::by_pairs;
    assert(!is_by_pairs || (can_sum_by_pairs() && n_inner <= kMostPairedSteps));
    const std::size_t n_lines = is_by_pairs ? static_cast<std::size_t>(packed.n_panels()) * kPanelColumns : 0;
    packed.scales.resize(n_lines);
    packed.sums.resize(n_lines * kPairedHalves);
}

bool can_sum_by_pairs() { return HWY_DYNAMIC_DISPATCH(has_pairs)(); }

namespace {

std::optional<Summing> preferred_summing;

// Two units for sums beside two that multiply and add: Zen, from the first on.
bool has_units_for_sums() {
#if HWY_ARCH_X86
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

} // namespace

void prefer_summing(std::optional<Summing> summing) { preferred_summing = summing; }

Summing faster_summing(int n_rows, int n_inner, int n_cols) {
    // Laying a row or a column out takes half as long again as in order.
    constexpr int kLeastSteps = 32, kLeastRows = 128, kLeastColumns = 256;
    const bool is_large = n_rows >= kLeastRows && n_inner >= kLeastSteps && n_cols >= kLeastColumns;
    if (!is_large || n_inner > kMostPairedSteps || !can_sum_by_pairs()) return Summing::in_order;
    return preferred_summing.value_or(has_units_for_sums() ? Summing::by_pairs : Summing::in_order);
}

namespace {

// Calls f(panel, its first column, its number of columns), which lays it out in order.
template <class Function> void lay_out_panels(Range cols, PanelMatrix& packed, Function f) {
    const std::size_t n_panel_cells = static_cast<std::size_t>(packed.n_inner) * kPanelColumns;
    for (int first = cols.begin; first < cols.end; first += kPanelColumns) {
        float* panel = packed.cells.data() + static_cast<std::size_t>(first / kPanelColumns) * n_panel_cells;
        f(panel, first, std::min(kPanelColumns, cols.end - first));
        if (!packed.is_by_pairs()) continue;
        HWY_DYNAMIC_DISPATCH(pair_panel)
        (panel, packed.n_inner, packed.scales.data() + first, packed.sums.data() + first * kPairedHalves);
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

void pack_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed) {
    make_panels(n_inner, n_cols, packed);
    pack_rows(b, stride, {0, n_cols}, packed);
}

void pack_transposed(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed) {
    make_panels(n_inner, n_cols, packed);
    pack_transposed(b, stride, {0, n_cols}, packed);
}

bool refer_to_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed) {
    if (n_cols != kPanelColumns || stride != kPanelColumns) return false;
    if (n_inner > kNearRows && strip_columns() != kPanelColumns) return false;
    packed = {n_inner, n_cols, {}, {}, {}, b};
    return true;
}

} // namespace lab
#endif
