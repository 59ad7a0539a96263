#include "app/views/cell_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/session/trace_text.h"
#include "app/views/matrix_cells.h"

namespace lab {

namespace {

// The last decimal of a number's first digit: 3 of 0.0034.
int decimal_of(float magnitude) { return static_cast<int>(std::ceil(-std::log10(magnitude))); }

// Magnitudes of the numbers that are no 0 to the eye.
std::vector<float> seen_magnitudes(const std::vector<float>& cells, float least_seen) {
    std::vector<float> seen;
    for (const float value : cells) {
        const float magnitude = std::fabs(value);
        if (std::isfinite(value) && magnitude > 0 && magnitude >= least_seen) seen.push_back(magnitude);
    }
    return seen;
}

constexpr float kLeastPlain = 0.01f; // beside numbers with an exponent

std::string exponent_text(float value, const char* format) {
    char text[32];
    std::snprintf(text, sizeof text, format, static_cast<double>(std::fabs(value)));
    std::string mantissa(text);
    const std::size_t e = mantissa.find('e');
    if (e == std::string::npos) return (value < 0 ? "−" : "") + mantissa; // inf, nan
    const int exponent = std::atoi(mantissa.c_str() + e + 1);
    mantissa.resize(e);
    return (value < 0 ? "−" : "") + mantissa + "e" + (exponent < 0 ? "−" : "") + std::to_string(std::abs(exponent));
}

} // namespace

int decimals_that_fit(const std::vector<float>& cells, FigureRoom room, float least_seen) {
    constexpr float kSmall = 5e-3f, kVerySmall = 1e-3f; // what two decimals say nothing of, and three
    int n_whole = 1;                                    // before the point, a sign included
    bool all_whole = true;
    for (float value : cells) {
        if (!std::isfinite(value)) continue;
        n_whole = std::max(n_whole, (std::fabs(value) >= 10 ? 2 : 1) + (value < 0 ? 1 : 0));
        all_whole = all_whole && value == std::floor(value);
    }
    if (all_whole) return 0;
    const int n_left = room.n_figures - n_whole - 1;    // after the point
    const bool is_near = n_left >= 5 && room.are_large; // not where only the figures have become small
    const int decimals = std::clamp(n_left, 0, is_near ? 4 : 2);
    if (n_left < 2) return decimals;
    std::vector<float> seen = seen_magnitudes(cells, least_seen);
    if (seen.empty()) return decimals;
    const auto middle = seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2);
    std::nth_element(seen.begin(), middle, seen.end());
    const float typical = *middle, least = *std::min_element(seen.begin(), middle + 1);
    if (typical >= kSmall) return std::max(decimals, std::min(n_left, decimal_of(2 * least)));
    const int with_two_digits = decimal_of(typical) + 1;
    if (with_two_digits <= n_left) return with_two_digits;
    return typical >= kVerySmall && with_two_digits - 1 <= n_left ? n_left : kWithExponent;
}

std::string cell_number(float value, int decimals) {
    if (std::isnan(value)) return "NaN";
    if (std::fabs(value) >= 1e5f && std::isfinite(value)) return short_exponent_text(value);
    if (decimals == kWithExponent && !std::isfinite(value)) return number_text(static_cast<double>(value), 0);
    if (decimals == kWithExponent && value == 0) return "0";
    if (decimals == kWithExponent)
        return std::fabs(value) < kLeastPlain ? short_exponent_text(value) : number_text(static_cast<double>(value), 2);
    const bool is_rounded_away = std::fabs(static_cast<double>(value)) < 0.5 * std::pow(10.0, -decimals);
    const std::string text = number_text(is_rounded_away ? 0 : static_cast<double>(value), decimals);
    return std::isfinite(value) && says_zero(text) ? number_text(0, decimals) : text; // a zero has no sign
}

std::optional<float> number_said(const std::string& number) {
    constexpr std::string_view kMinus = "−"; // of more than one byte
    std::string plain = number;
    for (std::size_t at = plain.find(kMinus); at != std::string::npos; at = plain.find(kMinus))
        plain.replace(at, kMinus.size(), "-");
    if (plain.find_first_of("0123456789") == std::string::npos) return std::nullopt;
    return std::strtof(plain.c_str(), nullptr);
}

bool says_zero(const std::string& number) { return number.find_first_of("123456789") == std::string::npos; }

std::string short_exponent_text(float value) { return exponent_text(value, "%.1e"); }
std::string whole_exponent_text(float value) { return value == 0 ? "0" : exponent_text(value, "%.0e"); }

} // namespace lab
