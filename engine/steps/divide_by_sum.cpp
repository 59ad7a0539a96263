#include "engine/steps/normalise.h"

namespace lab {

namespace {

// Rows of weights from rows of scores: x / Σ x, a masked key (−∞) counting 0; a row that sums to zero becomes zeros.
class DivideBySum final : public Normalise<DivideBySum> {
  public:
    static constexpr bool kSaturates = false; // weights are no exponentials, and may even exceed 1

    std::string_view kind() const override { return "divide_by_sum"; }

    template <class T> T row(const T* x, int n, T* y) const {
        T sum = 0;
        for (int j = 0; j < n; ++j) sum += unmasked(x[j]);
        for (int j = 0; j < n; ++j) y[j] = sum == 0 ? T(0) : unmasked(x[j]) / sum;
        return sum;
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        std::vector<Expression> terms = row_cells(operands, cell);
        for (Expression& term : terms) {
            if (is_masked(term.value)) term = Expression::given(0, "masked", {term});
        }
        const Expression own = terms[static_cast<std::size_t>(cell.col)];
        Expression sum = Expression::make(Expression::Kind::sum, std::move(terms), "Σ");
        if (evaluate(sum) == 0) return Expression::given(0, "the row sums to zero", std::move(sum.parts));
        return Expression::pair(Expression::Kind::quotient, own, std::move(sum));
    }

    void backward(Backward& at) const override {
        at.add_step(0, divide_by_sum_slope(), {at.operand(0), at.gradient()});
    }

    std::optional<RowSlopes> row_slopes() const override { return RowSlopes{divide_by_sum_jacobian(), false}; }

    std::string formula(std::span<const std::string> names) const override { return names[0] + " / Σ of the row"; }

  private:
    template <class T> static T unmasked(T x) { return is_masked(x) ? T(0) : x; }
};

} // namespace

StepPtr divide_by_sum() { return std::make_shared<DivideBySum>(); }

} // namespace lab
