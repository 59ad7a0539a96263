#pragma once

#include <string>
#include <vector>

namespace lab {

// Texts as a JSON list on one line.
std::string json_list(const std::vector<std::string>& texts);

} // namespace lab
