#pragma once

namespace lab {

// Functions of one or two numbers in float64 from + − × ÷ √ alone, operations that IEEE 754 rounds exactly: so natively and in
// WebAssembly the bits are the same, which libm's are not. Within 1e-12 of the value, relative, except where said. Not a
// number gives not a number. (e^x: engine/kernels/elementary.h.)

// ln x; −∞ at 0, not a number below.
double logarithm(double x);

// base^exponent for base > 0, as e^(exponent · ln base): the error grows with |exponent · ln base|, 1e-12 up to 1000.
double power(double base, double exponent);

// Within 1e-12, absolutely, for |x| up to 1e6, beyond that |x| · 1e-16. ±∞ gives not a number.
double sine(double x);
double cosine(double x);

// (e^x − e^−x) / (e^x + e^−x), also near 0 without cancellation.
double hyperbolic_tangent(double x);

// 1 / (1 + e^−x)
double sigmoid(double x);

// φ(x) = e^(−x²/2) / √(2π), and Φ(x) = ∫ φ from −∞ to x = (1 + erf(x/√2)) / 2, also where it is nearly 0.
double normal_density(double x);
double normal_cumulative(double x);

} // namespace lab
