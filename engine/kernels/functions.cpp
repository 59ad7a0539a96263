#include "engine/kernels/functions.h"

#include <cassert>
#include <cmath>

#include "engine/kernels/elementary.h"
#include "engine/kernels/transcendental.h"

namespace lab {

namespace {

// 1 − tanh² = 4u / (1 + u)² with u = e^(−2|x|), which does not cancel where tanh is nearly ±1.
double tanh_slope(double x) {
    const double u = exponential(-2 * std::fabs(x));
    return 4 * u / ((1 + u) * (1 + u));
}

double sigmoid_slope(double x) { return sigmoid(x) * sigmoid(-x); }

// The approximation of GELU by tanh, with (1 + tanh u) / 2 = σ(2u).
constexpr double kTwiceRootOfTwoOverPi = 1.59576912160573071176;
constexpr double kCubic = 0.044715;
double twice_u(double x) { return kTwiceRootOfTwoOverPi * (x + kCubic * x * x * x); }
double gelu_tanh_slope(double x) {
    const double slope_of_twice_u = kTwiceRootOfTwoOverPi * (1 + 3 * kCubic * x * x);
    return sigmoid(twice_u(x)) + x * sigmoid_slope(twice_u(x)) * slope_of_twice_u;
}

} // namespace

double value_of(Function function, double x) {
    switch (function) {
    case Function::square_root: return std::sqrt(x);
    case Function::logarithm: return logarithm(x);
    case Function::sine: return sine(x);
    case Function::cosine: return cosine(x);
    case Function::tanh: return hyperbolic_tangent(x);
    case Function::tanh_slope: return tanh_slope(x);
    case Function::sigmoid: return sigmoid(x);
    case Function::sigmoid_slope: return sigmoid_slope(x);
    case Function::relu: return x <= 0 ? 0 : x;
    case Function::relu_slope: return x <= 0 ? 0 : std::isnan(x) ? x : 1;
    case Function::gelu: return x * normal_cumulative(x);
    case Function::gelu_slope: return normal_cumulative(x) + x * normal_density(x);
    case Function::gelu_tanh: return x * sigmoid(twice_u(x));
    case Function::gelu_tanh_slope: return gelu_tanh_slope(x);
    case Function::silu: return x * sigmoid(x);
    case Function::silu_slope: return sigmoid(x) + x * sigmoid_slope(x);
    }
    return x;
}

Function slope_of(Function function) {
    switch (function) {
    case Function::tanh: return Function::tanh_slope;
    case Function::sigmoid: return Function::sigmoid_slope;
    case Function::relu: return Function::relu_slope;
    case Function::gelu: return Function::gelu_slope;
    case Function::gelu_tanh: return Function::gelu_tanh_slope;
    case Function::silu: return Function::silu_slope;
    default: assert(false); return function;
    }
}

const char* name_of(Function function) {
    switch (function) {
    case Function::square_root: return "√";
    case Function::logarithm: return "ln";
    case Function::sine: return "sin";
    case Function::cosine: return "cos";
    case Function::tanh: return "tanh";
    case Function::tanh_slope: return "tanh′";
    case Function::sigmoid: return "sigmoid";
    case Function::sigmoid_slope: return "sigmoid′";
    case Function::relu: return "relu";
    case Function::relu_slope: return "relu′";
    case Function::gelu: return "gelu";
    case Function::gelu_slope: return "gelu′";
    case Function::gelu_tanh: return "gelu_tanh";
    case Function::gelu_tanh_slope: return "gelu_tanh′";
    case Function::silu: return "silu";
    case Function::silu_slope: return "silu′";
    }
    return "";
}

} // namespace lab
