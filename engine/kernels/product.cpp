#include "engine/kernels/product.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/product.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
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

// One tile: kRows × kVectors·kLanes cells, over n_inner steps of the chain. `goes_on`: C holds the chain so far.
template <int kRows, int kVectors>
HWY_INLINE void tile(const float* HWY_RESTRICT a, std::ptrdiff_t a_stride, const float* HWY_RESTRICT b, int n_inner,
                     float* HWY_RESTRICT c, std::ptrdiff_t c_stride, bool goes_on) {
    const D d;
    Vector sums[kRows][kVectors];
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            sums[i][v] = goes_on ? hn::LoadU(d, c + i * c_stride + v * kLanes) : hn::Zero(d);
        }
    }
    const float* rows[kRows];
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) rows[i] = a + i * a_stride;
    for (int k = 0; k < n_inner; ++k) {
        Vector of_b[kVectors];
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) of_b[v] = hn::LoadU(d, b + v * kLanes);
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const Vector of_a = hn::Set(d, rows[i][k]);
            HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums[i][v] = hn::MulAdd(of_a, of_b[v], sums[i][v]);
        }
        b += kPanelColumns;
    }
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) hn::StoreU(sums[i][v], d, c + i * c_stride + v * kLanes);
    }
}

template <int kRows>
HWY_INLINE void tiles(const float* a, std::ptrdiff_t a_stride, const float* b, int n_inner, int n_vectors, float* c,
                      std::ptrdiff_t c_stride, bool goes_on) {
    int v = 0;
    for (; v + kTileVectors <= n_vectors; v += kTileVectors)
        tile<kRows, kTileVectors>(a, a_stride, b + v * kLanes, n_inner, c + v * kLanes, c_stride, goes_on);
    for (; v < n_vectors; ++v) tile<kRows, 1>(a, a_stride, b + v * kLanes, n_inner, c + v * kLanes, c_stride, goes_on);
}

// A panel's part of C: n_cols of its columns.
HWY_NOINLINE void multiply_panel(const float* a, std::ptrdiff_t a_stride, int n_rows, const float* b, int n_inner,
                                 float* c, std::ptrdiff_t c_stride, int n_cols, bool goes_on) {
    int i = 0;
    const int whole = n_cols / kLanes;
    const int rest = n_cols - whole * kLanes;
    const auto rows = [&](auto n) {
        constexpr int kRows = decltype(n)::value;
        const float* a_rows = a + i * a_stride;
        float* c_rows = c + i * c_stride;
        tiles<kRows>(a_rows, a_stride, b, n_inner, whole, c_rows, c_stride, goes_on);
        if (rest > 0) {
            float edge[kRows * kLanes];
            for (int r = 0; r < kRows; ++r)
                std::copy_n(c_rows + r * c_stride + whole * kLanes, rest, edge + r * kLanes);
            tile<kRows, 1>(a_rows, a_stride, b + whole * kLanes, n_inner, edge, kLanes, goes_on);
            for (int r = 0; r < kRows; ++r)
                std::copy_n(edge + r * kLanes, rest, c_rows + r * c_stride + whole * kLanes);
        }
        i += kRows;
    };
    while (i + kTileRows <= n_rows) rows(std::integral_constant<int, kTileRows>());
    // What is left, in halves: a single row would wait for its own sums.
    if constexpr (kTileRows > 4) {
        if (i + 4 <= n_rows) rows(std::integral_constant<int, 4>());
    }
    if (i + 2 <= n_rows) rows(std::integral_constant<int, 2>());
    if (i < n_rows) rows(std::integral_constant<int, 1>());
}

// Passes: panels; parts of the inner dimension; tiles. Where a tile is narrower than a panel, which is read once for each tile of
// a row, a part of the panel stays in the first cache; else the second is fast enough, and sums need not be stored in between.
constexpr int kInnerPart = kTileVectors * kLanes < kPanelColumns ? 128 : 4096;
constexpr int kRowsPart = 48;

void multiply_rows(const float* a, std::ptrdiff_t a_stride, int n_rows, const PanelMatrix& b, float* c,
                   std::ptrdiff_t c_stride) {
    for (int first = 0; first < n_rows; first += kRowsPart) {
        const int n = std::min(kRowsPart, n_rows - first);
        for (int p = 0; p < b.n_panels(); ++p) {
            const int n_cols = std::min(kPanelColumns, b.n_cols - p * kPanelColumns);
            for (int k = 0; k < b.n_inner; k += kInnerPart) {
                const int n_inner = std::min(kInnerPart, b.n_inner - k);
                multiply_panel(a + first * a_stride + k, a_stride, n, b.panel(p) + k * kPanelColumns, n_inner,
                               c + first * c_stride + p * kPanelColumns, c_stride, n_cols, k > 0);
            }
        }
    }
}

const char* instruction_set() { return hwy::TargetName(HWY_TARGET); }
bool rounds_once() { return HWY_TARGET <= HWY_AVX2; }

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lab {

HWY_EXPORT(multiply_rows);
HWY_EXPORT(instruction_set);
HWY_EXPORT(rounds_once);

void multiply_rows(const float* a, std::ptrdiff_t a_stride, int n_rows, const PanelMatrix& b, float* c,
                   std::ptrdiff_t c_stride) {
    HWY_DYNAMIC_DISPATCH(multiply_rows)(a, a_stride, n_rows, b, c, c_stride);
}
const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(instruction_set)(); }
bool rounds_once() { return HWY_DYNAMIC_DISPATCH(rounds_once)(); }

void pack_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed) {
    packed.n_inner = n_inner;
    packed.n_cols = n_cols;
    packed.cells.resize(static_cast<std::size_t>(packed.n_panels()) * n_inner * kPanelColumns);
    for (int p = 0; p < packed.n_panels(); ++p) {
        float* panel = packed.cells.data() + static_cast<std::size_t>(p) * n_inner * kPanelColumns;
        const int n = std::min(kPanelColumns, n_cols - p * kPanelColumns);
        for (int k = 0; k < n_inner; ++k) {
            const float* from = b + k * stride + p * kPanelColumns;
            float* to = panel + k * kPanelColumns;
            std::copy_n(from, n, to);
            std::fill(to + n, to + kPanelColumns, 0.0f);
        }
    }
}

void pack_transposed(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed) {
    packed.n_inner = n_inner;
    packed.n_cols = n_cols;
    packed.cells.assign(static_cast<std::size_t>(packed.n_panels()) * n_inner * kPanelColumns, 0.0f);
    for (int p = 0; p < packed.n_panels(); ++p) {
        float* panel = packed.cells.data() + static_cast<std::size_t>(p) * n_inner * kPanelColumns;
        const int n = std::min(kPanelColumns, n_cols - p * kPanelColumns);
        // 8 × 8 blocks
        for (int k0 = 0; k0 < n_inner; k0 += 16)
            for (int j = 0; j < n; ++j) {
                const float* from = b + (p * kPanelColumns + j) * stride;
                for (int k = k0; k < std::min(k0 + 16, n_inner); ++k) panel[k * kPanelColumns + j] = from[k];
            }
    }
}

} // namespace lab
#endif
