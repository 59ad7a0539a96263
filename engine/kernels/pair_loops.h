// The loops of a product by pairs (engine/kernels/product.h), for one set of instructions: included by what has included
// product_loops.h and panel_loops.h. Without a guard, since it is included once for every set.
#include <algorithm>
#include <cassert>
#include <limits>

#include "engine/kernels/product.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

// Steps that are taken together: a pair, and a single one.
constexpr int kTriple = 3;

// Rows of A in a strip, which are multiplied together.
constexpr int kStripRows = 48;
static_assert(kStripRows % kLanes == 0 && kTileColumns == kPanelColumns && kMostPairedSteps <= kChain &&
              kLanes == kLineCells);

using Whole = hn::RebindToSigned<D>;
using Wholes = hn::Vec<Whole>;

// ⌊log2 x⌋ of positive numbers; −127 of zeros and denormal ones.
HWY_INLINE Wholes exponent_of(Vector x) {
    return hn::Sub(hn::ShiftRight<23>(hn::BitCast(Whole(), x)), hn::Set(Whole(), 127));
}
// 2^e, −126 to 127.
HWY_INLINE Vector power_of_two(Wholes exponents) {
    return hn::BitCast(D(), hn::ShiftLeft<23>(hn::Add(exponents, hn::Set(Whole(), 127))));
}

// ⌊log2⌋ of lines' greatest numbers, within 2^−120 … 2^126; 0 for zeros and for what is not finite.
template <int kStrip> HWY_NOINLINE Wholes exponents_of_greatest(const float* lines, int n_inner) {
    const D d;
    Vector greatest = hn::Zero(d);
    auto are_finite = hn::Eq(greatest, greatest);
    for (int k = 0; k < n_inner; ++k) {
        const Vector x = hn::Abs(hn::LoadU(d, lines + k * kStrip));
        greatest = hn::Max(greatest, x);
        are_finite = hn::And(are_finite, hn::Le(x, hn::Set(d, std::numeric_limits<float>::max())));
    }
    const Whole whole;
    const Wholes exponents = hn::Min(hn::Max(exponent_of(greatest), hn::Set(whole, -120)), hn::Set(whole, 126));
    return hn::IfThenElseZero(hn::RebindMask(whole, hn::And(are_finite, hn::Gt(greatest, hn::Zero(d)))), exponents);
}

// Of kLanes lines that lie side by side: the sum of their squares; and those of their pairs, as PanelMatrix::pairs has them.
template <int kStrip> HWY_INLINE Vector add_up(const float* lines, int n_inner, float* sums) {
    const D d;
    Vector squares[kTriple] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    const auto take = [&](int i, int k) HWY_ATTR {
        const Vector x = hn::LoadU(d, lines + k * kStrip);
        squares[i] = multiply_add(x, x, squares[i]);
        return x;
    };
    const auto add_pairs = [&](int begin, int end) HWY_ATTR {
        Vector pairs = hn::Zero(d);
        for (int k = begin; k < end; k += kTriple) {
            const Vector x = take(0, k);
            if (k + 1 < end) pairs = multiply_add(x, take(1, k + 1), pairs);
            if (k + 2 < end) take(2, k + 2);
        }
        return pairs;
    };
    const int half = (n_inner / kTriple + 1) / 2 * kTriple;
    hn::StoreU(hn::Neg(add_pairs(0, half)), d, sums);
    hn::StoreU(add_pairs(half, n_inner), d, sums + kStrip);
    return hn::Add(hn::Add(squares[0], squares[1]), squares[2]);
}

template <int kStrip> HWY_INLINE void divide(float* lines, int n_inner, Wholes exponents) {
    const D d;
    const Vector factors = power_of_two(hn::Neg(exponents));
    for (int k = 0; k < n_inner; ++k) {
        float* row = lines + k * kStrip;
        hn::StoreU(hn::Mul(hn::LoadU(d, row), factors), d, row);
    }
}

