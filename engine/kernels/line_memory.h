#pragma once

#include <cstddef>

namespace lab {

// Memory that begins with a line of the cache, so that no vector of numbers, of whatever width, lies across two; much of it in large
// pages, where the system has them. To be freed with the size that it was asked for with.
void* allocate_lines(std::size_t n_bytes);
void free_lines(void* memory, std::size_t n_bytes);

} // namespace lab
