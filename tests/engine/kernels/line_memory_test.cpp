#include "engine/cells.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace lab {
namespace {

TEST(LineMemory, CellsBeginWithALineWhateverTheirSize) {
    for (const std::size_t n : {1u, 17u, 4096u, (1u << 19) - 1, 1u << 19, 3'000'001u}) {
        Cells cells(n, 0.5f);
        ScratchCells scratch(n);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(cells.data()) % 64, 0u) << n;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(scratch.data()) % 64, 0u) << n;
        scratch.back() = 2;
        cells.resize(2 * n, 0.25f); // from memory of one kind into that of another
        EXPECT_EQ(cells[n - 1], 0.5f);
        EXPECT_EQ(cells.back(), 0.25f);
    }
}

} // namespace
} // namespace lab