// Divides those of kLanes lines that the mask names, and adds all up. Returns what they were divided by: 0 for zeros.
template <int kStrip, class Mask> HWY_INLINE Vector pair_lines(float* lines, int n_inner, Mask which, float* sums) {
    const D d;
    const auto whole_mask = hn::RebindMask(Whole(), which);
    const auto are_zero = [](Wholes exponents)
                              HWY_ATTR { return hn::AllTrue(Whole(), hn::Eq(exponents, hn::Zero(Whole()))); };
    Vector squares = add_up<kStrip>(lines, n_inner, sums);
    Wholes exponents = hn::Zero(Whole());
    const auto are_plain = hn::And(hn::Ge(squares, hn::Set(d, 0x1p-60f)), hn::Le(squares, hn::Set(d, 0x1p60f)));
    if (!hn::AllTrue(d, are_plain)) { // first to where squares neither overflow nor vanish
        exponents = hn::IfThenElseZero(hn::AndNot(hn::RebindMask(Whole(), are_plain), whole_mask),
                                       exponents_of_greatest<kStrip>(lines, n_inner));
        divide<kStrip>(lines, n_inner, exponents);
        squares = add_up<kStrip>(lines, n_inner, sums);
    }
    const Vector twice_mean = hn::Mul(squares, hn::Set(d, 2.0f / static_cast<float>(n_inner)));
    const auto can_be_divided = hn::And(hn::Gt(squares, hn::Zero(d)), hn::Le(squares, hn::Set(d, 0x1p100f)));
    const Wholes least = hn::Sub(hn::Set(Whole(), -126), exponents);
    const Wholes rest = hn::IfThenElseZero(hn::And(whole_mask, hn::RebindMask(Whole(), can_be_divided)),
                                           hn::Max(hn::ShiftRight<1>(exponent_of(twice_mean)), least));
    if (!are_zero(rest)) {
        divide<kStrip>(lines, n_inner, rest);
        squares = add_up<kStrip>(lines, n_inner, sums);
    }
    return hn::IfThenZeroElse(hn::Eq(squares, hn::Zero(d)), power_of_two(hn::Add(exponents, rest)));
}

// Some lines of strips, which were written anew; their neighbours in a vector are divided already, or do not matter.
template <int kStrip> void pair_strips(float* strips, int n_inner, Range which, float* of_pairs) {
    const D d;
    const auto whole = [&](int i) HWY_ATTR { return hn::Set(d, static_cast<float>(i)); };
    for (int j = which.begin / kLanes * kLanes; j < which.end; j += kLanes) {
        const Vector lines = hn::Iota(d, static_cast<float>(j));
        const auto are_those = hn::And(hn::Ge(lines, whole(which.begin)), hn::Lt(lines, whole(which.end)));
        float* from = strips + in_strips<kStrip>(n_inner, j);
        const Vector scales = pair_lines<kStrip>(from, n_inner, are_those, of_pairs + kStrip + j);
        hn::BlendedStore(scales, are_those, d, of_pairs + j);
    }
}

// The same of a panel's columns.
void pair_columns(float* panel, int n_inner, Range cols, float* of_pairs) {
    pair_strips<kStripColumns>(panel, n_inner, cols, of_pairs);
}

// --- Tiles ----------------------------------------------------------------------------------------------------------

// The same address, which the compiler takes for another if it is put in the place of the one given: what is there is read again.
HWY_INLINE const float* read_again(const float* address) {
    __asm__("" : "+r"(address));
    return address;
}

// The sums of a tile by pairs, and where in A's strip and in B they are.
template <int kRows, int kVectors, Spread kSpread> class PairSums {
  public:
    HWY_INLINE PairSums(const PanelProduct& of, int row, int col)
        : a_(of.rows_of_a.cells + row), b_(part_of_b(of, col)) {
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            HWY_UNROLL(16)
            for (int v = 0; v < kVectors; ++v)
                sums_[i][v] = of_pairs(of.rows_of_a.sums + row + i, of.columns_of_b.sums + col + v * kLanes);
        }
    }

    // Two steps.
    HWY_INLINE void take_pair() {
        const D d;
        Vector of_first[kVectors], of_second[kVectors];
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            of_first[v] = hn::LoadU(d, b_ + v * kLanes);
            of_second[v] = hn::LoadU(d, b_ + kStripColumns + v * kLanes);
        }
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const float* a = a_ + i;
            HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
                if (kSpread == Spread::by_every_addition) a = read_again(a);
                const Vector first = hn::Set(d, a[0]), second = hn::Set(d, a[kStripRows]);
                sums_[i][v] = multiply_add(hn::Add(first, of_second[v]), hn::Add(second, of_first[v]), sums_[i][v]);
            }
        }
        a_ += 2 * kStripRows;
        b_ += 2 * kStripColumns;
    }
    HWY_INLINE void take_single() {
        const D d;
        Vector of_b[kVectors];
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) of_b[v] = hn::LoadU(d, b_ + v * kLanes);
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const Vector of_a = hn::Set(d, a_[i]);
            HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums_[i][v] = multiply_add(of_a, of_b[v], sums_[i][v]);
        }
        a_ += kStripRows;
        b_ += kStripColumns;
    }

    // Without what is left of pairs, and in the units of A and B.
    HWY_INLINE void finish(const PanelProduct& of, int row, int col) {
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const float scale = of.rows_of_a.scales[row + i];
            is_usual(scale) ? finish_row<true>(of, i, row, col) : finish_row<false>(of, i, row, col);
        }
    }

    HWY_INLINE Vector (&cells())[kRows][kVectors] { return sums_; }

  private:
    // A sum times it neither overflows nor loses digits; else the lesser of both scales comes first.
    static HWY_INLINE bool is_usual(float scale) { return scale >= 0x1p-60f && scale <= 0x1p60f; }

    template <bool kIsUsual> HWY_INLINE void finish_row(const PanelProduct& of, int i, int row, int col) {
        const D d;
        const float* of_row = of.rows_of_a.sums + kStripRows + row + i;
        const Vector row_scale = hn::Set(d, of.rows_of_a.scales[row + i]);
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            const int j = col + v * kLanes;
            const Vector column_scale = hn::LoadU(d, of.columns_of_b.scales + j);
            const Vector first = kIsUsual ? row_scale : hn::Min(row_scale, column_scale);
            const Vector second = kIsUsual ? column_scale : hn::Max(row_scale, column_scale);
            const Vector rest = of_pairs(of_row, of.columns_of_b.sums + kPanelColumns + j);
            sums_[i][v] = multiply_add(hn::Mul(hn::Sub(sums_[i][v], rest), first), second, hn::Zero(d)); // zeros: no −0
        }
    }

    static HWY_INLINE Vector of_pairs(const float* of_row, const float* of_columns) {
        const D d;
        return hn::Add(hn::Set(d, *of_row), hn::LoadU(d, of_columns));
    }

    const float* a_;
    const float* b_;
    Vector sums_[kRows][kVectors];
};

