#include <algorithm>
#include <functional>

#include "engine/steps/normalise.h"
#include "engine/steps/row_slope.h"

namespace lab {

namespace {

// Rows of weights from rows of scores: max(x − τ, 0), with τ such that they add up to 1 (Martins and Astudillo 2016): of the
// scores z in descending order those up to the last k with 1 + k · z[k] > Σ_{m≤k} z[m] are the support, and
// τ = (Σ support − 1) / k. All after the row's maximum is subtracted, which changes nothing but loses no digits.
class Sparsemax final : public Normalise<Sparsemax> {
  public:
    static constexpr bool kSaturates = true;

    std::string_view kind() const override { return "sparsemax"; }

    template <class T> T row(const T* x, int n, T* y) const {
        if (all_masked(x, n)) {
            std::fill(y, y + n, T(0));
            return 0;
        }
        const T max = *std::max_element(x, x + n);
        const T least = least_of_support(x, n, max);
        T sum = 0;
        int n_support = 0;
        for (int j = 0; j < n; ++j) {
            if (is_outside(x[j], least)) continue;
            sum += x[j] - max;
            ++n_support;
        }
        const T threshold = (sum - 1) / static_cast<T>(n_support);
        const T outside = std::isnan(threshold) ? threshold : T(0);
        for (int j = 0; j < n; ++j) y[j] = is_outside(x[j], least) ? outside : positive((x[j] - max) - threshold);
        return 1;
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const std::vector<Expression> cells = row_cells(operands, cell);
        const int n = operands[0].shape.cols;
        const float* x = operands[0].row(cell.plane, cell.row);
        if (all_masked(x, n)) return Expression::given(0, "every key is masked", cells);
        const auto max = static_cast<std::size_t>(std::max_element(x, x + n) - x);
        const float least = least_of_support(x, n, x[max]);
        const Expression& own = cells[static_cast<std::size_t>(cell.col)];
        const bool has_nan = std::any_of(x, x + n, [](float score) { return !(score < kInfinity); });
        if (is_outside(x[cell.col], least) && !has_nan) return Expression::given(0, reason(x[cell.col]), cells);
        if (n_unmasked(x, n) == 1 && !has_nan) return Expression::given(1, "the only key", cells);
        Expression sum = Expression::make(Expression::Kind::sum, {}, "Σ");
        int n_support = 0;
        for (std::size_t j = 0; j < cells.size(); ++j) {
            const bool counts = !is_outside(x[j], least);
            n_support += counts ? 1 : 0;
            sum.parts.push_back(counts ? less(cells[j], cells[max]) : Expression::given(0, reason(x[j]), {cells[j]}));
        }
        const Expression threshold = Expression::make(
            Expression::Kind::quotient, {less(sum, Expression::number(1)), Expression::number(n_support)}, "τ");
        return less(less(own, cells[max]), threshold);
    }

    void backward(Backward& at) const override { at.add_step(0, sparsemax_slope(), {at.result(), at.gradient()}); }

    std::optional<RowSlopes> row_slopes() const override { return RowSlopes{sparsemax_jacobian(), true}; }

    std::string formula(std::span<const std::string> names) const override { return "sparsemax(" + names[0] + ")"; }

  private:
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();

    template <class T> static T positive(T x) { return x < 0 ? T(0) : x; } // a NaN stays
    template <class T> static bool is_outside(T x, T least) { return x < least; }
    static const char* reason(float x) { return is_masked(x) ? "masked" : "outside the support"; }
    static Expression less(const Expression& a, const Expression& b) {
        return Expression::make(Expression::Kind::difference, {a, b});
    }

    // The least score of the support: by value, so that equal scores are in it together. Of a row with a NaN whichever.
    template <class T> static T least_of_support(const T* x, int n, T max) {
        std::vector<T> sorted;
        std::copy_if(x, x + n, std::back_inserter(sorted),
                     [](T score) { return !is_masked(score) && !std::isnan(score); });
        std::sort(sorted.begin(), sorted.end(), std::greater<T>());
        T least = max, sum = 0;
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            const T z = sorted[k] - max;
            sum += z;
            if (1 + static_cast<T>(k + 1) * z > sum) least = sorted[k];
        }
        return least;
    }
};

// dx[j] = g[j] − the mean of g over the support where j lies in it, else 0. The support are the keys with a weight.
class SparsemaxSlope final : public RowSlope<SparsemaxSlope> {
  public:
    std::string_view kind() const override { return "sparsemax_slope"; }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        for_each_row(block, [&](int plane, int i) {
            const T* weights = operands[0].row(plane, i);
            const T* g = operands[1].row(plane, i);
            T sum = 0, n_support = 0;
            for (int k = 0; k < n; ++k) sum += counts(weights[k]) * g[k];
            for (int k = 0; k < n; ++k) n_support += counts(weights[k]);
            T* dx = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j)
                dx[j] = n_support <= 1 ? T(0) : counts(weights[j]) * (g[j] - sum / n_support);
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        Expression sum = Expression::make(Expression::Kind::sum, {});
        Expression n_support = Expression::make(Expression::Kind::sum, {}, "keys in the support");
        std::vector<Expression> because;
        for (int k = 0; k < operands[0].shape.cols; ++k) {
            const Cell at{cell.plane, cell.row, k};
            const Expression weight = operand_cell(operands, 0, at);
            const Expression g = operand_cell(operands, 1, at);
            const auto counted = static_cast<double>(counts(operands[0].at(at)));
            const char* reason = counted == 0 ? "outside the support" : "in the support";
            because.insert(because.end(), {weight, g});
            n_support.parts.push_back(Expression::given(counted, reason, {weight}));
            sum.parts.push_back(Expression::make(Expression::Kind::product, {n_support.parts.back(), g}));
        }
        if (evaluate(n_support) <= 1) return Expression::given(0, "one key has all the weight", std::move(because));
        const Expression own = n_support.parts[static_cast<std::size_t>(cell.col)];
        const Expression mean = Expression::make(Expression::Kind::quotient, {std::move(sum), n_support}, "mean slope");
        const Expression g = operand_cell(operands, 1, cell);
        return Expression::make(Expression::Kind::product,
                                {own, Expression::make(Expression::Kind::difference, {g, mean})});
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[1] + " − its mean where " + names[0] + " > 0, else 0";
    }

  private:
    // 1 in the support, 0 outside; a weight that is not a number stays so.
    template <class T> static T counts(T weight) { return weight > 0 ? T(1) : weight * 0; }
};

} // namespace

StepPtr sparsemax() { return std::make_shared<Sparsemax>(); }

StepPtr sparsemax_slope() { return std::make_shared<SparsemaxSlope>(); }

} // namespace lab
