#pragma once

#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

namespace lab {

// Reading what a person typed. Spaces are those of the C locale.

inline std::string_view trimmed(std::string_view text) {
    const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

// "12", " 12 "; absent for what is no whole number from 0 on that an int holds.
inline std::optional<int> whole_number(std::string_view text) {
    text = trimmed(text);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && end == text.data() + text.size() && number >= 0;
    return is_whole ? std::optional(number) : std::nullopt;
}

} // namespace lab
