#include "engine/kernels/line_memory.h"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lab {

namespace {

constexpr std::align_val_t kLine{64};

#if defined(__linux__)
// From this size on memory comes in pages of 2 MB, where the system has them to give: a matrix of 64 MB is otherwise 16,000 pages, each
// of which is asked for when it is first written and looked up anew in every pass.
constexpr std::size_t kLargePage = std::size_t{2} << 20;
#endif

} // namespace

void* allocate_lines(std::size_t n_bytes) {
#if defined(__linux__)
    if (n_bytes >= kLargePage) {
        void* memory = ::operator new (n_bytes, std::align_val_t{kLargePage});
        madvise(memory, n_bytes, MADV_HUGEPAGE); // where it fails all is as before
        return memory;
    }
#endif
    return ::operator new(n_bytes, kLine);
}

void free_lines(void* memory, std::size_t n_bytes) {
#if defined(__linux__)
    if (n_bytes >= kLargePage) return ::operator delete (memory, std::align_val_t{kLargePage});
#endif
    (void)n_bytes;
    ::operator delete(memory, kLine);
}

} // namespace lab
