// The loops of a product, for one set of instructions: included by what has said before, in the same namespace, which vectors
// there are (D, Vector, kLanes), how large a tile is (kTileRows × kTileVectors, as the registers hold) and how to
// `multiply_add`. Without a guard, since it is included once for every set.
#include <algorithm>

#include "engine/kernels/product.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

constexpr int kTileColumns = kTileVectors * kLanes;
// Of a panel's strip: as many as a tile's, but at least the four that are turned at once.
constexpr int kStripColumns = std::max(4, kTileColumns);
static_assert(kPanelColumns % kStripColumns == 0 && kStripColumns % 4 == 0 && kStripColumns % kTileColumns == 0);

// WebAssembly has no instruction that asks for memory ahead; before AVX2 it was not measured.
constexpr bool kCanAskAhead = HWY_TARGET <= HWY_AVX2;
// A panel matrix of more cells does not stay in the second cache.
constexpr std::ptrdiff_t kNearCells = 128 * 1024;
constexpr int kLineCells = 16;

// What a panel, or a part of its rows, adds to C. Strides count floats from row to row.
struct PanelProduct {
    const float* a;
    std::ptrdiff_t a_stride;
    int n_rows;
    const float* b; // of the first strip
    std::ptrdiff_t b_stride;
    std::ptrdiff_t b_strip_stride; // floats from strip to strip
    std::ptrdiff_t b_following;    // floats to what is multiplied next
    int n_inner;
    float* c;
    std::ptrdiff_t c_stride;
    const float* next; // or none
    int n_cols;
    bool is_far;      // B does not stay in the second cache
    float* copy_of_c; // of the last chain, or none
    float* copy_of_a; // of the first panel, or none
};

// The columns of B from `col` on.
HWY_INLINE const float* part_of_b(const PanelProduct& of, int col) {
    return of.b + col / kStripColumns * of.b_strip_stride + col % kStripColumns;
}

// How a tile's sums begin and what is done to memory meanwhile.
struct Manner {
    bool goes_on; // C holds the sum of the chains before
    // B lies farther than the second cache, or C and what is written next farther than the third, or there are copies.
    bool asks_ahead;
};

// Asks for what is needed later, while a tile's chains are computed: the cells of C of the tile below, its share of the following
// part of B, which lies behind this one, and what will be written in the tile's place when C is done: softmax writes faster than
// memory comes. A tile's own cells would be asked for too late where another thread shares the core.
template <int kRows, int kColumns> struct Ahead {
    const float* b;
    int n_lines; // of B, for as many steps as a line has cells
    const float* c;
    const float* next;
    std::ptrdiff_t c_stride;

    Ahead(const PanelProduct& of, int row, int col)
        : b(part_of_b(of, col) + of.b_following +
            static_cast<std::ptrdiff_t>(of.n_inner) * (kStripColumns * row / of.n_rows)),
          n_lines(of.is_far ? (kRows * kStripColumns + of.n_rows - 1) / of.n_rows : 0),
          c(of.c + (row + kRows) * of.c_stride + col), next(of.next ? of.next + row * of.c_stride + col : nullptr),
          c_stride(of.c_stride) {}

    // At step k of the chains.
    HWY_INLINE void ask(int k) {
        constexpr int kToSecondCache = 2;
        for (int line = 0; line < n_lines; ++line, b += kLineCells) __builtin_prefetch(b, 0, kToSecondCache);
        if (k >= kColumns) return;
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) __builtin_prefetch(c + i * c_stride + k);
        if (!next) return;
        HWY_UNROLL(16)
        for (int i = 0; i < kRows; ++i) __builtin_prefetch(next + i * c_stride + k, 1, kToSecondCache);
    }
};

// Past the caches a line of each row of A, from step k on: beside the products, since memory takes them more slowly than they could be
// copied. By the tile that begins a row.
template <int kRows> HWY_INLINE void copy_line_of_a(const PanelProduct& of, int row, int col, int k) {
    if (!of.copy_of_a || col > 0) return;
    const D d;
    const std::ptrdiff_t first = row * of.a_stride + k;
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        for (int j = 0; j < kLineCells; j += kLanes) {
            const std::ptrdiff_t cell = first + i * of.a_stride + j;
            hn::Stream(hn::LoadU(d, of.a + cell), d, of.copy_of_a + cell);
        }
    }
}

// One tile: kRows × kVectors·kLanes cells, a chain for each.
template <int kRows, int kVectors, Manner kManner> HWY_INLINE void tile(const PanelProduct& of, int row, int col) {
    const D d;
    const float* HWY_RESTRICT a = of.a + row * of.a_stride;
    const float* HWY_RESTRICT b = part_of_b(of, col);
    Vector sums[kRows][kVectors];
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums[i][v] = hn::Zero(d);
    }
    const auto step = [&](int k) HWY_ATTR {
        Vector of_b[kVectors];
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) of_b[v] = hn::LoadU(d, b + v * kLanes);
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const Vector of_a = hn::Set(d, a[i * of.a_stride + k]);
            HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums[i][v] = multiply_add(of_a, of_b[v], sums[i][v]);
        }
        b += of.b_stride;
    };
    int k = 0;
    if constexpr (kManner.asks_ahead) {
        Ahead<kRows, kVectors * kLanes> ahead(of, row, col);
        for (; k + kLineCells <= of.n_inner; k += kLineCells) {
            ahead.ask(k);
            copy_line_of_a<kRows>(of, row, col, k);
            for (int of_line = 0; of_line < kLineCells; ++of_line) step(k + of_line);
        }
    }
    for (; k < of.n_inner; ++k) step(k);
    const std::ptrdiff_t c_stride = of.c_stride; // else read anew after every store, which it might have changed
    float* HWY_RESTRICT c = of.c + row * c_stride + col;
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            float* cells = c + i * c_stride + v * kLanes;
            if (kManner.goes_on) sums[i][v] = hn::Add(hn::LoadU(d, cells), sums[i][v]);
            hn::StoreU(sums[i][v], d, cells);
        }
    }
    if (!kManner.asks_ahead || !of.copy_of_c) return;
    float* HWY_RESTRICT copy = of.copy_of_c + row * c_stride + col;
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16)
        for (int v = 0; v < kVectors; ++v) hn::Stream(sums[i][v], d, copy + i * c_stride + v * kLanes);
    }
}

