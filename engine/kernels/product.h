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
//
// Or by pairs (S. Winograd, "A New Algorithm for Inner Product", IEEE Transactions on Computers C-17, 1968), which is faster where sums
// have units of their own beside those that multiply: of every three steps two take one multiply-add.
//     x = a[i] / s, y = b[·, j] / t, with s = 2^⌊½ log2(2 · the row's mean square)⌋ and t likewise, at least 2^−126
//     c = (−(X₁ + Y₁) + (x₀ + y₁)(x₁ + y₀) + x₂ y₂ + (x₃ + y₄)(x₄ + y₃) + x₅ y₅ + … − (X₂ + Y₂)) · s · t
// added and multiplied from the left, every step rounded once (beyond s = 2^±60 the lesser of s and t first); where n is no multiple of three a pair or a single step is left for the end.
// X₁ = x₀ x₁ + x₃ x₄ + … of the first ⌊(⌊n / 3⌋ + 1) / 2⌋ triples, X₂ of the others, Y likewise: what a pair adds beside what it should, of
// which a chain so never holds much. The error is 1.1 to 1.2 times that in order for numbers of one size, and 1e-6 · |a[i]| · |b[j]| at most
// in rows and columns of any size drawn at random; in order the bound is the sum of |a[i, k] · b[k, j]|, which is less where row and
// column have their large numbers in different places: a row and a column that share none give 0 in order, but some 1e-7 · |a[i]| · |b[j]|
// by pairs. A row or column of zeros gives 0, whole numbers up to 64 exact sums; where in order a cell is infinite it may be NaN.

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
    ScratchCells cells;               // by pairs divided
    ScratchCells of_pairs;            // by pairs: panel after panel what `pairs` says; else none
    const float* elsewhere = nullptr; // where B's own rows of 64 are, which then are not laid out in `cells`

    bool is_by_pairs() const { return !of_pairs.empty(); }
    int n_panels() const { return (n_cols + kPanelColumns - 1) / kPanelColumns; }
    const float* panel(int p) const {
        return (elsewhere ? elsewhere : cells.data()) + static_cast<std::size_t>(p) * n_inner * kPanelColumns;
    }
    float* own_panel(int p) { return cells.data() + static_cast<std::size_t>(p) * n_inner * kPanelColumns; }

    // What each column of a panel was divided by (0 for zeros); then the sums of products of its pairs, the first ones' with a minus; then the
    // others'.
    const float* pairs(int p) const { return of_pairs.data() + static_cast<std::size_t>(p) * kPairNumbers; }
    float* pairs(int p) { return of_pairs.data() + static_cast<std::size_t>(p) * kPairNumbers; }
    static constexpr int kPairNumbers = 3 * kPanelColumns;
};

// Lays B out, from its rows, or from those of Bᵀ.
void pack_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed,
               Summing summing = Summing::in_order);
void pack_transposed(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed,
                     Summing summing = Summing::in_order);

// The same piece by piece, by any thread: the memory first, and then these columns of B, which begin at a multiple of
// kPanelColumns and end at another or at the last.
void make_panels(int n_inner, int n_cols, PanelMatrix& packed, Summing summing);
void pack_rows(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);
void pack_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);

// Copies nothing where B's rows are as good as a panel's strips, which so few (kNearRows) are, and is true: B must then outlive it.
inline constexpr int kNearRows = 64; // of 64 columns: half the first cache
bool refer_to_rows(const float* b, std::ptrdiff_t stride, int n_inner, int n_cols, PanelMatrix& packed);

// Lays columns of B out anew, from its rows or from those of Bᵀ; not by several threads.
void renew_columns(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);
void renew_transposed(const float* b, std::ptrdiff_t stride, Range cols, PanelMatrix& packed);

// Rows of A [n_rows × n_inner] times these columns of B, which begin at a multiple of kPanelColumns and end at another or at
// the last; summed as B was laid out for. Strides count floats from row to row; c is where the first of the columns goes.
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

// The same by pairs, for which B must be laid out, in either of two ways with the same bits: how a number of A gets to all lanes of a
// vector for the additions of its pair. Once, by an operation of its own; or by every addition, which reads it from memory: on Zen 4
// that operation takes the units of the additions, so that the product does 142 instead of 120 GFLOP/s.
enum class Spread { once, by_every_addition };
void multiply_by_pairs(const PackedProduct& of, Spread spread);

// The bits of multiply_packed in order, without panels: B is read as it lies, once for every row of A, its columns side by side (b_stride_j
// is 1). For a row or two, for which laying B out takes longer than the product. At least kLeastColumnsUnpacked columns.
inline constexpr int kLeastColumnsUnpacked = 16;
void multiply_unpacked(const PlainProduct<float>& of);

// Columns of a panel's strip, on this processor.
int strip_columns();

// Whether a product and a sum are rounded once, on this processor.
bool rounds_once();
const char* instruction_set();

} // namespace lab
