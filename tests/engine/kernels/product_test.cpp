#include "engine/kernels/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "engine/kernels/relaxed_kernels.h"
#include "tests/engine/kernels/instruction_sets.h"
#include "tests/engine/support.h"

namespace lab {
namespace {

using namespace lab::test;

std::vector<float> numbers(Dice& dice, int n) {
    std::vector<float> values;
    for (int i = 0; i < n; ++i) values.push_back(dice.number() / 3);
    return values;
}

// The sum of chains that the header promises, for one cell.
float slow_cell(const std::vector<float>& a, const std::vector<float>& b, int n_inner, int n_cols, int i, int j) {
    float sum = 0;
    for (int first = 0; first < n_inner; first += kChain) {
        float c = 0;
        for (int k = first; k < std::min(first + kChain, n_inner); ++k) {
            const float x = a[static_cast<std::size_t>(i * n_inner + k)];
            const float y = b[static_cast<std::size_t>(k * n_cols + j)];
            c = rounds_once() ? std::fma(x, y, c) : c + x * y;
        }
        sum = first == 0 ? c : sum + c;
    }
    return sum;
}

std::vector<float> transposed(const std::vector<float>& b, int n_rows, int n_cols) {
    std::vector<float> turned(b.size());
    for (int k = 0; k < n_rows; ++k) {
        for (int j = 0; j < n_cols; ++j)
            turned[static_cast<std::size_t>(j * n_rows + k)] = b[static_cast<std::size_t>(k * n_cols + j)];
    }
    return turned;
}

struct Sizes {
    int n_rows, n_inner, n_cols;
};
// Around the sizes of vectors, tiles, panels and parts, and so large that memory is asked for ahead.
const Sizes kSizes[] = {{1, 1, 1},      {2, 3, 5},     {6, 64, 64},   {9, 300, 64},   {7, 65, 63},  {5, 127, 66},
                        {13, 128, 128}, {49, 129, 70}, {48, 16, 130}, {3, 300, 17},   {1, 64, 200}, {50, 1, 1},
                        {12, 257, 65},  {2, 1025, 9},  {200, 8, 3},   {13, 300, 450}, {14, 70, 530}};

TEST(Product, IsTheSumOfChainsThatTheHeaderPromises) {
    for_each_instruction_set([](const char* name) {
        Dice dice(1);
        for (const auto& [n_rows, n_inner, n_cols] : kSizes) {
            const std::vector<float> a = numbers(dice, n_rows * n_inner), b = numbers(dice, n_inner * n_cols);
            const std::vector<float> turned = transposed(b, n_inner, n_cols);
            PanelMatrix from_rows, from_columns, referred;
            pack_rows(b.data(), n_cols, n_inner, n_cols, from_rows);
            pack_transposed(turned.data(), n_inner, n_inner, n_cols, from_columns);
            const bool is_near = n_inner <= kNearRows || strip_columns() == kPanelColumns;
            const bool is_referred = refer_to_rows(b.data(), n_cols, n_inner, n_cols, referred);
            EXPECT_EQ(is_referred, n_cols == kPanelColumns && is_near);
            if (!is_referred) pack_rows(b.data(), n_cols, n_inner, n_cols, referred);
            std::vector<float> c(static_cast<std::size_t>(n_rows * n_cols), 7.0f), next = c;
            const std::vector<float> untouched = next;
            const std::pair<const PanelMatrix*, const float*> kinds[] = {
                {&from_rows, nullptr}, {&from_columns, nullptr}, {&referred, nullptr}, {&from_rows, next.data()}};
            for (const auto& [panels, asked_for] : kinds) {
                std::fill(c.begin(), c.end(), 7.0f);
                multiply_packed({a.data(), n_inner, n_rows, panels, {0, n_cols}, c.data(), n_cols, asked_for});
                for (int i = 0; i < n_rows; ++i) {
                    for (int j = 0; j < n_cols; ++j)
                        ASSERT_EQ(c[static_cast<std::size_t>(i * n_cols + j)], slow_cell(a, b, n_inner, n_cols, i, j))
                            << name << ": " << n_rows << " × " << n_inner << " × " << n_cols << " at " << i << ", "
                            << j;
                }
            }
            EXPECT_EQ(next, untouched) << name;
        }
    });
}

// Rows for tiles of every height and for two parts; two chains; panels from within B; room beside the columns, which stays as it is.
TEST(Product, CopiesAreOfWhatIsReadAndWritten) {
    for_each_instruction_set([](const char* name) {
        Dice dice(7);
        const int n_inner = 320, n_cols = 256, a_stride = 336, c_stride = 144;
        const Range cols{64, 192};
        const std::vector<float> b = numbers(dice, n_inner * n_cols);
        PanelMatrix panels;
        pack_rows(b.data(), n_cols, n_inner, n_cols, panels);
        for (const int n_rows : {13, 15, 17, 200}) {
            SCOPED_TRACE(name + std::string(", rows: ") + std::to_string(n_rows));
            const auto untouched = [&](int stride) {
                ScratchCells cells(static_cast<std::size_t>(n_rows * stride));
                std::fill(cells.begin(), cells.end(), 7.0f);
                return cells;
            };
            const std::vector<float> drawn = numbers(dice, n_rows * a_stride);
            ScratchCells a(drawn.size());
            std::copy(drawn.begin(), drawn.end(), a.begin());
            ScratchCells expected = untouched(c_stride), all_of_a = untouched(a_stride);
            PackedProduct product{.a = a.data(),
                                  .a_stride = a_stride,
                                  .n_rows = n_rows,
                                  .b = &panels,
                                  .cols = cols,
                                  .c = expected.data(),
                                  .c_stride = c_stride};
            multiply_packed(product);
            for (int i = 0; i < n_rows; ++i)
                std::copy_n(a.data() + i * a_stride, n_inner, all_of_a.data() + i * a_stride);
            for (const auto& [copies_c, copies_a] : {std::pair(true, true), {true, false}, {false, true}}) {
                ScratchCells c = untouched(c_stride), copy_of_c = c, copy_of_a = untouched(a_stride);
                product.c = c.data();
                product.copy_of_c = copies_c ? copy_of_c.data() : nullptr;
                product.copy_of_a = copies_a ? copy_of_a.data() : nullptr;
                multiply_packed(product);
                EXPECT_EQ(c, expected);
                EXPECT_EQ(copy_of_c, copies_c ? expected : untouched(c_stride));
                EXPECT_EQ(copy_of_a, copies_a ? all_of_a : untouched(a_stride));
            }
        }
    });
}

TEST(Product, RenewedColumnsAreThoseThatAreLaidOutAnew) {
    for_each_instruction_set([](const char* name) {
        Dice dice(4);
        const int n_inner = 300, n_cols = 150;
        const Range cols{20, 140};
        const std::vector<float> before = numbers(dice, n_inner * n_cols), after = numbers(dice, n_inner * n_cols);
        const std::vector<float> turned = transposed(after, n_inner, n_cols);
        PanelMatrix expected, from_rows, from_columns;
        for (PanelMatrix* panels : {&expected, &from_rows, &from_columns})
            pack_rows(before.data(), n_cols, n_inner, n_cols, *panels);
        std::vector<float> mixed = before;
        for (int k = 0; k < n_inner; ++k)
            std::copy_n(&after[static_cast<std::size_t>(k * n_cols + cols.begin)], cols.size(),
                        &mixed[static_cast<std::size_t>(k * n_cols + cols.begin)]);
        pack_rows(mixed.data(), n_cols, n_inner, n_cols, expected);
        renew_columns(after.data(), n_cols, cols, from_rows);
        renew_transposed(turned.data(), n_inner, cols, from_columns);
        EXPECT_EQ(from_rows.cells, expected.cells) << name;
        EXPECT_EQ(from_columns.cells, expected.cells) << name;
    });
}

TEST(Product, UnpackedHasTheSameBits) {
    for_each_instruction_set([](const char* name) {
        Dice dice(3);
        for (const auto& [n_rows, n_inner, n_cols] : kSizes) {
            if (n_cols < kLeastColumnsUnpacked) continue;
            const int b_stride = n_cols + 5, c_stride = n_cols + 3;
            const std::vector<float> a = numbers(dice, n_rows * n_inner), b = numbers(dice, n_inner * b_stride);
            PanelMatrix panels;
            pack_rows(b.data(), b_stride, n_inner, n_cols, panels);
            std::vector<float> expected(static_cast<std::size_t>(n_rows * c_stride), 7.0f), c = expected;
            multiply_packed({a.data(), n_inner, n_rows, &panels, {0, n_cols}, expected.data(), c_stride});
            multiply_unpacked({a.data(), n_inner, n_rows, b.data(), b_stride, 1, n_inner, n_cols, c.data(), c_stride});
            EXPECT_EQ(c, expected) << name << ": " << n_rows << " × " << n_inner << " × " << n_cols;
        }
    });
}

TEST(Product, WritesNothingBesideItsColumns) {
    for_each_instruction_set([](const char* name) {
        Dice dice(2);
        const int n_rows = 7, n_inner = 9, n_cols = 21, stride = 30;
        const std::vector<float> a = numbers(dice, n_rows * n_inner), b = numbers(dice, n_inner * n_cols);
        PanelMatrix panels;
        pack_rows(b.data(), n_cols, n_inner, n_cols, panels);
        std::vector<float> c(n_rows * stride, 7.0f);
        multiply_packed({a.data(), n_inner, n_rows, &panels, {0, n_cols}, c.data(), stride});
        for (std::size_t i = 0; i < c.size(); ++i) {
            const bool is_beside = i % stride >= n_cols;
            EXPECT_EQ(c[i] == 7.0f, is_beside) << name << ", " << i;
        }
    });
}

TEST(Product, OfInfinitiesAndNothingAddsUpAsIeee754Says) {
    for_each_instruction_set([](const char* name) {
        PanelMatrix panels;
        const std::vector<float> b{1, 0, kInfinity, 0};
        pack_rows(b.data(), 2, 2, 2, panels);
        const std::vector<float> a{2, 0, 0, 3};
        float c[4];
        multiply_packed({a.data(), 2, 2, &panels, {0, 2}, c, 2});
        EXPECT_TRUE(std::isnan(c[0])) << name; // 2 · 1 + 0 · ∞
        EXPECT_EQ(c[1], 0) << name;
        EXPECT_EQ(c[2], kInfinity) << name;
    });
}

// Otherwise what the tests above say of it would be said of nothing.
TEST(RelaxedProduct, IsThereWhereItRoundsOnce) {
#ifdef WEBASSEMBLY_ROUNDS_ONCE
    EXPECT_TRUE(relaxed_kernels());
    EXPECT_TRUE(rounds_once());
#else
    EXPECT_FALSE(relaxed_kernels());
#endif
}

} // namespace
} // namespace lab
