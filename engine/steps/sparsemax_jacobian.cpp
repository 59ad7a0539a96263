#include "engine/steps/row_jacobian.h"

namespace lab {

namespace {

// y[h · n_k + j, i, k] = s[j] · (δ[j, k] − s[k] / Σ s), with s 1 in the support and 0 outside.
class SparsemaxJacobian final : public RowJacobian<SparsemaxJacobian> {
  public:
    std::string_view kind() const override { return "sparsemax_jacobian"; }

    template <class T> void slopes(const T* weights, int n, int j, T* y) const {
        T n_support = 0;
        for (int k = 0; k < n; ++k) n_support += counts(weights[k]);
        for (int k = 0; k < n; ++k) {
            const T own = j == k ? T(1) : T(0);
            y[k] = n_support == 0 ? T(0) : counts(weights[j]) * (own - counts(weights[k]) / n_support);
        }
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        using Kind = Expression::Kind;
        const int n = operands[0].shape.cols;
        Expression n_support = Expression::make(Kind::sum, {}, "keys in the support");
        std::vector<Expression> because;
        for (int k = 0; k < n; ++k) {
            because.push_back(number_of_row(operands, cell, k));
            const float weight = operands[0].at({head_of(operands, cell), cell.row, k});
            const char* reason = weight > 0 ? "in the support" : "outside the support";
            n_support.parts.push_back(Expression::given(static_cast<double>(counts(weight)), reason, {because.back()}));
        }
        if (evaluate(n_support) == 0) return Expression::given(0, "no key has a weight", std::move(because));
        const Expression own = n_support.parts[static_cast<std::size_t>(key_of(operands, cell))];
        const Expression other = n_support.parts[static_cast<std::size_t>(cell.col)];
        const Expression share = Expression::make(Kind::quotient, {other, std::move(n_support)});
        return Expression::make(Kind::product,
                                {own, Expression::make(Kind::difference, {is_own_key(operands, cell), share})});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "δ[j, k] − 1 / n where " + names[0] + " > 0 in n keys, j and k among them, else 0";
    }

  private:
    // 1 in the support, 0 outside; a weight that is not a number stays so.
    template <class T> static T counts(T weight) { return weight > 0 ? T(1) : weight * 0; }
};

} // namespace

StepPtr sparsemax_jacobian() { return std::make_shared<SparsemaxJacobian>(); }

} // namespace lab
