// Where nobody can be asked for large pages: a page has none, and would waste what lies before one.
#include "engine/kernels/line_memory.h"

#include <new>

namespace lab {

void* allocate_lines(std::size_t n_bytes) { return ::operator new (n_bytes, std::align_val_t{kCacheLine}); }

void free_lines(void* memory, std::size_t) { ::operator delete (memory, std::align_val_t{kCacheLine}); }

} // namespace lab