template <Spread kSpread> struct ByPairs {
    static constexpr bool kHasSeveralChains = false;
    // Four: eight rows of C, which begin as many lines apart as the first cache has, drive each other from it.
    static constexpr int kMostRows = 4;
    static PairedLines columns(const PanelMatrix& b, int p) {
        return {nullptr, b.pairs(p), b.pairs(p) + kPanelColumns};
    }
    template <int kRows, int kVectors, Manner kManner>
    static HWY_INLINE void tile(const PanelProduct& of, int row, int col, TileCells to);
};

template <Spread kSpread>
template <int kRows, int kVectors, Manner kManner>
HWY_INLINE void ByPairs<kSpread>::tile(const PanelProduct& of, int row, int col, TileCells to) {
    PairSums<kRows, kVectors, kSpread> sums(of, row, col);
    int k = 0;
    if constexpr (kManner.asks_ahead) {
        Ahead<kRows, kTriple> ahead(of, row, col);
        for (int i = 0, line = 0; k + kTriple <= of.n_inner; ++i, k += kTriple, line += kLineCells) {
            ahead.ask_for_b();
            if (i < kRows) {
                HWY_UNROLL(4) for (int v = 0; v < kVectors; ++v) ahead.ask_for_c(i, v * kLineCells);
            }
            if (line < of.n_inner) copy_line_of_a<kRows>(of, row, col, line);
            sums.take_pair();
            sums.take_single();
        }
    }
    for (; k + kTriple <= of.n_inner; k += kTriple) {
        sums.take_pair();
        sums.take_single();
    }
    if (k + 2 == of.n_inner) sums.take_pair();
    if (k + 1 == of.n_inner) sums.take_single();
    sums.finish(of, row, col);
    store_sums<kRows, kVectors, kManner>(of, row, col, sums.cells(), to);
}

template <Spread kSpread> void multiply_by_pairs(const PackedProduct& of) {
    HWY_ALIGN float cells[kStripRows * kMostPairedSteps], of_pairs[3 * kStripRows];
    const int n_inner = of.b->n_inner;
    assert(n_inner <= kMostPairedSteps && !of.b->elsewhere);
    for (int first = 0; first < of.n_rows; first += kStripRows) {
        const int n_rows = std::min(kStripRows, of.n_rows - first);
        for (int i = n_rows; i % kLanes != 0; ++i) {
            for (int k = 0; k < n_inner; ++k) cells[k * kStripRows + i] = 0;
        }
        pack_lines<kStripRows>(of.a + first * of.a_stride, of.a_stride, n_inner, n_rows, cells);
        pair_strips<kStripRows>(cells, n_inner, {0, n_rows}, of_pairs);
        multiply_rows<ByPairs<kSpread>>(of, first, n_rows, {cells, of_pairs, of_pairs + kStripRows});
    }
    finish_copies(of);
}

void multiply_by_pairs(const PackedProduct& of, Spread spread) {
    spread == Spread::once ? multiply_by_pairs<Spread::once>(of) : multiply_by_pairs<Spread::by_every_addition>(of);
}

bool has_pairs() { return true; }

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
