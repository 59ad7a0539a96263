// Brings engine/kernels/relaxed_product_module_for_web.cpp into the program, anew in every thread: in a page each has functions of its own.
#include "engine/kernels/relaxed_product.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "engine/embedded_file.h"

// relaxed_product_for_web.js: makes the module's functions ones that this thread can call, and returns the number of the first,
// or 0 where that cannot be.
extern "C" int lab_load_relaxed_product(const char* code, std::size_t size, char* stack_end);

namespace lab {

const std::vector<EmbeddedFile>& embedded_relaxed_product(); // cmake/relaxed_product.cmake

namespace {

// The module was linked by itself, and knows of no memory that is free but what it is given.
constexpr std::size_t kStackBytes = 4096;

struct OfThread {
    bool is_loaded = false;
    RelaxedProducts products{};
    alignas(16) char stack[kStackBytes];
};
thread_local OfThread of_thread;

template <class Function> Function* function_at(int number) {
    return reinterpret_cast<Function*>(static_cast<std::uintptr_t>(number));
}

bool load(OfThread& mine) {
    const EmbeddedFile& module = embedded_relaxed_product().front();
    const int first = lab_load_relaxed_product(module.data, module.size, mine.stack + kStackBytes);
    if (first == 0) return false;
    mine.products = {function_at<void(const PackedProduct&)>(first),
                     function_at<void(const PlainProduct<float>&)>(first + 1)};
    mine.is_loaded = true;
    return true;
}

bool are_wanted = true;

} // namespace

const RelaxedProducts* relaxed_products() {
    static const bool are_there = load(of_thread);
    if (!are_there || !are_wanted) return nullptr;
    // What one thread could load another can; if there is no memory left for it, nothing goes on: other bits would be wrong.
    if (!of_thread.is_loaded && !load(of_thread)) std::abort();
    return &of_thread.products;
}

void use_relaxed_products(bool are_used) { are_wanted = are_used; }

} // namespace lab
