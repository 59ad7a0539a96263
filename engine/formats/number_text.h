#pragma once

#include <optional>
#include <string>

namespace lab {

// The nearest float32. Nothing where a finite number is half a step or more beyond the greatest, 3.4028235e+38;
// infinities and NaN stay what they are.
std::optional<float> to_float32(double number);
constexpr const char* kFloat32Ends = "float32 ends at 3.4028235e+38"; // the other fact of that error

// A float32 with the fewest digits that bring back the same bits, whether the reader goes to float32 directly
// or, as JavaScript and Python do, by way of float64. Whole numbers below 2²⁴ have no exponent; −0 is "-0.0";
// "inf", "-inf" and "nan" for what no decimal number stands for.
std::string shortest_text(float value);

// As JSON writes it: shortest_text, the last three of which are strings in quotation marks.
std::string json_number(float value);

} // namespace lab
