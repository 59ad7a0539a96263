#include "engine/kernels/line_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "engine/cells.h"

namespace lab {
namespace {

std::uintptr_t place(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

TEST(LineMemory, BeginsWithALineAndMuchOfItWithALargePage) {
    for (const std::size_t n_bytes :
         {std::size_t{1}, std::size_t{4096}, kLargePage - 1, kLargePage, 3 * kLargePage + 5}) {
        void* memory = allocate_lines(n_bytes);
        std::memset(memory, 7, n_bytes);
        EXPECT_EQ(place(memory) % kCacheLine, 0u) << n_bytes;
#if defined(__linux__)
        EXPECT_TRUE(n_bytes < kLargePage || place(memory) % kLargePage == 0) << n_bytes;
#endif
        free_lines(memory, n_bytes);
    }
}

TEST(LineMemory, CellsGrowFromOneKindIntoTheOther) {
    const std::size_t n = kLargePage / sizeof(float) - 1;
    ScratchCells cells(n, 0.5f);
    cells.resize(2 * n, 0.25f);
    EXPECT_EQ(place(cells.data()) % kCacheLine, 0u);
    EXPECT_EQ(cells[n - 1], 0.5f);
    EXPECT_EQ(cells.back(), 0.25f);
}

} // namespace
} // namespace lab
