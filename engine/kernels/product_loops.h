// The loops of a product, for one set of instructions: included by what has said before, in the same namespace, which vectors
// there are (D, Vector, kLanes), how large a tile is (kTileRows × kTileVectors, as the registers hold) and how to
// `multiply_add`. Without a guard, since it is included once for every set.
#include <algorithm>

#include "engine/kernels/product.h"
#include "engine/kernels/product_tiles.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

// A panel's last columns, where they are fewer than it has: single vectors, of which C may not hold the last as a whole.
template <class Tiles, int kRows, bool kGoesOn>
HWY_NOINLINE void last_tiles(const PanelProduct& of, int row, int col, TileCells to) {
    constexpr Manner kManner{kGoesOn, false};
    for (; col + kLanes <= of.n_cols; col += kLanes, to.first += kLanes)
        Tiles::template tile<kRows, 1, kManner>(of, row, col, to);
    const int rest = of.n_cols - col;
    if (rest == 0) return;
    HWY_ALIGN float edge[kRows * kLanes];
    for (int i = 0; i < kRows; ++i) std::copy_n(to.first + i * to.stride, rest, edge + i * kLanes);
    Tiles::template tile<kRows, 1, kManner>(of, row, col, {edge, kLanes});
    for (int i = 0; i < kRows; ++i) std::copy_n(edge + i * kLanes, rest, to.first + i * to.stride);
}

// So many rows of tiles side by side.
template <class Tiles, int kRows, Manner kManner> HWY_INLINE void rows(const PanelProduct& of, int row) {
    const std::ptrdiff_t stride = of.c_stride; // else read anew after every store, which it might have changed
    float* c = of.c + row * stride;
    int col = 0;
    for (; col + kTileColumns <= of.n_cols; col += kTileColumns)
        Tiles::template tile<kRows, kTileVectors, kManner>(of, row, col, {c + col, stride});
    if (col < of.n_cols) last_tiles<Tiles, kRows, kManner.goes_on>(of, row, col, {c + col, stride});
}

template <class Tiles, bool kGoesOn, bool kAsksAhead> HWY_NOINLINE void multiply_panel(const PanelProduct& of) {
    constexpr Manner kManner{kGoesOn, kAsksAhead};
    int i = 0;
    for (; i + Tiles::kMostRows <= of.n_rows; i += Tiles::kMostRows) rows<Tiles, Tiles::kMostRows, kManner>(of, i);
    // What is left, in halves: a single row would wait for its own sums.
    if constexpr (Tiles::kMostRows > 4) {
        if (i + 4 <= of.n_rows) rows<Tiles, 4, kManner>(of, i), i += 4;
    }
    if (i + 2 <= of.n_rows) rows<Tiles, 2, kManner>(of, i), i += 2;
    if (i < of.n_rows) rows<Tiles, 1, kManner>(of, i);
}

template <class Tiles> HWY_INLINE void multiply_panel(const PanelProduct& of, Manner manner) {
    const bool asks = kCanAskAhead && manner.asks_ahead;
    if constexpr (Tiles::kHasSeveralChains) {
        if (manner.goes_on)
            return asks ? multiply_panel<Tiles, true, kCanAskAhead>(of) : multiply_panel<Tiles, true, false>(of);
    }
    asks ? multiply_panel<Tiles, false, kCanAskAhead>(of) : multiply_panel<Tiles, false, false>(of);
}

// Rows that stay in the second cache.
constexpr int kRowsPart = 192;

// Copies, where tiles do not (kCanAskAhead).
void copy_rows(const PackedProduct& of) {
    for (int i = 0; i < of.n_rows; ++i) {
        const float* a = of.a + i * of.a_stride;
        const float* c = of.c + i * of.c_stride;
        if (of.copy_of_a) std::copy_n(a, of.b->n_inner, of.copy_of_a + i * of.a_stride);
        if (of.copy_of_c) std::copy_n(c, of.cols.size(), of.copy_of_c + i * of.c_stride);
    }
}

