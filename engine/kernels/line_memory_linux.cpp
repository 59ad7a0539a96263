#include "engine/kernels/line_memory.h"

#include <algorithm>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace lab {

namespace {

// A matrix of 64 MB is otherwise 16,000 pages, each of which is asked for when it is first written and looked up anew in every pass.
constexpr std::align_val_t alignment_of(std::size_t n_bytes) {
    return std::align_val_t{n_bytes >= kLargePage ? kLargePage : kCacheLine};
}

} // namespace

void* allocate_lines(std::size_t n_bytes) {
    void* memory = ::operator new(n_bytes, alignment_of(n_bytes));
    if (n_bytes >= kLargePage) madvise(memory, n_bytes, MADV_HUGEPAGE); // where it fails all is as before
    return memory;
}

void free_lines(void* memory, std::size_t n_bytes) { ::operator delete(memory, alignment_of(n_bytes)); }

std::size_t second_cache() {
#if defined(_SC_LEVEL2_CACHE_SIZE) && defined(__x86_64__)
    return static_cast<std::size_t>(std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0L)); // 0, or −1: not known
#else
    return 0;
#endif
}

} // namespace lab
