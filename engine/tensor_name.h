#pragma once

#include <string>
#include <string_view>

namespace lab {

// The name within a block: "W_query" of "blocks.2.W_query"; other names as they are.
std::string_view name_in_block(std::string_view name);

// What stands before it: "blocks.2." or nothing.
std::string_view block_prefix(std::string_view name);

std::string prefix_of_block(int block); // "blocks.2."

// A gradient's name: "grad.W_query" of "W_query".
std::string gradient_name(std::string_view of);

// What it is the gradient of: "W_query" of "grad.W_query"; other names as they are.
std::string_view name_without_gradient(std::string_view name);

} // namespace lab
