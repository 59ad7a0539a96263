#include "engine/formats/number_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lab {

static bool brings_back(const char* text, float value) {
    return std::strtof(text, nullptr) == value && static_cast<float>(std::strtod(text, nullptr)) == value;
}

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
    for (int digits = 1; digits <= 9; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, wide);
        if (brings_back(text, value)) break; // with 9 digits it always does
    }
    return text;
}

std::string json_number(float value) {
    const std::string text = shortest_text(value);
    return std::isfinite(value) ? text : '"' + text + '"';
}

} // namespace lab
