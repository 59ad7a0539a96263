#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

namespace lab {

// What softmax does to a row, and to sums over rows, in vectors. The bits are the same with
// vectors of any width, natively and in WebAssembly, but for powers of long rows.

// Rows of so many numbers and more are long: where a product and a sum are rounded once (`rounds_once`, engine/kernels/product.h) their
// powers are FloatPowerOfTwo's (engine/kernels/elementary.h, which says how close), else `exponential` as of all others.
constexpr int kLongRow = 64;

// What softmax keeps of a row of scores x: its weights are e^(x[j] − shift) · (1 / sum), or 0 where the sum is 0.
struct RowSum {
    float shift = 0;
    float sum = 0;
};

// The greatest of n numbers, −∞ of none. With a NaN among them it is any of them or NaN.
float row_maximum(const float* x, int n);

// What a row spans. Where it holds a NaN, least and greatest mean nothing.
struct RowSpan {
    float least = 0;    // of the numbers above −∞; the greatest float where there are none
    float greatest = 0; // −∞ of none
    bool has_nan = false;
    bool has_masked = false; // −∞
};
RowSpan row_span(const float* x, int n);

// y[k] = the greater of x[2 k] and x[2 k + 1], of an odd number the last alone: (n + 1) / 2 numbers, none a NaN. y may be x.
void greater_of_pairs(const float* x, int n, float* y);

// Whether x rather than y stands for both where what is farther from 0 does, of two as far the greater: −∞ only for −∞, and no NaN.
inline bool is_farther(float x, float y) {
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    const float of_x = x == kMasked ? -1.0f : std::fabs(x), of_y = y == kMasked ? -1.0f : std::fabs(y);
    return of_x > of_y || (of_x == of_y && x > y);
}

// y[j] = the greater of x[j] and y[j], or the farther from 0; NaN where one of them is. y is not x.
void keep_greater(const float* x, int n, float* y);
void keep_farther(const float* x, int n, float* y);

// y[j] = e^(x[j] − shift), each as `exponential` (engine/kernels/elementary.h) gives it. Returns their sum: sixteen partial
// sums, number j in partial sum j mod 16, which are then added in halves (8 and 8, 4 and 4, …). y may be x.
float exponentials_of_row(const float* x, int n, float shift, float* y);

// y = softmax(x): e^(x[j] − shift) / Σ, shift the greatest of x and, where there is one, of the sink, whose power the sum holds
// too. The division is by a product with 1 / Σ. All of x −∞ gives zeros and RowSum{}. y may be x; n at least 1.
RowSum softmax_row(const float* x, int n, const float* sink, float* y);

// The same of several rows, each of x · factor; strides count floats from row to row. The factor is a power of two, at most 1: such
// a product is rounded only where it is too small to change any e^x, and is infinite only where x is. y may be x, with the same
// stride.
struct SoftmaxRows {
    const float* x;
    std::ptrdiff_t x_stride;
    int n_rows;
    int n;
    float factor;
    const float* sink; // one of all rows, not multiplied; or none
    float* y;
    std::ptrdiff_t y_stride;
};
void softmax_rows(const SoftmaxRows& of);

// Weights of n scores of a row, which has row_length of them: the bits of softmax_row. y may be x.
void weights_in_row(const float* x, int n, const RowSum& row, int row_length, float* y);

// y[i] = e^(x[i] − sums[i].shift), the power that a row of row_length scores and this shift takes of x[i]. y may be x.
void powers_in_rows(const float* x, const RowSum* sums, int n, int row_length, float* y);

// y[j] = x[j] · factor; y may be x.
void scale_row(const float* x, int n, float factor, float* y);

// y[j] = y[j] + factor · x[j]. Returns the greatest |y[j]| then, which is not finite where a y[j] is not; 0 of none. y is not x.
float add_multiple(float factor, const float* x, int n, float* y);

// Sums that are kept of a row in float64. A term changes: sums[j] = sums[j] + (gained · now[j] − lost · before[j]).
void exchange_term(double* sums, int n, double gained, const float* now, double lost, const float* before);
// y[j] = sums[j] · factor, rounded. False: not all of them are finite.
bool scale_sums(const double* sums, int n, double factor, float* y);

} // namespace lab
