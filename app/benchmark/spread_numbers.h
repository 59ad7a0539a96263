#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

// What benchmarks compute with, ours and the peers': n numbers in [−1, 1) · scale, the same on every machine, from a hash of
// their place (lowbias32 by C. Wellons).
inline std::vector<float> spread_numbers(std::size_t n, std::uint32_t seed, double scale) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t x = static_cast<std::uint32_t>(i) + seed * 0x9E3779B1u;
        x ^= x >> 16;
        x *= 0x7FEB352Du;
        x ^= x >> 15;
        x *= 0x846CA68Bu;
        x ^= x >> 16;
        values[i] = (static_cast<float>(x >> 8) / 8388608.0f - 1.0f) * static_cast<float>(scale);
    }
    return values;
}

} // namespace lab
