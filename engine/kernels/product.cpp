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

// WebAssembly has no instruction that asks for memory ahead.
constexpr bool kCanAskAhead = HWY_TARGET <= HWY_AVX2;
// A panel matrix of more cells does not stay in the second cache, and of what has longer rows C does not.
constexpr std::ptrdiff_t kNearCells = 128 * 1024;
constexpr int kNearColumns = 512;
constexpr int kLineCells = 16;

// What a panel, or a part of its rows, adds to C. Strides count floats from row to row.
struct PanelProduct {
    const float* a;
    std::ptrdiff_t a_stride;
    int n_rows;
    const float* b;
    int n_inner;
    float* c;
    std::ptrdiff_t c_stride;
    int n_cols;
    bool is_far; // B does not stay in the second cache
};

// How a tile's sums begin and what is asked for meanwhile.
struct Manner {
    bool goes_on;    // C holds the sum of the chains before
    bool asks_ahead; // B or C lies farther than the second cache
};

// Asks for what is worked on next, while a tile is: its share of the following part of B, which lies behind this one, and C
// beside the tile.
template <int kRows, int kColumns> struct Ahead {
    const float* b;
    int n_lines; // of B, for as many steps as a line has cells
    const float* c;
    std::ptrdiff_t c_stride;

    Ahead(const PanelProduct& of, int row, int col)
        : b(of.b + static_cast<std::ptrdiff_t>(of.n_inner) * (kPanelColumns + kPanelColumns * row / of.n_rows)),
          n_lines(of.is_far && col == 0 ? (kRows * kPanelColumns + of.n_rows - 1) / of.n_rows : 0),
          c(of.c + row * of.c_stride + col + kPanelColumns), c_stride(of.c_stride) {}

    // At step k of the chains.
    HWY_INLINE void ask(int k) {
        constexpr int kToSecondCache = 2;
        for (int line = 0; line < n_lines; ++line, b += kLineCells) __builtin_prefetch(b, 0, kToSecondCache);
        if (k >= kColumns) return;
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) __builtin_prefetch(c + i * c_stride + k);
    }
};

// One tile: kRows × kVectors·kLanes cells, a chain for each.
template <int kRows, int kVectors, Manner kManner> HWY_INLINE void tile(const PanelProduct& of, int row, int col) {
    const D d;
    const float* HWY_RESTRICT a = of.a + row * of.a_stride;
    const float* HWY_RESTRICT b = of.b + col;
    Vector sums[kRows][kVectors];
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums[i][v] = hn::Zero(d);
    }
    const auto step = [&](int k) HWY_ATTR {
        Vector of_b[kVectors];
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) of_b[v] = hn::LoadU(d, b + v * kLanes);
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const Vector of_a = hn::Set(d, a[i * of.a_stride + k]);
            HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums[i][v] = hn::MulAdd(of_a, of_b[v], sums[i][v]);
        }
        b += kPanelColumns;
    };
    int k = 0;
    if constexpr (kManner.asks_ahead) {
        Ahead<kRows, kVectors * kLanes> ahead(of, row, col);
        for (; k + kLineCells <= of.n_inner; k += kLineCells) {
            ahead.ask(k);
            HWY_UNROLL(16) for (int of_line = 0; of_line < kLineCells; ++of_line) step(k + of_line);
        }
    }
    for (; k < of.n_inner; ++k) step(k);
    float* HWY_RESTRICT c = of.c + row * of.c_stride + col;
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            float* cells = c + i * of.c_stride + v * kLanes;
            hn::StoreU(kManner.goes_on ? hn::Add(hn::LoadU(d, cells), sums[i][v]) : sums[i][v], d, cells);
        }
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
    of_edge.b += col;
    of_edge.c = edge;
    of_edge.c_stride = kLanes;
    float* c = of.c + row * of.c_stride + col;
    for (int i = 0; i < kRows; ++i) std::copy_n(c + i * of.c_stride, rest, edge + i * kLanes);
    tile<kRows, 1, kManner>(of_edge, 0, 0);
    for (int i = 0; i < kRows; ++i) std::copy_n(edge + i * kLanes, rest, c + i * of.c_stride);
}

// So many rows of tiles side by side.
template <int kRows, Manner kManner> HWY_INLINE void rows(const PanelProduct& of, int row) {
    constexpr int kTileColumns = kTileVectors * kLanes;
    int col = 0;
    for (; col + kTileColumns <= of.n_cols; col += kTileColumns) tile<kRows, kTileVectors, kManner>(of, row, col);
    if (col < of.n_cols) last_tiles<kRows, kManner.goes_on>(of, row, col);
}

