#pragma once

#include <cstdint>
#include <cstring>

#include "engine/shape.h"

namespace lab {

// Numbers told apart by their bits: NaN equals NaN, and 0 differs from −0.

inline std::uint32_t bits_of(float number) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits); // Debian's Emscripten has no std::bit_cast
    return bits;
}

// Looks at all of them, which compilers turn into vectors; memcmp goes byte by byte in WebAssembly.
inline bool have_equal_bits(const float* a, const float* b, int n) {
    std::uint32_t differing = 0;
    for (int i = 0; i < n; ++i) differing |= bits_of(a[i]) ^ bits_of(b[i]);
    return differing == 0;
}

// From the first to the last of n that differ; empty if none does.
inline Range differing_cells(const float* a, const float* b, int n) {
    if (have_equal_bits(a, b, n)) return {};
    Range cells{0, n};
    while (bits_of(a[cells.begin]) == bits_of(b[cells.begin])) ++cells.begin;
    while (bits_of(a[cells.end - 1]) == bits_of(b[cells.end - 1])) --cells.end;
    return cells;
}

} // namespace lab
