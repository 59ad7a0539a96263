#pragma once

#include <cmath>

namespace lab {

// Functions of one number that steps apply and derivations name. The same bits on every platform in float32: computed in
// float64 from operations that IEEE 754 rounds exactly, then rounded once.
enum class Function { square_root };

inline double value_of(Function function, double x) {
    switch (function) {
    case Function::square_root: return std::sqrt(x);
    }
    return x;
}
inline float value_of(Function function, float x) {
    return static_cast<float>(value_of(function, static_cast<double>(x)));
}

// "√", "tanh": what stands before the brackets.
inline const char* name_of(Function function) {
    switch (function) {
    case Function::square_root: return "√";
    }
    return "";
}

} // namespace lab
