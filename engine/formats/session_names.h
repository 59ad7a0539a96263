#pragma once

#include <string>

namespace lab {

constexpr const char* kSessionFormat = "attention-lab/session";
constexpr int kSessionVersion = 1;

// Is this a name that `tensors` of a session may hold?
bool is_document_tensor(const std::string& name);

} // namespace lab
