#pragma once

namespace lab {

// Functions of one number that steps apply and derivations name. The same bits on every platform: computed in float64 from
// operations that IEEE 754 rounds exactly (engine/kernels/transcendental.h), in float32 then rounded once.
enum class Function {
    square_root,
    logarithm, // natural
    sine,
    cosine,
    tanh,
    tanh_slope, // 1 − tanh²
    sigmoid,    // σ(x) = 1 / (1 + e^−x)
    sigmoid_slope,
    relu, // x where x > 0, else 0
    relu_slope,
    gelu, // x · Φ(x), Φ(x) = (1 + erf(x / √2)) / 2
    gelu_slope,
    gelu_tanh, // x · (1 + tanh(√(2/π) · (x + 0.044715 x³))) / 2
    gelu_tanh_slope,
    silu, // x · σ(x)
    silu_slope,
};

double value_of(Function function, double x);
inline float value_of(Function function, float x) {
    return static_cast<float>(value_of(function, static_cast<double>(x)));
}

// Of tanh, sigmoid, relu, gelu, gelu_tanh and silu: its derivative; relu's is 0 at its kink.
Function slope_of(Function function);

// "√", "tanh", "tanh′": what stands before the brackets.
const char* name_of(Function function);

} // namespace lab
