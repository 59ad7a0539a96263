#include "app/views/cell_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/session/trace_text.h"
#include "app/views/matrix_cells.h"

namespace lab {

namespace {

// How many decimals a number of half the greatest magnitude needs so that it is not written as zero.
int decimals_needed(float greatest) {
    return greatest > 0 ? static_cast<int>(std::ceil(std::log10(2.0f / greatest))) : 0;
}

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

int decimals_that_fit(const std::vector<float>& cells, FigureRoom room) {
    float greatest = 0;
    bool all_whole = true, has_signs = false;
    for (float value : cells) {
        if (!std::isfinite(value)) continue;
        greatest = std::max(greatest, std::fabs(value));
        all_whole = all_whole && value == std::floor(value);
        has_signs = has_signs || value < 0;
    }
    if (all_whole) return 0;
    const int n_whole = 1 + (greatest >= 10);
    const int n_left = room.n_figures - n_whole - 1 - (has_signs ? 1 : 0); // after the point
    const bool is_near = n_left >= 5 && room.are_large; // not where only the figures have become small
    const int decimals = std::clamp(n_left, 0, is_near ? 4 : 2);
    const int needed = n_left >= 2 ? decimals_needed(greatest) : 0;
    return needed <= decimals ? decimals : needed <= n_left ? needed : kWithExponent;
}

std::string cell_number(float value, int decimals) {
    if (std::isnan(value)) return "NaN";
    if (std::fabs(value) >= 1e5f && std::isfinite(value)) return short_exponent_text(value);
    if (decimals == kWithExponent && !std::isfinite(value)) return number_text(static_cast<double>(value), 0);
    if (decimals == kWithExponent) return value == 0 ? "0" : short_exponent_text(value);
    const bool is_rounded_away = std::fabs(static_cast<double>(value)) < 0.5 * std::pow(10.0, -decimals);
    const std::string text = number_text(is_rounded_away ? 0 : static_cast<double>(value), decimals);
    const bool says_zero = std::isfinite(value) && text.find_first_of("123456789") == std::string::npos;
    return says_zero ? number_text(0, decimals) : text; // a zero has no sign
}

std::string short_exponent_text(float value) { return exponent_text(value, "%.1e"); }
std::string whole_exponent_text(float value) { return value == 0 ? "0" : exponent_text(value, "%.0e"); }

} // namespace lab
