#pragma once

#include <cstddef>

namespace lab {

// How large the processor's second cache is, in bytes; 0 where the system does not say.
std::size_t second_cache_bytes();

} // namespace lab
