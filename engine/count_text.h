#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace lab {

// "1 row", "3 rows"
inline std::string count_text(std::size_t n, const std::string& thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

// "16,384"
inline std::string grouped(std::uint64_t n) {
    std::string text = std::to_string(n);
    // As one character: GCC 12 sees a text overlap itself here.
    for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}
inline std::string grouped(int n) { return grouped(static_cast<std::uint64_t>(n)); }

// "Your", "Your and starts", "Your, starts and step"
inline std::string listed(const std::vector<std::string>& items) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
        text += items[i];
    }
    return text;
}

// "0.25": at most so many significant digits. 6 are to be read; 9 tell any two float32 apart.
inline std::string digits_text(double value, int n_digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", n_digits, value);
    return text;
}

} // namespace lab