template <bool kGoesOn, bool kAsksAhead> HWY_NOINLINE void multiply_panel(const PanelProduct& of) {
    constexpr Manner kOfTiles{kGoesOn, kAsksAhead}, kOfRest{kGoesOn, false};
    int i = 0;
    for (; i + kTileRows <= of.n_rows; i += kTileRows) rows<kTileRows, kOfTiles>(of, i);
    // What is left, in halves: a single row would wait for its own sums.
    if constexpr (kTileRows > 4) {
        if (i + 4 <= of.n_rows) rows<4, kOfRest>(of, i), i += 4;
    }
    if (i + 2 <= of.n_rows) rows<2, kOfRest>(of, i), i += 2;
    if (i < of.n_rows) rows<1, kOfRest>(of, i);
}

HWY_INLINE void multiply_panel(const PanelProduct& of, Manner manner) {
    if constexpr (kCanAskAhead) {
        if (manner.asks_ahead) return manner.goes_on ? multiply_panel<true, true>(of) : multiply_panel<false, true>(of);
    }
    manner.goes_on ? multiply_panel<true, false>(of) : multiply_panel<false, false>(of);
}

// Passes: rows that stay in the second cache; panels; chains; tiles.
constexpr int kRowsPart = 192;

void multiply_columns(const float* a, std::ptrdiff_t a_stride, int n_rows, const PanelMatrix& b, Range cols, float* c,
                      std::ptrdiff_t c_stride) {
    c -= cols.begin;
    const bool is_far = static_cast<std::ptrdiff_t>(b.n_inner) * b.n_cols > kNearCells;
    const bool asks_ahead = is_far || b.n_cols > kNearColumns;
    for (int first = 0; first < n_rows; first += kRowsPart) {
        for (int p = cols.begin / kPanelColumns; p * kPanelColumns < cols.end; ++p) {
            const int first_col = p * kPanelColumns;
            for (int k = 0; k < b.n_inner; k += kChain) {
                const PanelProduct part{a + first * a_stride + k,
                                        a_stride,
                                        std::min(kRowsPart, n_rows - first),
                                        b.panel(p) + k * kPanelColumns,
                                        std::min(kChain, b.n_inner - k),
                                        c + first * c_stride + first_col,
                                        c_stride,
                                        std::min(kPanelColumns, cols.end - first_col),
                                        is_far};
                multiply_panel(part, {k > 0, asks_ahead});
            }
        }
    }
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
            for (int v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(of_a, hn::LoadU(d, b + v * kLanes), sums[v]);
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

// One panel of B, from its rows.
void pack_panel(const float* HWY_RESTRICT b, std::ptrdiff_t stride, int n_inner, int n_cols,
                float* HWY_RESTRICT panel) {
    const D d;
    for (int k = 0; k < n_inner; ++k, b += stride, panel += kPanelColumns) {
        if (n_cols < kPanelColumns) {
            std::fill(std::copy_n(b, n_cols, panel), panel + kPanelColumns, 0.0f);
            continue;
        }
        for (int j = 0; j < kPanelColumns; j += kLanes) hn::StoreU(hn::LoadU(d, b + j), d, panel + j);
    }
}

// Four columns of a panel, from four rows of Bᵀ, as far as whole blocks go; returns how far.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE int pack_four_columns(const float*, std::ptrdiff_t, int, float*) { return 0; }
#else
HWY_INLINE int pack_four_columns(const float* HWY_RESTRICT b, std::ptrdiff_t stride, int n_inner,
                                 float* HWY_RESTRICT panel) {
    int k = 0;
    const hn::Full128<float> d;
    const hn::Full128<double> d_pairs;
    const auto pairs = [&](auto x) HWY_ATTR { return hn::BitCast(d_pairs, x); };
    for (; k + 4 <= n_inner; k += 4) {
        const auto row0 = hn::LoadU(d, b + k), row1 = hn::LoadU(d, b + stride + k);
        const auto row2 = hn::LoadU(d, b + 2 * stride + k), row3 = hn::LoadU(d, b + 3 * stride + k);
        const auto low01 = pairs(hn::InterleaveLower(d, row0, row1)), low23 = pairs(hn::InterleaveLower(d, row2, row3));
        const auto high01 = pairs(hn::InterleaveUpper(d, row0, row1)),
                   high23 = pairs(hn::InterleaveUpper(d, row2, row3));
        float* to = panel + k * kPanelColumns;
        hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d_pairs, low01, low23)), d, to);
        hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d_pairs, low01, low23)), d, to + kPanelColumns);
        hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d_pairs, high01, high23)), d, to + 2 * kPanelColumns);
        hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d_pairs, high01, high23)), d, to + 3 * kPanelColumns);
    }
    return k;
}
#endif

