#pragma once

#include <string>

#include "engine/program_builder.h"

namespace lab {

// What is said where memory holds a program's tensors, but not their gradient too; empty where it holds both. Shorter texts help
// where numbers between tokens are the most: then it says how many tokens would do.
std::string error_if_too_large(ProgramBuilder& builder);

} // namespace lab
