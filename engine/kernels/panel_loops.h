// The loops that lay a second factor out in panels, for one set of instructions: included by what has included product_loops.h.
// Without a guard, since it is included once for every set.
#include <algorithm>

#include "engine/kernels/product.h"
#include "hwy/highway.h"

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

// Lines, one after another at `lines`, side by side in strips, from the first strip's first place on.
template <int kStrip>
void pack_lines(const float* HWY_RESTRICT lines, std::ptrdiff_t stride, int n_inner, int n_lines,
                float* HWY_RESTRICT strips) {
    const auto place = [&](int j) { return strips + in_strips<kStrip>(n_inner, j); };
    for (int j = 0; j < n_lines; j += 4) {
        const int n_here = std::min(4, n_lines - j);
        const float* from = lines + j * stride;
        const int n_done = n_here == 4 ? pack_four_columns<kStrip>(from, stride, n_inner, place(j)) : 0;
        for (int k = n_done; k < n_inner; ++k) {
            for (int i = 0; i < n_here; ++i) place(j + i)[k * kStrip] = from[i * stride + k];
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
