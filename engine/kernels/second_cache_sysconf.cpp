#include "engine/kernels/second_cache.h"

#include <algorithm>

#include <unistd.h>

namespace lab {

std::size_t second_cache_bytes() {
    return static_cast<std::size_t>(std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0L)); // 0 or −1: not known
}

} // namespace lab
