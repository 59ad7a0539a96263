#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/steps/steps.h"

namespace lab {

// A step that makes every row of its one operand into a row of weights: Kind has
// `template <class T> T row(const T* x, int n, T* y) const`, which returns the sum that it divided by (0 where it
// divided by none), and `kSaturates`: whether a weight of 1 means that the row's gradient vanishes. A cell may depend on
// its whole row.
template <class Kind> class Normalise : public StepKind<Kind> {
  public:
    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        return operands[0];
    }

    // Whole rows, whatever columns are asked for; a part of a row goes through a buffer.
    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        std::vector<T> row(static_cast<std::size_t>(n));
        for_each_row(block, [&](int plane, int i) {
            static_cast<const Kind&>(*this).row(operands[0].row(plane, i), n, row.data());
            std::copy(row.begin() + block.cols.begin, row.begin() + block.cols.end,
                      result.row(plane, i) + block.cols.begin);
        });
    }

    Region reach(std::span<const Shape>, const Shape& result, int, const Block& changed) const override {
        return Block{changed.planes, changed.rows, {0, result.cols}};
    }

    std::optional<Notice> notice(Operands<float> operands, int plane, int i) const override {
        const int n = operands[0].shape.cols;
        const float* x = operands[0].row(plane, i);
        std::vector<float> weights(static_cast<std::size_t>(n));
        const float sum = static_cast<const Kind&>(*this).row(x, n, weights.data());
        if (all_masked(x, n)) return Notice::all_keys_masked;
        const bool all_finite = std::all_of(weights.begin(), weights.end(), [](float w) { return std::isfinite(w); });
        if (!all_finite || !std::isfinite(sum)) return Notice::overflow;
        if (sum == 0) return Notice::zero_sum;
        const auto n_masked = std::count_if(x, x + n, is_masked<float>);
        const bool saturated = Kind::kSaturates && n - n_masked > 1 && *std::max_element(weights.begin(), weights.end()) >= 0.99995f;
        return saturated ? std::optional(Notice::saturated) : std::nullopt;
    }

  protected:
    template <class T> static bool is_masked(T score) { return score == -std::numeric_limits<T>::infinity(); }
    template <class T> static bool all_masked(const T* x, int n) { return std::all_of(x, x + n, is_masked<T>); }

    // The cells of the row, for derivations.
    static std::vector<Expression> row_cells(Operands<float> operands, Cell cell) {
        std::vector<Expression> cells;
        for (int j = 0; j < operands[0].shape.cols; ++j) {
            const Cell at{cell.plane, cell.row, j};
            cells.push_back(Expression::cell({0, at}, operands[0].at(at)));
        }
        return cells;
    }
};

} // namespace lab
