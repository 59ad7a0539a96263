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

constexpr float kLeastPlain = 0.0951f; // beside numbers with an exponent: is written 0.10
constexpr float kLeastLarge = 1e5f;    // is written with an exponent
constexpr float kMostBelow1 = 0.999f;  // is not written 1.000

// What all numbers of a matrix must have room for.
struct LongestNumbers {
    int n_whole = 1; // figures before the point, a sign included
    bool are_whole = true;
    bool has_negative = false;
    float greatest = 0; // magnitude
};
LongestNumbers longest_of(const std::vector<float>& cells) {
    LongestNumbers found;
    for (const float value : cells) {
        const float magnitude = std::fabs(value);
        if (!std::isfinite(value) || magnitude >= kLeastLarge) continue;
        found.n_whole = std::max(found.n_whole, (magnitude >= 10 ? 2 : 1) + (value < 0 ? 1 : 0));
        found.are_whole = found.are_whole && value == std::floor(value);
        found.has_negative = found.has_negative || value < 0;
        found.greatest = std::max(found.greatest, magnitude);
    }
    return found;
}

// Of the numbers that are seen.
struct SmallNumbers {
    float typical = 0, least = 0;
};
struct DecimalRoom {
    int usual = 0;   // decimals in the usual size
    int smaller = 0; // in that of long numbers
};

// One form for all numbers, in which none of those that are seen reads as 0, unless larger ones leave no room for its decimals.
NumberForm form_of_small(SmallNumbers small, const LongestNumbers& all, DecimalRoom room, int n_figures) {
    constexpr float kSmall = 5e-3f, kVerySmall = 1e-3f;  // what two decimals say nothing of, and three
    constexpr int kMostWithoutZero = 3, kOfExponent = 6; // "1.2e−4"
    const int needed = decimal_of(2 * small.least), with_two_digits = decimal_of(small.typical) + 1;
    const bool is_small = small.typical < kSmall, is_very_small = small.typical < kVerySmall;
    if (!is_small && needed <= room.usual) return room.usual;
    if (!is_small && needed <= room.smaller) return needed;
    if (is_small && with_two_digits <= room.smaller) return with_two_digits;
    if (is_small && !is_very_small && with_two_digits - 1 <= room.smaller) return room.smaller;
    const int sign = all.has_negative ? 1 : 0, most_without_zero = std::min(n_figures - sign - 1, kMostWithoutZero);
    if (!is_very_small && needed <= most_without_zero && all.greatest < kMostBelow1) return {needed, false};
    if (!is_small && all.greatest >= kLeastPlain) return room.usual;
    return kOfExponent + sign <= n_figures ? kWithExponent : kWithWholeExponent;
}

// Whether so little would be said of most of the numbers that are none.
bool mostly_says_zero(const std::vector<float>& cells, NumberForm form) {
    const double least = 0.5 * std::pow(10.0, -form.decimals);
    std::ptrdiff_t n_zeros = 0, n_others = 0;
    for (const float cell : cells) {
        if (cell == 0 || !std::isfinite(cell)) continue;
        ++(std::fabs(static_cast<double>(cell)) < least ? n_zeros : n_others);
    }
    return n_zeros > n_others;
}

// "−.003"; "10.25" stays.
std::string without_zero(std::string number) {
    const std::string_view sign = "−";
    const std::size_t first = number.starts_with(sign) ? sign.size() : 0;
    if (number.compare(first, 2, "0.") == 0) number.erase(first, 1);
    return number;
}

} // namespace

NumberForm form_that_fits(const std::vector<float>& cells, FigureRoom room, float least_seen) {
    const LongestNumbers found = longest_of(cells);
    if (found.are_whole) return 0;
    const int n_left = room.n_figures - found.n_whole - 1, n_left_smaller = room.n_smaller - found.n_whole - 1;
    const bool is_near = n_left >= 5 && room.are_large; // not where only the figures have become small
    const int decimals = std::clamp(n_left, 0, is_near ? 4 : kUsualDecimals);
    std::vector<float> seen = seen_magnitudes(cells, least_seen);
    if (seen.empty()) return decimals;
    const auto middle = seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2);
    std::nth_element(seen.begin(), middle, seen.end());
    return form_of_small({*middle, *std::min_element(seen.begin(), middle + 1)}, found, {decimals, n_left_smaller},
                         room.n_smaller);
}

std::optional<NumberForm> short_form_that_fits(const std::vector<float>& cells, int n_figures) {
    constexpr int kPointAndTwo = 3; // ".08", "1.2"
    constexpr float kMostOfOneFigure = 9.95f, kMostTenths = 0.95f;
    constexpr float kLeastNegative = -0.005f; // of two decimals
    const LongestNumbers found = longest_of(cells);
    const std::string greatest = cell_number(found.greatest, 0);
    if (found.are_whole && static_cast<int>(greatest.size()) + (found.has_negative ? 1 : 0) <= n_figures) return 0;
    if (n_figures < kPointAndTwo || found.greatest >= kMostOfOneFigure) return std::nullopt;
    const bool has_negative = std::any_of(cells.begin(), cells.end(),
                                          [](float cell) { return std::isfinite(cell) && cell <= kLeastNegative; });
    if (has_negative && found.greatest >= kMostTenths) return std::nullopt;
    const bool has_zero = !has_negative && found.greatest > 1;
    const NumberForm form{has_negative || has_zero ? 1 : kUsualDecimals, has_zero};
    return mostly_says_zero(cells, form) ? std::nullopt : std::optional(form);
}

std::string cell_number(float value, NumberForm form) {
    const int decimals = form.decimals;
    if (std::isnan(value)) return "NaN";
    if (std::fabs(value) >= kLeastLarge && std::isfinite(value))
        return decimals == kWithWholeExponent ? whole_exponent_text(value) : short_exponent_text(value);
    if (decimals < 0 && !std::isfinite(value)) return number_text(static_cast<double>(value), 0);
    if (decimals < 0 && value == 0) return "0";
    if (decimals < 0 && std::fabs(value) >= kLeastPlain) return number_text(static_cast<double>(value), kUsualDecimals);
    if (decimals < 0) return decimals == kWithExponent ? short_exponent_text(value) : whole_exponent_text(value);
    const bool is_rounded_away = std::fabs(static_cast<double>(value)) < 0.5 * std::pow(10.0, -decimals);
    std::string text = number_text(is_rounded_away ? 0 : static_cast<double>(value), decimals);
    if (std::isfinite(value) && says_zero(text)) text = number_text(0, decimals); // a zero has no sign
    return form.has_zero ? text : without_zero(std::move(text));
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

std::string exponent_text(float value, int decimals) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*e", decimals, static_cast<double>(std::fabs(value)));
    std::string mantissa(text);
    const std::size_t e = mantissa.find('e');
    if (e == std::string::npos) return (value < 0 ? "−" : "") + mantissa; // inf, nan
    const int exponent = std::atoi(mantissa.c_str() + e + 1);
    mantissa.resize(e);
    return (value < 0 ? "−" : "") + mantissa + "e" + (exponent < 0 ? "−" : "") + std::to_string(std::abs(exponent));
}

std::string short_exponent_text(float value) { return exponent_text(value, 1); }
std::string whole_exponent_text(float value) { return value == 0 ? "0" : exponent_text(value, 0); }

} // namespace lab
