#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace lab {

// "1 row", "3 rows"
inline std::string count_text(std::size_t n, const std::string& thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

// "0.25": at most so many significant digits. 6 are to be read; 9 tell any two float32 apart.
inline std::string digits_text(double value, int n_digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", n_digits, value);
    return text;
}

} // namespace lab
