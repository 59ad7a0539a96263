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

// Of lines that a product by pairs takes (engine/kernels/pair_loops.h): what they were divided by, and their sums of pairs.
struct PairedLines {
    const float* cells; // A's rows, in a strip
    const float* scales;
    const float* sums;
};

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
    bool is_far;                                   // B does not stay in the second cache
    float* copy_of_c;                              // of the last chain, or none
    float* copy_of_a;                              // of the first panel, or none
    PairedLines rows_of_a = {}, columns_of_b = {}; // by pairs
};

// Where a tile's cells go.
struct TileCells {
    float* first;
    std::ptrdiff_t stride;
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
template <int kRows, int kSteps> class Ahead {
  public:
    Ahead(const PanelProduct& of, int row, int col)
        : b(part_of_b(of, col) + of.b_following +
            static_cast<std::ptrdiff_t>(of.n_inner) * (kStripColumns * row / of.n_rows)),
          n_lines(of.is_far ? (kRows * kStripColumns * kSteps / kLineCells + of.n_rows - 1) / of.n_rows : 0),
          c(of.c + (row + kRows) * of.c_stride + col), next(of.next ? of.next + row * of.c_stride + col : nullptr),
          c_stride(of.c_stride) {}

    HWY_INLINE void ask_for_b() {
        for (int line = 0; line < n_lines; ++line, b += kLineCells) __builtin_prefetch(b, 0, kToSecondCache);
    }
    // For a line of C's cells, from column `first` on.
    HWY_INLINE void ask_for_c(int i, int first) {
        __builtin_prefetch(c + i * c_stride + first);
        if (next) __builtin_prefetch(next + i * c_stride + first, 1, kToSecondCache);
    }

  private:
    static constexpr int kToSecondCache = 2;

    const float* b;
    int n_lines; // of B, for kSteps steps
    const float* c;
    const float* next;
    std::ptrdiff_t c_stride;
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

// A tile's sums become cells, or are added to them.
template <int kRows, int kVectors, Manner kManner>
HWY_INLINE void store_sums(const PanelProduct& of, int row, int col, Vector (&sums)[kRows][kVectors], TileCells to) {
    const D d;
    float* HWY_RESTRICT c = to.first;
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            float* cells = c + i * to.stride + v * kLanes;
            if (kManner.goes_on) sums[i][v] = hn::Add(hn::LoadU(d, cells), sums[i][v]);
            hn::StoreU(sums[i][v], d, cells);
        }
    }
    if (!kManner.asks_ahead || !of.copy_of_c) return;
    float* HWY_RESTRICT copy = of.copy_of_c + row * to.stride + col;
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16)
        for (int v = 0; v < kVectors; ++v) hn::Stream(sums[i][v], d, copy + i * to.stride + v * kLanes);
    }
}

// A tile is kRows × kVectors·kLanes cells. In order: a chain for each.
struct InOrder {
    static constexpr int kMostRows = kTileRows;
    static PairedLines columns(const PanelMatrix&, int) { return {}; }
    template <int kRows, int kVectors, Manner kManner>
    static HWY_INLINE void tile(const PanelProduct& of, int row, int col, TileCells to);
};

template <int kRows, int kVectors, Manner kManner>
HWY_INLINE void InOrder::tile(const PanelProduct& of, int row, int col, TileCells to) {
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
        Ahead<kRows, kLineCells> ahead(of, row, col);
        for (; k + kLineCells <= of.n_inner; k += kLineCells) {
            ahead.ask_for_b();
            if (k < kVectors * kLanes) {
                HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) ahead.ask_for_c(i, k);
            }
            copy_line_of_a<kRows>(of, row, col, k);
            for (int of_line = 0; of_line < kLineCells; ++of_line) step(k + of_line);
        }
    }
    for (; k < of.n_inner; ++k) step(k);
    store_sums<kRows, kVectors, kManner>(of, row, col, sums, to);
}

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
    constexpr int kColumns = kTileVectors * kLanes;
    const std::ptrdiff_t stride = of.c_stride; // else read anew after every store, which it might have changed
    float* c = of.c + row * stride;
    int col = 0;
    for (; col + kColumns <= of.n_cols; col += kColumns)
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
    if constexpr (kCanAskAhead) {
        if (manner.asks_ahead)
            return manner.goes_on ? multiply_panel<Tiles, true, true>(of) : multiply_panel<Tiles, false, true>(of);
    }
    manner.goes_on ? multiply_panel<Tiles, true, false>(of) : multiply_panel<Tiles, false, false>(of);
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

// Some rows, by panels and chains; by pairs these as they were laid out.
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
                                    .columns_of_b = Tiles::columns(b, first_col)};
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
