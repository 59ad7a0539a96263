#include "engine/bits.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/engine/support.h"

namespace lab {
namespace {

// Cell by cell.
Range plain_differing_cells(const std::vector<float>& a, const std::vector<float>& b) {
    Range cells;
    for (int i = 0; i < static_cast<int>(a.size()); ++i) {
        if (bits_of(a[std::size_t(i)]) == bits_of(b[std::size_t(i)])) continue;
        if (cells.empty()) cells.begin = i;
        cells.end = i + 1;
    }
    return cells;
}

TEST(Bits, TellNumbersApartThatCompareEqualAndNone) {
    EXPECT_EQ(bits_of(1.0f), 0x3f800000u);
    EXPECT_NE(bits_of(0.0f), bits_of(-0.0f));
    EXPECT_EQ(bits_of(test::kNaN), bits_of(test::kNaN));
}

TEST(Bits, DifferingCellsAreThoseOfASlowTwin) {
    std::mt19937 random(1);
    for (int n = 0; n < 40; ++n) {
        std::vector<float> a(static_cast<std::size_t>(n));
        for (float& number : a) number = static_cast<float>(random() % 7) - 3;
        EXPECT_TRUE(have_equal_bits(a.data(), a.data(), n));
        EXPECT_TRUE(differing_cells(a.data(), a.data(), n).empty());
        for (int n_changes = 1; n_changes < 4 && n > 0; ++n_changes) {
            std::vector<float> b = a;
            for (int i = 0; i < n_changes; ++i) {
                float& number = b[random() % b.size()];
                number = bits_of(number) == 0 ? -0.0f : test::kNaN;
            }
            EXPECT_FALSE(have_equal_bits(a.data(), b.data(), n));
            EXPECT_EQ(differing_cells(a.data(), b.data(), n), plain_differing_cells(a, b)) << n;
        }
        for (const std::size_t at : {std::size_t(0), a.size() - 1}) {
            if (n == 0) continue;
            std::vector<float> b = a;
            b[at] = 9;
            EXPECT_EQ(differing_cells(a.data(), b.data(), n), Range::at(static_cast<int>(at)));
        }
    }
}

} // namespace
} // namespace lab
