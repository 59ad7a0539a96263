#pragma once

#include <cstddef>

#include "engine/cells.h"
#include "engine/kernels/plain_product.h"
#include "engine/shape.h"

namespace lab {

// Matrix products in float32, fast: C = A · B with B laid out in panels that the processor's vectors run along.
//
// Every cell is a sum of chains, one for every 256 steps of the inner dimension, added in their order: the error of one chain
// grows with its length. A chain is c = a[i, 0] · b[0, j], c = a[i, k] · b[k, j] + c for k = 1, 2, …, one rounding for each
// product and sum where the processor multiplies and adds in one operation (`rounds_once`), else two. So a cell has the same bits
// however the work is cut into rows, columns and threads.

// Or by pairs (S. Winograd, "A New Algorithm for Inner Product", IEEE Transactions on Computers C-17, 1968): of every three steps the
// first two take one multiply-add, of sums,
//     (a[i, k] + b[k + 1, j]) · (a[i, k + 1] + b[k, j]) =
//         a[i, k] · b[k, j] + a[i, k + 1] · b[k + 1, j] + a[i, k] · a[i, k + 1] + b[k, j] · b[k + 1, j],
// and what the last two products add up to for the row and for the column is subtracted: that of the first ⌊(⌊n / 3⌋ + 1) / 2⌋ triples at the
// beginning, of the others at the end, so that a chain never holds much of it. It is faster where sums have units of their own beside
// those that multiply. A row of A or column of B is first divided by 2^⌊½ log2(2 · its mean square)⌋ (or, where its squares overflow or
// vanish, by the power of two below its greatest number), and the cell multiplied by both. The error, for numbers of one size, is 1.1 to
// 1.2 times that of a sum in order; for any between 1e-37 and 1e35, drawn at random, it is at most 1e-6 · |a[i]| · |b[j]|. In order it is
// bounded by the sum of |a[i, k] · b[k, j]|, which is less where a row and a column have their large numbers in different places. A row or
// column of zeros gives 0, whole numbers up to 64 exact sums, and where in order a cell is infinite it may be NaN.

// Steps of a chain.
inline constexpr int kChain = 256;

// Columns of a panel.
inline constexpr int kPanelColumns = 64;

enum class Summing { in_order, by_pairs };

// Whether there are vectors for it here (AVX-512), and for how many steps.
bool can_sum_by_pairs();
inline constexpr int kMostPairedSteps = 128;

// How a product of these sizes, B from rows of Bᵀ, is the faster: by pairs on AMD's processors, where it is large.
Summing faster_summing(int n_rows, int n_inner, int n_cols);

// B [n_inner × n_cols] in panels: panel p holds columns 64·p … 64·p + 63 (zeros beyond the last), in strips as wide as the kernel's
// tiles (AVX-512: the whole panel; AVX2: 16 columns), one after another; of a strip row k stands behind row k − 1. So what a tile reads
// lies side by side: of rows of a whole panel it would read a line in every four, and a chain of them does not fit into the first cache.
struct PanelMatrix {
    int n_inner = 0;
    int n_cols = 0;
    ScratchCells cells;
    ScratchCells of_pairs;            // by pairs: panel after panel what `scales` and `sums` give; else none
    const float* elsewhere = nullptr; // where B's own rows of 64 are, which then are not laid out in `cells`

    bool is_by_pairs() const { return !of_pairs.empty(); }
    int n_panels() const { return (n_cols + kPanelColumns - 1) / kPanelColumns; }
    const float* panel(int p) const {
        return (elsewhere ? elsewhere : cells.data()) + static_cast<std::size_t>(p) * n_inner * kPanelColumns;
    }
    float* own_panel(int p) { return cells.data() + static_cast<std::size_t>(p) * n_inner * kPanelColumns; }

    // What each column of a panel was divided by (0 for zeros); and the sums of products of its pairs, the first ones' for all columns with
    // a minus, and then the others'.
    const float* scales(int p) const {
        return of_pairs.data() + static_cast<std::size_t>(p) * kPanelColumns * kNumbersOfPairs;
    }
    float* scales(int p) { return of_pairs.data() + static_cast<std::size_t>(p) * kPanelColumns * kNumbersOfPairs; }
    const float* sums(int p) const { return scales(p) + kPanelColumns; }
    float* sums(int p) { return scales(p) + kPanelColumns; }
    static constexpr int kNumbersOfPairs = 3; // of a column
};

// Lays B out, from its rows, or from those of Bᵀ.
void pack_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed);
void pack_transposed(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed);

// The same piece by piece, by any thread: the memory first, and then these columns of B, which begin at a multiple of
// kPanelColumns and end at another or at the last.
void make_panels(int n_inner, int n_cols, PanelMatrix& packed, Summing summing = Summing::in_order);
void pack_rows(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);
void pack_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);

// Copies nothing where B's rows are as good as a panel's strips, which so few (kNearRows) are, and is true: B must then outlive it.
inline constexpr int kNearRows = 64; // of 64 columns: half the first cache
bool refer_to_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed);

// Lays columns of B out anew, from its rows or from those of Bᵀ; not by several threads.
void renew_columns(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);
void renew_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);

// Rows of A [n_rows × n_inner] times these columns of B, which begin at a multiple of kPanelColumns and end at another or at
// the last. Strides count floats from row to row; c is where the first of the columns goes.
struct PackedProduct {
    const float* a;
    std::ptrdiff_t a_stride;
    int n_rows;
    const PanelMatrix* b;
    Range cols;
    float* c;
    std::ptrdiff_t c_stride;
    // As many cells, with c's stride, as will be written after c; or none. Their memory is fetched meanwhile, and that of c: to be given
    // where neither stays in a cache.
    const float* next = nullptr;
    // What was computed near, where it is read next, and is to be kept far: where C goes too, and the rows of A, with the strides of
    // these, past the caches where the processor has an instruction for it. Or none; else they begin with a line, and rows, columns of
    // C and steps of A are whole panels' (kPanelColumns).
    float* copy_of_c = nullptr;
    float* copy_of_a = nullptr;
};
void multiply_packed(const PackedProduct& of);

// The bits of multiply_packed without panels: B is read as it lies, once for every row of A, its columns side by side (b_stride_j
// is 1). For a row or two, for which laying B out takes longer than the product. At least kLeastColumnsUnpacked columns.
inline constexpr int kLeastColumnsUnpacked = 16;
void multiply_unpacked(const PlainProduct<float>& of);

// Columns of a panel's strip, on this processor.
int strip_columns();

// Whether a product and a sum are rounded once, on this processor.
bool rounds_once();
const char* instruction_set();

} // namespace lab
