#include "engine/formats/number_text.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <nlohmann/json.hpp>

namespace lab {

namespace {

// A number above 0: its digits · 10^exponent. No zero at either end.
struct Decimal {
    char digits[std::numeric_limits<double>::max_digits10] = {};
    int n = 0;
    int exponent = 0;
};

// Few digits that bring a number back; now and then one more than is needed. (Grisu2 by F. Loitsch, as the JSON library has it.)
Decimal few_digits(float value) {
    Decimal decimal;
    nlohmann::detail::dtoa_impl::grisu2(decimal.digits, decimal.n, decimal.exponent, value);
    return decimal;
}

// Rounded to a digit less, of at least two.
Decimal shortened(Decimal decimal) {
    --decimal.n;
    ++decimal.exponent;
    if (decimal.digits[decimal.n] < '5') return decimal;
    while (decimal.n > 0 && decimal.digits[decimal.n - 1] == '9') --decimal.n, ++decimal.exponent;
    if (decimal.n > 0)
        ++decimal.digits[decimal.n - 1];
    else
        decimal.digits[decimal.n++] = '1';
    return decimal;
}
Decimal without_last_zeros(Decimal decimal) {
    while (decimal.n > 1 && decimal.digits[decimal.n - 1] == '0') --decimal.n, ++decimal.exponent;
    return decimal;
}

// As printf's %g writes it.
std::string text_of(const Decimal& decimal) {
    const std::string digits(decimal.digits, static_cast<std::size_t>(decimal.n));
    const int first = decimal.exponent + decimal.n - 1; // the first digit's power of ten
    if (first < -4 || first >= decimal.n) {
        const std::string power = std::to_string(std::abs(first));
        const std::string rest = decimal.n > 1 ? "." + digits.substr(1) : std::string();
        return digits.substr(0, 1) + rest + (first < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
    }
    if (first < 0) return "0." + std::string(static_cast<std::size_t>(-first - 1), '0') + digits;
    const std::size_t n_whole = static_cast<std::size_t>(first) + 1;
    return n_whole == digits.size() ? digits : digits.substr(0, n_whole) + "." + digits.substr(n_whole);
}

// Whether a float64 may have been rounded to where it is in the middle of two float32, or is near those with fewer bits.
bool decides_nothing(double read) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &read, sizeof bits);
    constexpr std::uint64_t kRounded = (1 << 29) - 1, kMiddle = 1 << 28; // the bits that a float32 has not
    return read < static_cast<double>(std::numeric_limits<float>::min()) || (bits & kRounded) == kMiddle;
}

bool brings_back(const std::string& text, float value) {
    const double read = std::strtod(text.c_str(), nullptr);
    return static_cast<float>(read) == value && (!decides_nothing(read) || std::strtof(text.c_str(), nullptr) == value);
}

// Of a number above 0.
std::string fewest_digits_slowly(float value) {
    char text[32];
    for (int digits = 1; digits <= 9; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
        if (brings_back(text, value)) break; // with 9 digits it always does
    }
    return text;
}
std::string fewest_digits(float value) {
    Decimal decimal = few_digits(value);
    std::string text = text_of(decimal);
    if (!brings_back(text, value)) return fewest_digits_slowly(value); // a single one, by way of float64
    while (decimal.n > 1) {
        decimal = without_last_zeros(shortened(decimal));
        std::string shorter = text_of(decimal);
        if (!brings_back(shorter, value)) break;
        text = std::move(shorter);
    }
    return text;
}

} // namespace

std::optional<float> to_float32(double number) {
    constexpr double kBeyond = 0x1.ffffffp127; // from here on a number would be rounded to infinity
    constexpr double kGreatest = static_cast<double>(std::numeric_limits<float>::max());
    if (!std::isfinite(number)) return static_cast<float>(number);
    if (std::fabs(number) >= kBeyond) return std::nullopt;
    return static_cast<float>(std::fmax(-kGreatest, std::fmin(kGreatest, number)));
}

std::string shortest_text(float value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0.0f ? "inf" : "-inf";
    if (value == 0.0f) return std::signbit(value) ? "-0.0" : "0";
    char text[32];
    const double wide = static_cast<double>(value);
    if (std::fabs(value) < 16777216.0f && value == std::trunc(value)) {
        std::snprintf(text, sizeof text, "%.0f", wide);
        return text;
    }
    return value < 0 ? "-" + fewest_digits(-value) : fewest_digits(value);
}

std::string json_number(float value) {
    const std::string text = shortest_text(value);
    return std::isfinite(value) ? text : '"' + text + '"';
}

} // namespace lab
