#pragma once

#include <cstddef>
#include <string>

namespace lab {

// "1 row", "3 rows"
inline std::string count_text(std::size_t n, const std::string& thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

} // namespace lab