// One panel of B, from rows of Bᵀ.
void pack_panel_transposed(const float* HWY_RESTRICT b, std::ptrdiff_t stride, int n_inner, int n_cols,
                           float* HWY_RESTRICT panel) {
    for (int j = 0; j < n_cols; j += 4) {
        const int n_columns = std::min(4, n_cols - j);
        const float* rows = b + j * stride;
        int k = n_columns == 4 ? pack_four_columns(rows, stride, n_inner, panel + j) : 0;
        for (; k < n_inner; ++k) {
            for (int column = 0; column < n_columns; ++column)
                panel[k * kPanelColumns + j + column] = rows[column * stride + k];
        }
    }
    for (int k = 0; k < n_inner && n_cols < kPanelColumns; ++k)
        std::fill(panel + k * kPanelColumns + n_cols, panel + (k + 1) * kPanelColumns, 0.0f);
}

const char* instruction_set() { return hwy::TargetName(HWY_TARGET); }
bool rounds_once() { return HWY_TARGET <= HWY_AVX2; }

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lab {

HWY_EXPORT(multiply_columns);
HWY_EXPORT(multiply_unpacked);
HWY_EXPORT(pack_panel);
HWY_EXPORT(pack_panel_transposed);
HWY_EXPORT(instruction_set);
HWY_EXPORT(rounds_once);

void multiply_columns(const float* a, std::ptrdiff_t a_stride, int n_rows, const PanelMatrix& b, Range cols, float* c,
                      std::ptrdiff_t c_stride) {
    HWY_DYNAMIC_DISPATCH(multiply_columns)(a, a_stride, n_rows, b, cols, c, c_stride);
}
void multiply_rows(const float* a, std::ptrdiff_t a_stride, int n_rows, const PanelMatrix& b, float* c,
                   std::ptrdiff_t c_stride) {
    multiply_columns(a, a_stride, n_rows, b, {0, b.n_cols}, c, c_stride);
}
void multiply_unpacked(const PlainProduct<float>& of) { HWY_DYNAMIC_DISPATCH(multiply_unpacked)(of); }
const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(instruction_set)(); }
bool rounds_once() { return HWY_DYNAMIC_DISPATCH(rounds_once)(); }

namespace {

// Column j of B, from `b` on every `stride` floats.
void renew_column(const float* b, std::ptrdiff_t stride, int j, PanelMatrix& packed) {
    if (packed.elsewhere) return; // where the change is already
    float* to = packed.cells.data() + static_cast<std::size_t>(j / kPanelColumns) * packed.n_inner * kPanelColumns +
                j % kPanelColumns;
    for (int k = 0; k < packed.n_inner; ++k) to[k * kPanelColumns] = b[k * stride];
}

} // namespace

void renew_columns(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for (int j = cols.begin; j < cols.end; ++j) renew_column(b + j, stride, j, packed);
}

void renew_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for (int j = cols.begin; j < cols.end; ++j) renew_column(b + j * stride, 1, j, packed);
}

void make_panels(int n_inner, int n_cols, PanelMatrix& packed) {
    packed.n_inner = n_inner;
    packed.n_cols = n_cols;
    packed.elsewhere = nullptr;
    packed.cells.resize(static_cast<std::size_t>(packed.n_panels()) * static_cast<std::size_t>(n_inner) *
                        kPanelColumns);
}

namespace {

// Calls f(panel, its first column, its number of columns).
template <class Function> void for_each_panel(Range cols, PanelMatrix& packed, Function f) {
    const std::size_t n_panel_cells = static_cast<std::size_t>(packed.n_inner) * kPanelColumns;
    for (int first = cols.begin; first < cols.end; first += kPanelColumns) {
        float* panel = packed.cells.data() + static_cast<std::size_t>(first / kPanelColumns) * n_panel_cells;
        f(panel, first, std::min(kPanelColumns, cols.end - first));
    }
}

} // namespace

void pack_rows(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for_each_panel(cols, packed, [&](float* panel, int first, int n) {
        HWY_DYNAMIC_DISPATCH(pack_panel)(b + first, stride, packed.n_inner, n, panel);
    });
}

void pack_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed) {
    for_each_panel(cols, packed, [&](float* panel, int first, int n) {
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
    packed = {n_inner, n_cols, {}, b};
    return true;
}

} // namespace lab
#endif
