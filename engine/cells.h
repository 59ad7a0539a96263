#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "engine/kernels/line_memory.h"

namespace lab {

// So many numbers stay in the first cache, with as many that are made of them.
inline constexpr int kNearNumbers = 4 * 1024;

// Vectors of numbers begin with a line of the cache, and with no zeros: they are written before they are read.
template <class T> struct ScratchAllocator {
    using value_type = T;

    ScratchAllocator() = default;
    template <class Other> ScratchAllocator(const ScratchAllocator<Other>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(allocate_lines(n * sizeof(T))); }
    void deallocate(T* memory, std::size_t n) { free_lines(memory, n * sizeof(T)); }

    template <class Number> void construct(Number* place) { ::new (static_cast<void*>(place)) Number; }
    template <class Number, class Value> void construct(Number* place, Value&& value) {
        ::new (static_cast<void*>(place)) Number(std::forward<Value>(value));
    }

    bool operator==(const ScratchAllocator&) const = default;
};
using ScratchCells = std::vector<float, ScratchAllocator<float>>;

} // namespace lab
