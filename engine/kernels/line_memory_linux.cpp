#include "engine/kernels/line_memory.h"

#include <new>

#include <sys/mman.h>

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

} // namespace lab
