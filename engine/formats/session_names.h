#pragma once

#include <string>

namespace lab {

constexpr const char* kSessionFormat = "attention-lab/session";
constexpr int kSessionVersion = 1;

// Is this a name that `tensors` of a session may hold?
bool is_document_tensor(const std::string& name);

// Whether the tensor `a` is written before `b`, both of the table of document tensors: in the table's order, with the
// tensors of all blocks, block by block, where the first of a block stands.
bool stands_before(const std::string& a, const std::string& b);

} // namespace lab
