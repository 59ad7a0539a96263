#include "engine/kernels/elementary.h"
#include "engine/steps/row_jacobian.h"

namespace lab {

namespace {

// y[h · n_k + j, i, k] = (δ[j, k] − x[j] / Σ x) / Σ x, 0 where j or k is masked or Σ x is 0.
class DivideBySumJacobian final : public RowJacobian<DivideBySumJacobian> {
  public:
    std::string_view kind() const override { return "divide_by_sum_jacobian"; }

    template <class T> void slopes(const T* x, int n, int j, T* y) const {
        T sum = 0;
        for (int k = 0; k < n; ++k) sum += is_masked(x[k]) ? T(0) : x[k];
        for (int k = 0; k < n; ++k) {
            const bool has_slope = sum != 0 && !is_masked(x[j]) && !is_masked(x[k]);
            y[k] = has_slope ? ((j == k ? T(1) : T(0)) - x[j] / sum) / sum : T(0);
        }
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        using Kind = Expression::Kind;
        const int n = operands[0].shape.cols, j = key_of(operands, cell);
        Expression sum = Expression::make(Kind::sum, {}, "Σ");
        std::vector<Expression> row;
        for (int k = 0; k < n; ++k) {
            row.push_back(number_of_row(operands, cell, k));
            const bool is_hidden = is_masked(static_cast<float>(row.back().value));
            sum.parts.push_back(is_hidden ? Expression::given(0, "masked", {row.back()}) : row.back());
        }
        if (evaluate(sum) == 0) return Expression::given(0, "the row sums to 0", std::move(row));
        const auto is_given = [&](int k) {
            return sum.parts[static_cast<std::size_t>(k)].kind == Expression::Kind::given;
        };
        if (is_given(j) || is_given(cell.col)) return Expression::given(0, "the key is masked", std::move(row));
        const Expression share = Expression::make(Kind::quotient, {row[static_cast<std::size_t>(j)], sum});
        return Expression::make(Kind::quotient,
                                {Expression::make(Kind::difference, {is_own_key(operands, cell), share}), sum});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "(δ[j, k] − " + names[0] + "[j] / Σ) / Σ of the row";
    }
};

} // namespace

StepPtr divide_by_sum_jacobian() { return std::make_shared<DivideBySumJacobian>(); }

} // namespace lab
