#include "engine/formats/number_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lab {

static bool brings_back(const char* text, float value) {
    return std::strtof(text, nullptr) == value && static_cast<float>(std::strtod(text, nullptr)) == value;
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
