#pragma once

#include <string>

namespace lab {

// A number as the lab writes it: `decimals` places, a true minus sign, "−∞", "not a number".
std::string number_text(double value, int decimals);

// The same with four decimals, and where they would leave one digit or none, as of a weight among thousands, with three
// digits: "0.0000612", "6.12e-06".
std::string number_text(double value);

// A share of 1 in percent: "22.0%"; a small one with two digits, "0.0061%".
std::string percent_text(double share);

// Whether two numbers are written alike, for who compares thousands of them.
bool is_written_alike(double a, double b);

} // namespace lab
