#pragma once

#include <cstddef>

namespace lab {

// Bytes of a line of the cache. Memory that begins with one has no vector of numbers, of whatever width, that lies across two.
inline constexpr std::size_t kCacheLine = 64;

// From so many bytes on memory begins with a large page and is made of such, where the system (Linux) has them to give.
inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

// Memory that begins with a line, not set to anything. To be freed with the size that it was asked for with. None left is what it is
// for `operator new`: the end of the program.
void* allocate_lines(std::size_t n_bytes);
void free_lines(void* memory, std::size_t n_bytes);

} // namespace lab
