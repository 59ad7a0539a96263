#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lab {

// Little-endian numbers, as zip and npy files hold them. Reading takes the first bytes of what is given,
// which must be there.
inline std::uint64_t read_little_endian(std::string_view bytes, std::size_t n_bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = n_bytes; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
    return value;
}

inline void append_little_endian(std::string& bytes, std::uint64_t value, std::size_t n_bytes) {
    for (std::size_t i = 0; i < n_bytes; ++i, value >>= 8) bytes += static_cast<char>(value & 0xFF);
}

} // namespace lab
