#include "engine/written_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <utility>

namespace lab {

namespace {

double scale_of(int decimals) {
    constexpr double kScales[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    return decimals >= 0 && decimals < 8 ? kScales[decimals] : std::pow(10.0, decimals);
}

bool has_exponent(double value, double least) {
    const double magnitude = std::fabs(value);
    return magnitude >= 1e6 || (magnitude != 0 && magnitude < least);
}

// Of numbers without an exponent.
constexpr double kLeastPlain = 1e-5;
int decimals_of(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude >= 1e3) return magnitude >= 1e5 ? 1 : magnitude >= 1e4 ? 2 : 3; // seven figures, as a float32 holds
    if (magnitude >= 1e-3 || magnitude == 0) return 4;
    return magnitude >= 1e-4 ? 6 : 7;
}

// By more than one in the last place that is written: of decimals, or three digits of what is small or very large.
bool is_clearly_apart(double a, double b) {
    constexpr double kOfLastPlace = 1.01, kOfThreeDigits = 0.0101;
    const double magnitude = std::max(std::fabs(a), std::fabs(b));
    const bool has_three_digits = magnitude < 1e-3 || magnitude >= 1e6;
    const double apart =
        has_three_digits ? kOfThreeDigits * magnitude : kOfLastPlace / scale_of(decimals_of(magnitude));
    return std::fabs(a - b) > apart;
}

struct Digits {
    int decimals = 0;
    int of_exponent_form = 0;
    bool has_exponent = false;
};

// As printf's "%.*f" has it, of 0 or more: nothing where that takes more than a multiplication to tell.
std::optional<std::string> rounded_text(double magnitude, int decimals) {
    constexpr double kMost = 1e15, kRounding = 0x1p-52; // of the product
    if (decimals < 0 || decimals > 7) return std::nullopt;
    const double scaled = magnitude * scale_of(decimals), whole = std::floor(scaled), rest = scaled - whole;
    if (!(scaled < kMost) || std::fabs(rest - 0.5) <= scaled * kRounding) return std::nullopt;
    char digits[24];
    const auto number = static_cast<std::uint64_t>(whole) + (rest > 0.5 ? 1 : 0);
    std::string text(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
    if (decimals == 0) return text;
    const std::size_t n = static_cast<std::size_t>(decimals);
    if (text.size() <= n) text.insert(0, n + 1 - text.size(), '0');
    return text.insert(text.size() - n, 1, '.');
}

std::string magnitude_text(double magnitude, const Digits& digits) {
    if (!digits.has_exponent) {
        if (std::optional<std::string> text = rounded_text(magnitude, digits.decimals)) return *std::move(text);
    }
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, digits.has_exponent ? "%.*e" : "%.*f",
                  digits.has_exponent ? digits.of_exponent_form : digits.decimals, magnitude);
    return buffer;
}

std::string written(double value, const Digits& digits) {
    if (std::isnan(value)) return "not a number";
    if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
    const std::string text = magnitude_text(std::fabs(value), digits);
    return std::signbit(value) && value != 0 ? "−" + text : text;
}

} // namespace

std::string number_text(double value, int decimals) {
    return written(value, {decimals, 2, has_exponent(value, 0.5 / scale_of(decimals))});
}

std::string number_text(double value) {
    return written(value, {decimals_of(value), 2, has_exponent(value, kLeastPlain)});
}

std::string percent_text(double share) {
    constexpr double kLeastWithOne = 0.995, kLeastWithTwoDigits = 0.0001;
    constexpr double kGreatestHidden = 0.05, kLeastRest = 1e-6; // one decimal would leave nothing of it; float32 ends
    if (!std::isfinite(share)) return "—";
    const double percent = 100 * share, magnitude = std::fabs(percent);
    const double rest = 100 - magnitude;
    if (rest > kLeastRest && rest < kGreatestHidden) { // 99.98 %, where others have a part yet
        const int decimals = static_cast<int>(std::ceil(-std::log10(rest)));
        return written(percent, {decimals, 1, false}) + "%";
    }
    if (magnitude >= kLeastWithOne || magnitude == 0) return written(magnitude == 0 ? 0 : percent, {1, 1, false}) + "%";
    int decimals = 1 - static_cast<int>(std::floor(std::log10(magnitude)));
    const bool has_a_digit_more = std::round(magnitude * scale_of(decimals)) >= 100;
    if (has_a_digit_more) --decimals; // 0.0999 % is 0.10 %, as 0.1001 % is
    return written(percent, {decimals, 1, magnitude < kLeastWithTwoDigits}) + "%";
}

bool is_written_alike(double a, double b) {
    if (is_clearly_apart(a, b)) return false;
    const int decimals = decimals_of(a);
    const double scale = scale_of(decimals);
    const auto is_plain = [&](double x) {
        constexpr double kAlmost = 1e-6; // half way between two numbers: left to who writes them
        const double scaled = x * scale;
        const bool is_halfway = std::fabs(std::fabs(scaled - std::trunc(scaled)) - 0.5) < kAlmost;
        return std::isfinite(x) && !has_exponent(x, kLeastPlain) && !is_halfway && decimals_of(x) == decimals;
    };
    if (is_plain(a) && is_plain(b)) return std::round(a * scale) == std::round(b * scale);
    return number_text(a) == number_text(b);
}

} // namespace lab
