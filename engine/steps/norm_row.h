#pragma once

#include <cmath>
#include <string>

#include "engine/steps/steps.h"

namespace lab {

// Mean and deviation of a row as a norm divides by it: √(Σ (x − mean)² / d + ε), the mean being 0 for RMSNorm.
template <class T> struct Moments {
    T mean;
    T deviation;
};
template <class T> Moments<T> moments_of(const T* x, int d, const NormRule& rule) {
    T sum = 0, squares = 0;
    for (int k = 0; k < d && rule.is_centred; ++k) sum += x[k];
    const T mean = sum / static_cast<T>(d);
    for (int k = 0; k < d; ++k) squares += (x[k] - mean) * (x[k] - mean);
    return {mean, std::sqrt(squares / static_cast<T>(d) + static_cast<T>(rule.epsilon))};
}

// A row of operand 0 in derivations. The mean is written out once and then stands as a number, for else the text of a
// row of d numbers would have d² parts.
class NormedRow {
  public:
    NormedRow(Operands<float> operands, Cell cell, const NormRule& rule);

    const Expression& deviation() const { return deviation_; }

    // (x − mean) / deviation, with mean and deviation written out; and as numbers that were written out before.
    Expression written_out(int col) const;
    Expression in_short(int col) const;

  private:
    Expression x(int col) const;
    Expression centred(int col, const Expression& mean) const;

    ConstView<float> operand_;
    Cell cell_;
    NormRule rule_;
    Expression mean_;
    Expression mean_number_;
    Expression deviation_;
    Expression deviation_number_;
};

std::string norm_key(const NormRule& rule);

} // namespace lab