// Some rows (kRowsPart; by pairs those of a strip, as they were laid out): 1. panels, 2. chains, 3. tiles.
template <class Tiles>
void multiply_rows(const PackedProduct& of, int first, int n_rows, const PairedLines& rows_of_a = {}) {
    const PanelMatrix& b = *of.b;
    const int first_panel = of.cols.begin / kPanelColumns;
    const bool is_far = static_cast<std::ptrdiff_t>(b.n_inner) * b.n_cols > kNearCells;
    const bool asks_ahead = is_far || of.next || of.copy_of_c || of.copy_of_a;
    const std::ptrdiff_t b_stride = b.elsewhere ? kPanelColumns : kStripColumns;
    const std::ptrdiff_t b_strip_stride = b.elsewhere ? kStripColumns : b.n_inner * b_stride;
    const std::ptrdiff_t panel_cells = static_cast<std::ptrdiff_t>(b.n_inner) * kPanelColumns;
    for (int p = first_panel; p * kPanelColumns < of.cols.end; ++p) {
        const int first_col = p * kPanelColumns;
        const auto in_c = [&](auto* cells) {
            return cells ? cells + first * of.c_stride + (first_col - of.cols.begin) : nullptr;
        };
        for (int k = 0; k < b.n_inner; k += kChain) {
            const int n_inner = std::min(kChain, b.n_inner - k);
            // The strips' next chain, or the next panel.
            const std::ptrdiff_t following = k + n_inner < b.n_inner ? n_inner * b_stride : panel_cells - k * b_stride;
            const std::ptrdiff_t in_a = first * of.a_stride + k;
            const bool is_first_panel = p == first_panel, is_last_chain = k + n_inner == b.n_inner;
            const PanelProduct part{.a = of.a + in_a,
                                    .a_stride = of.a_stride,
                                    .n_rows = n_rows,
                                    .b = b.panel(p) + k * b_stride,
                                    .b_stride = b_stride,
                                    .b_strip_stride = b_strip_stride,
                                    .b_following = following,
                                    .n_inner = n_inner,
                                    .c = in_c(of.c),
                                    .c_stride = of.c_stride,
                                    .next = in_c(of.next),
                                    .n_cols = std::min(kPanelColumns, of.cols.end - first_col),
                                    .is_far = is_far,
                                    .copy_of_c = is_last_chain ? in_c(of.copy_of_c) : nullptr,
                                    .copy_of_a = of.copy_of_a && is_first_panel ? of.copy_of_a + in_a : nullptr,
                                    .rows_of_a = rows_of_a,
                                    .columns_of_b = Tiles::columns(b, p)};
            multiply_panel<Tiles>(part, {k > 0, asks_ahead});
        }
    }
}

void finish_copies(const PackedProduct& of) {
    if (!of.copy_of_c && !of.copy_of_a) return;
    if constexpr (kCanAskAhead)
        hwy::FlushStream();
    else
        copy_rows(of);
}

void multiply_packed(const PackedProduct& of) {
    for (int first = 0; first < of.n_rows; first += kRowsPart)
        multiply_rows<InOrder>(of, first, std::min(kRowsPart, of.n_rows - first));
    finish_copies(of);
}

// kVectors·kLanes cells of C, from column j of row i on.
template <int kVectors> HWY_INLINE void cells_unpacked(const PlainProduct<float>& of, int i, int j) {
    const D d;
    const float* a = of.a + i * of.a_stride;
    const float* HWY_RESTRICT b = of.b + j;
    float* HWY_RESTRICT c = of.c + i * of.c_stride + j;
    for (int first = 0; first < of.n_inner; first += kChain) {
        Vector sums[kVectors];
        HWY_UNROLL(8) for (int v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
        for (int k = first; k < std::min(first + kChain, of.n_inner); ++k, b += of.b_stride_k) {
            const Vector of_a = hn::Set(d, a[k]);
            HWY_UNROLL(8)
            for (int v = 0; v < kVectors; ++v) sums[v] = multiply_add(of_a, hn::LoadU(d, b + v * kLanes), sums[v]);
        }
        HWY_UNROLL(8) for (int v = 0; v < kVectors; ++v) {
            float* cells = c + v * kLanes;
            hn::StoreU(first > 0 ? hn::Add(hn::LoadU(d, cells), sums[v]) : sums[v], d, cells);
        }
    }
}

void multiply_unpacked(const PlainProduct<float>& of) {
    constexpr int kVectors = 8;
    static_assert(kLanes <= kLeastColumnsUnpacked);
    for (int i = 0; i < of.n_rows; ++i) {
        int j = 0;
        for (; j + kVectors * kLanes <= of.n_cols; j += kVectors * kLanes) cells_unpacked<kVectors>(of, i, j);
        for (; j + kLanes <= of.n_cols; j += kLanes) cells_unpacked<1>(of, i, j);
        // The last vector takes some cells again: it begins all of them from their first chain.
        if (j < of.n_cols) cells_unpacked<1>(of, i, of.n_cols - kLanes);
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
