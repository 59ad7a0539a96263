#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "engine/kernels/line_memory.h"

namespace lab {

// So many numbers stay in the first cache, with as many that are made of them.
inline constexpr int kNearNumbers = 4 * 1024;

// Vectors of numbers begin with a line of the cache.
template <class T> struct LineAllocator {
    using value_type = T;

    LineAllocator() = default;
    template <class Other> LineAllocator(const LineAllocator<Other>&) {}

    T* allocate(std::size_t n) { return static_cast<T*>(allocate_lines(n * sizeof(T))); }
    void deallocate(T* memory, std::size_t n) { free_lines(memory, n * sizeof(T)); }

    bool operator==(const LineAllocator&) const = default;
};

// The cells of a tensor, for those that work on many at once.
using Cells = std::vector<float, LineAllocator<float>>;

// The same without zeros to begin with, for what is written before it is read.
template <class T> struct ScratchAllocator : LineAllocator<T> {
    using value_type = T;

    ScratchAllocator() = default;
    template <class Other> ScratchAllocator(const ScratchAllocator<Other>&) {}

    template <class Number> void construct(Number* place) { ::new (static_cast<void*>(place)) Number; }
    template <class Number, class Value> void construct(Number* place, Value&& value) {
        ::new (static_cast<void*>(place)) Number(std::forward<Value>(value));
    }
};
using ScratchCells = std::vector<float, ScratchAllocator<float>>;

} // namespace lab
