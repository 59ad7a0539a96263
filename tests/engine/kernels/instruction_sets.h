#pragma once

#include <functional>

namespace lab::test {

// Calls f with the kernels running as on every kind of processor that this one can stand for; `name` is its instruction set.
void for_each_instruction_set(const std::function<void(const char* name)>& f);

} // namespace lab::test
