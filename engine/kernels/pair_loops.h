// The loops of a product by pairs (engine/kernels/product.h), for one set of instructions: included by what has included
// engine/kernels/product_loops.h. Without a guard, since it is included once for every set.
#include <algorithm>
#include <limits>

#include "engine/kernels/product.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

// Steps that are taken together: a pair and a single one.
constexpr int kGroup = 3;

// Rows of A in a strip, which are multiplied together.
constexpr int kStripRows = 48;
static_assert(kStripRows % kLanes == 0 && kTileColumns == kStripColumns);

using Whole = hn::RebindToSigned<D>;
using Wholes = hn::Vec<Whole>;

// ⌊log2 x⌋ of positive numbers; −127 of zeros and of those that have lost digits.
HWY_INLINE Wholes exponent_of(Vector x) {
    return hn::Sub(hn::ShiftRight<23>(hn::BitCast(Whole(), x)), hn::Set(Whole(), 127));
}
// 2^e, −126 to 127.
HWY_INLINE Vector power_of_two(Wholes exponents) {
    return hn::BitCast(D(), hn::ShiftLeft<23>(hn::Add(exponents, hn::Set(Whole(), 127))));
}

// What lines are divided by, 2^e with ⌊½ log2 of twice the mean square⌋, where their squares cannot be added: with their greatest number's
// instead. Nothing for zeros and for what is not finite.
template <int kStrip> HWY_NOINLINE Wholes exponents_of_greatest(const float* lines, int n_inner) {
    const D d;
    Vector greatest = hn::Zero(d);
    auto has_all = hn::Eq(greatest, greatest);
    for (int k = 0; k < n_inner; ++k) {
        const Vector x = hn::Abs(hn::LoadU(d, lines + k * kStrip));
        greatest = hn::Max(greatest, x);
        has_all = hn::And(has_all, hn::Le(x, hn::Set(d, std::numeric_limits<float>::max())));
    }
    const Wholes most = hn::Set(Whole(), 126);
    const Wholes exponents = hn::Min(hn::Max(exponent_of(greatest), hn::Neg(most)), most);
    return hn::IfThenElseZero(hn::RebindMask(Whole(), hn::And(has_all, hn::Gt(greatest, hn::Zero(d)))), exponents);
}

// Of kLanes lines that lie side by side: their squares, and their sums of pairs, the first half's (with a minus) and the second's.
template <int kStrip> HWY_INLINE Vector add_up(const float* lines, int n_inner, float* sums) {
    const D d;
    Vector squares[kGroup] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    const auto take = [&](int i, int k) HWY_ATTR {
        const Vector x = hn::LoadU(d, lines + k * kStrip);
        squares[i] = multiply_add(x, x, squares[i]);
        return x;
    };
    const auto add_pairs = [&](int begin, int end) HWY_ATTR {
        Vector pairs = hn::Zero(d);
        for (int k = begin; k < end; k += kGroup) {
            const Vector x = take(0, k);
            if (k + 1 < end) pairs = multiply_add(x, take(1, k + 1), pairs);
            if (k + 2 < end) take(2, k + 2);
        }
        return pairs;
    };
    const int half = (n_inner / kGroup + 1) / 2 * kGroup;
    hn::StoreU(hn::Neg(add_pairs(0, half)), d, sums);
    hn::StoreU(add_pairs(half, n_inner), d, sums + kStrip);
    return hn::Add(hn::Add(squares[0], squares[1]), squares[2]);
}

// Those of kLanes lines that the mask names are divided; what by (zeros by nothing: 0), and the sums of all, are written.
template <int kStrip, class Mask>
HWY_INLINE void pair_lines(float* lines, int n_inner, Mask which, float* scales, float* sums) {
    const D d;
    Vector squares = add_up<kStrip>(lines, n_inner, sums);
    const Vector twice_mean = hn::Mul(squares, hn::Set(d, 2.0f / static_cast<float>(n_inner)));
    Wholes exponents = hn::ShiftRight<1>(exponent_of(twice_mean));
    const auto is_plain = hn::And(hn::Ge(squares, hn::Set(d, 0x1p-60f)), hn::Le(squares, hn::Set(d, 0x1p60f)));
    if (!hn::AllTrue(d, is_plain)) {
        const Wholes of_greatest = exponents_of_greatest<kStrip>(lines, n_inner);
        exponents = hn::IfThenElse(hn::RebindMask(Whole(), is_plain), exponents, of_greatest);
    }
    exponents = hn::IfThenElseZero(hn::RebindMask(Whole(), which), exponents);
    if (!hn::AllTrue(Whole(), hn::Eq(exponents, hn::Zero(Whole())))) {
        const Vector factors = power_of_two(hn::Neg(exponents));
        for (int k = 0; k < n_inner; ++k) {
            float* row = lines + k * kStrip;
            hn::StoreU(hn::Mul(hn::LoadU(d, row), factors), d, row);
        }
        squares = add_up<kStrip>(lines, n_inner, sums);
    }
    const Vector of_these = hn::IfThenZeroElse(hn::Eq(squares, hn::Zero(d)), power_of_two(exponents));
    hn::StoreU(hn::IfThenElse(which, of_these, hn::LoadU(d, scales)), d, scales);
}

// The first lines of strips, whole vectors of them.
template <int kStrip> void pair_strips(float* strips, int n_inner, int n_lines, float* scales, float* sums) {
    const Vector zero = hn::Zero(D());
    for (int j = 0; j < n_lines; j += kLanes)
        pair_lines<kStrip>(strips + in_strips<kStrip>(n_inner, j), n_inner, hn::Eq(zero, zero), scales + j, sums + j);
}

