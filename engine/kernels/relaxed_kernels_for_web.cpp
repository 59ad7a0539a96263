// Brings engine/kernels/relaxed_module_products_for_web.cpp into the program, anew in every thread: in a page each has functions of its own.
#include "engine/kernels/relaxed_kernels.h"

#include <pthread.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/embedded_file.h"

// relaxed_kernels_for_web.js: makes the module's functions ones that this thread can call, and returns the number of the first,
// or 0 where that cannot be.
extern "C" int lab_load_relaxed_kernels(const char* code, std::size_t size, char* stack_end);

namespace lab {

const std::vector<EmbeddedFile>& embedded_relaxed_kernels(); // cmake/relaxed_kernels.cmake

namespace {

// The module was linked by itself, and knows of no memory that is free but what it is given.
struct Stack {
    alignas(16) char bytes[16384];
};

struct OfThread {
    Stack stack;
    RelaxedKernels kernels{};
};

// A key rather than thread_local: the program without threads is linked from the same object, and has no memory for that.
pthread_key_t key_of_threads() {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        if (pthread_key_create(&made, [](void* mine) { delete static_cast<OfThread*>(mine); }) != 0) std::abort();
        return made;
    }();
    return key;
}

template <class Function> Function* function_at(int number) {
    return reinterpret_cast<Function*>(static_cast<std::uintptr_t>(number));
}

// Null where there is no such thing.
const OfThread* load() {
    const EmbeddedFile& module = embedded_relaxed_kernels().front();
    auto mine = std::make_unique<OfThread>();
    const int first = lab_load_relaxed_kernels(module.data, module.size, mine->stack.bytes + sizeof mine->stack.bytes);
    if (first == 0) return nullptr;
    mine->kernels = {function_at<void(const PackedProduct&)>(first),
                     function_at<void(const PlainProduct<float>&)>(first + 1),
                     function_at<void(const SoftmaxRows&, RowSum&)>(first + 2),
                     function_at<void(const float*, int, float, int, float*)>(first + 3),
                     function_at<void(const float*, const RowSum*, int, int, float*)>(first + 4)};
    pthread_setspecific(key_of_threads(), mine.get());
    return mine.release();
}

bool are_wanted = true;

} // namespace

const RelaxedKernels* relaxed_kernels() {
    static const bool are_there = load() != nullptr;
    if (!are_there || !are_wanted) return nullptr;
    const auto* mine = static_cast<const OfThread*>(pthread_getspecific(key_of_threads()));
    if (!mine) mine = load();
    // What the page's own thread could load a worker can, but for want of memory. Then nothing goes on: other bits would be wrong.
    if (!mine) std::abort();
    return &mine->kernels;
}

void use_relaxed_kernels(bool are_used) { are_wanted = are_used; }

} // namespace lab
