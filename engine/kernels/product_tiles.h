// The tiles of a product, for one set of instructions, and what they do to memory meanwhile: included by product_loops.h. Without a
// guard, since it is included once for every set.
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
        : b_(part_of_b(of, col) + of.b_following +
             static_cast<std::ptrdiff_t>(of.n_inner) * (kStripColumns * row / of.n_rows)),
          n_lines_(of.is_far ? (kRows * kStripColumns * kSteps / kLineCells + of.n_rows - 1) / of.n_rows : 0),
          c_(of.c + (row + kRows) * of.c_stride + col), next_(of.next ? of.next + row * of.c_stride + col : nullptr),
          c_stride_(of.c_stride) {}

    HWY_INLINE void ask_for_b() {
        for (int line = 0; line < n_lines_; ++line, b_ += kLineCells) __builtin_prefetch(b_, 0, kToSecondCache);
    }
    // For a line of C's cells, from column `first` on.
    HWY_INLINE void ask_for_c(int i, int first) {
        __builtin_prefetch(c_ + i * c_stride_ + first);
        if (next_) __builtin_prefetch(next_ + i * c_stride_ + first, 1, kToSecondCache);
    }

  private:
    static constexpr int kToSecondCache = 2;

    const float* b_;
    int n_lines_; // of B, for kSteps steps
    const float* c_;
    const float* next_;
    std::ptrdiff_t c_stride_;
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
    static constexpr bool kHasSeveralChains = true;
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

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