void pair_panel(float* panel, int n_inner, float* scales, float* sums) {
    pair_strips<kStripColumns>(panel, n_inner, kPanelColumns, scales, sums);
}

// One line that was written anew.
void pair_column(float* panel, int n_inner, int j, float* scales, float* sums) {
    const Whole whole;
    const int first = j - j % kLanes;
    const auto is_it = hn::Eq(hn::Iota(whole, 0), hn::Set(whole, j - first));
    pair_lines<kStripColumns>(panel + column_in_panel(n_inner, first), n_inner, hn::RebindMask(D(), is_it),
                              scales + first, sums + first);
}

// --- Tiles ----------------------------------------------------------------------------------------------------------

struct ByPairs {
    // Four: eight rows of C, which begin as many lines apart as the first cache has, drive each other from it.
    static constexpr int kMostRows = 4;
    static PairedLines columns(const PanelMatrix& b, int first) {
        return {nullptr, b.scales.data() + first, b.sums.data() + first * kPairedHalves};
    }
    template <int kRows, int kVectors, Manner kManner>
    static HWY_INLINE void tile(const PanelProduct& of, int row, int col, TileCells to);
};

template <int kRows, int kVectors, Manner kManner>
HWY_INLINE void ByPairs::tile(const PanelProduct& of, int row, int col, TileCells to) {
    const D d;
    const float* HWY_RESTRICT a = of.rows_of_a.cells + row;
    const float* HWY_RESTRICT b = part_of_b(of, col);
    Vector sums[kRows][kVectors];
    const auto at_end = [&](int end, int i, int v) HWY_ATTR {
        return hn::Add(hn::Set(d, of.rows_of_a.sums[end * kStripRows + row + i]),
                       hn::LoadU(d, of.columns_of_b.sums + end * kPanelColumns + col + v * kLanes));
    };
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums[i][v] = at_end(0, i, v);
    }
    const auto pair = [&]() HWY_ATTR {
        Vector of_first[kVectors], of_second[kVectors];
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            of_first[v] = hn::LoadU(d, b + v * kLanes);
            of_second[v] = hn::LoadU(d, b + kStripColumns + v * kLanes);
        }
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const Vector first = hn::Set(d, a[i]), second = hn::Set(d, a[kStripRows + i]);
            HWY_UNROLL(16)
            for (int v = 0; v < kVectors; ++v)
                sums[i][v] = multiply_add(hn::Add(first, of_second[v]), hn::Add(second, of_first[v]), sums[i][v]);
        }
        a += 2 * kStripRows;
        b += 2 * kStripColumns;
    };
    const auto single = [&]() HWY_ATTR {
        Vector of_b[kVectors];
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) of_b[v] = hn::LoadU(d, b + v * kLanes);
        HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
            const Vector of_a = hn::Set(d, a[i]);
            HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) sums[i][v] = multiply_add(of_a, of_b[v], sums[i][v]);
        }
        a += kStripRows;
        b += kStripColumns;
    };
    int k = 0;
    if constexpr (kManner.asks_ahead) {
        Ahead<kRows, kGroup> ahead(of, row, col);
        for (int i = 0, line = 0; k + kGroup <= of.n_inner; ++i, k += kGroup, line += kLineCells) {
            ahead.ask_for_b();
            if (i < kRows) {
                HWY_UNROLL(4) for (int v = 0; v < kVectors; ++v) ahead.ask_for_c(i, v * kLineCells);
            }
            if (line < of.n_inner) copy_line_of_a<kRows>(of, row, col, line);
            pair();
            single();
        }
    }
    for (; k + kGroup <= of.n_inner; k += kGroup) {
        pair();
        single();
    }
    if (k + 2 == of.n_inner) pair();
    if (k + 1 == of.n_inner) single();
    HWY_UNROLL(16) for (int i = 0; i < kRows; ++i) {
        const Vector of_row = hn::Set(d, of.rows_of_a.scales[row + i]);
        HWY_UNROLL(16) for (int v = 0; v < kVectors; ++v) {
            const Vector of_column = hn::LoadU(d, of.columns_of_b.scales + col + v * kLanes);
            const Vector sum = hn::Mul(hn::Sub(sums[i][v], at_end(1, i, v)), of_row);
            sums[i][v] = multiply_add(sum, of_column, hn::Zero(d)); // no −0
        }
    }
    store_sums<kRows, kVectors, kManner>(of, row, col, sums, to);
}

void multiply_by_pairs(const PackedProduct& of) {
    HWY_ALIGN float cells[kStripRows * kMostPairedSteps], scales[kStripRows];
    HWY_ALIGN float sums[kStripRows * kPairedHalves];
    const int n_inner = of.b->n_inner;
    for (int first = 0; first < of.n_rows; first += kStripRows) {
        const int n_rows = std::min(kStripRows, of.n_rows - first);
        for (int i = n_rows; i % kLanes != 0; ++i) {
            for (int k = 0; k < n_inner; ++k) cells[k * kStripRows + i] = 0;
        }
        pack_lines<kStripRows>(of.a + first * of.a_stride, of.a_stride, n_inner, n_rows, cells);
        pair_strips<kStripRows>(cells, n_inner, n_rows, scales, sums);
        multiply_rows<ByPairs>(of, first, n_rows, {cells, scales, sums});
    }
    finish_copies(of);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