// A panel's last columns, where they are fewer than it has: single vectors, of which C may not hold the last as a whole.
template <int kRows, bool kGoesOn> HWY_NOINLINE void last_tiles(const PanelProduct& of, int row, int col) {
    constexpr Manner kManner{kGoesOn, false};
    for (; col + kLanes <= of.n_cols; col += kLanes) tile<kRows, 1, kManner>(of, row, col);
    const int rest = of.n_cols - col;
    if (rest == 0) return;
    HWY_ALIGN float edge[kRows * kLanes];
    PanelProduct of_edge = of;
    of_edge.a += row * of.a_stride;
    of_edge.b = part_of_b(of, col);
    of_edge.c = edge;
    of_edge.c_stride = kLanes;
    float* c = of.c + row * of.c_stride + col;
    for (int i = 0; i < kRows; ++i) std::copy_n(c + i * of.c_stride, rest, edge + i * kLanes);
    tile<kRows, 1, kManner>(of_edge, 0, 0);
    for (int i = 0; i < kRows; ++i) std::copy_n(edge + i * kLanes, rest, c + i * of.c_stride);
}

// So many rows of tiles side by side.
template <int kRows, Manner kManner> HWY_INLINE void rows(const PanelProduct& of, int row) {
    int col = 0;
    for (; col + kTileColumns <= of.n_cols; col += kTileColumns) tile<kRows, kTileVectors, kManner>(of, row, col);
    if (col < of.n_cols) last_tiles<kRows, kManner.goes_on>(of, row, col);
}

template <bool kGoesOn, bool kAsksAhead> HWY_NOINLINE void multiply_panel(const PanelProduct& of) {
    constexpr Manner kManner{kGoesOn, kAsksAhead};
    int i = 0;
    for (; i + kTileRows <= of.n_rows; i += kTileRows) rows<kTileRows, kManner>(of, i);
    // What is left, in halves: a single row would wait for its own sums.
    if constexpr (kTileRows > 4) {
        if (i + 4 <= of.n_rows) rows<4, kManner>(of, i), i += 4;
    }
    if (i + 2 <= of.n_rows) rows<2, kManner>(of, i), i += 2;
    if (i < of.n_rows) rows<1, kManner>(of, i);
}

HWY_INLINE void multiply_panel(const PanelProduct& of, Manner manner) {
    if constexpr (kCanAskAhead) {
        if (manner.asks_ahead) return manner.goes_on ? multiply_panel<true, true>(of) : multiply_panel<false, true>(of);
    }
    manner.goes_on ? multiply_panel<true, false>(of) : multiply_panel<false, false>(of);
}

// Passes: rows that stay in the second cache; panels; chains; tiles.
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

void multiply_packed(const PackedProduct& of) {
    const PanelMatrix& b = *of.b;
    const int first_panel = of.cols.begin / kPanelColumns;
    const bool is_far = static_cast<std::ptrdiff_t>(b.n_inner) * b.n_cols > kNearCells;
    const bool asks_ahead = is_far || of.next || of.copy_of_c || of.copy_of_a;
    const std::ptrdiff_t b_stride = b.elsewhere ? kPanelColumns : kStripColumns;
    const std::ptrdiff_t b_strip_stride = b.elsewhere ? kStripColumns : b.n_inner * b_stride;
    const std::ptrdiff_t panel_cells = static_cast<std::ptrdiff_t>(b.n_inner) * kPanelColumns;
    for (int first = 0; first < of.n_rows; first += kRowsPart) {
        for (int p = first_panel; p * kPanelColumns < of.cols.end; ++p) {
            const int first_col = p * kPanelColumns;
            const auto in_c = [&](auto* cells) {
                return cells ? cells + first * of.c_stride + (first_col - of.cols.begin) : nullptr;
            };
            for (int k = 0; k < b.n_inner; k += kChain) {
                const int n_inner = std::min(kChain, b.n_inner - k);
                // The strips' next chain, or the next panel.
                const std::ptrdiff_t following =
                    k + n_inner < b.n_inner ? n_inner * b_stride : panel_cells - k * b_stride;
                const std::ptrdiff_t in_a = first * of.a_stride + k;
                const bool is_first_panel = p == first_panel, is_last_chain = k + n_inner == b.n_inner;
                const PanelProduct part{.a = of.a + in_a,
                                        .a_stride = of.a_stride,
                                        .n_rows = std::min(kRowsPart, of.n_rows - first),
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
                                        .copy_of_a = of.copy_of_a && is_first_panel ? of.copy_of_a + in_a : nullptr};
                multiply_panel(part, {k > 0, asks_ahead});
            }
        }
    }
    if (!of.copy_of_c && !of.copy_of_a) return;
    if constexpr (kCanAskAhead)
        hwy::FlushStream();
    else
        copy_rows(of);
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
