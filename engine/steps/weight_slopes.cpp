#include <cmath>

#include "engine/kernels/elementary.h"
#include "engine/steps/row_slope.h"

namespace lab {

namespace {

// dx[j] = P[j] · (g[j] − Σ_k P[k] · g[k])
class SoftmaxSlope final : public RowSlope<SoftmaxSlope> {
  public:
    std::string_view kind() const override { return "softmax_slope"; }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        for_each_row(block, [&](int plane, int i) {
            const T* weights = operands[0].row(plane, i);
            const T* g = operands[1].row(plane, i);
            T mean = 0;
            for (int k = 0; k < n; ++k) mean += weights[k] * g[k];
            T* dx = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) dx[j] = weights[j] * (g[j] - mean);
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        Expression mean = Expression::make(Expression::Kind::sum, {}, "mean slope");
        std::vector<Expression> because;
        int n_weighted = 0;
        for (int k = 0; k < operands[0].shape.cols; ++k) {
            const Cell at{cell.plane, cell.row, k};
            because.insert(because.end(), {operand_cell(operands, 0, at), operand_cell(operands, 1, at)});
            mean.parts.push_back(
                Expression::make(Expression::Kind::product, {because[because.size() - 2], because.back()}));
            n_weighted += operands[0].at(at) == 0 ? 0 : 1;
        }
        const bool is_alone = n_weighted == 1 && operands[0].at(cell) == 1;
        if (is_alone && std::isfinite(operands[1].at(cell)))
            return Expression::given(0, "one key has all the weight", std::move(because));
        const Expression difference =
            Expression::make(Expression::Kind::difference, {operand_cell(operands, 1, cell), mean});
        return Expression::make(Expression::Kind::product, {operand_cell(operands, 0, cell), difference});
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[0] + " × (" + names[1] + " − Σ " + names[0] + " · " + names[1] + ")";
    }
};

// dx[j] = (g[j] − Σ_k g[k] · y[k]) / Σ x with y = x / Σ x
class DivideBySumSlope final : public RowSlope<DivideBySumSlope> {
  public:
    std::string_view kind() const override { return "divide_by_sum_slope"; }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        for_each_row(block, [&](int plane, int i) {
            const T* x = operands[0].row(plane, i);
            const T* g = operands[1].row(plane, i);
            T sum = 0, weighted = 0;
            for (int k = 0; k < n; ++k) sum += is_masked(x[k]) ? T(0) : x[k];
            for (int k = 0; k < n; ++k) weighted += sum == 0 || is_masked(x[k]) ? T(0) : g[k] * (x[k] / sum);
            T* dx = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j)
                dx[j] = sum == 0 || is_masked(x[j]) ? T(0) : (g[j] - weighted) / sum;
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        Expression sum = Expression::make(Expression::Kind::sum, {}, "Σ");
        std::vector<Expression> because;
        for (int k = 0; k < operands[0].shape.cols; ++k) {
            const Expression x = operand_cell(operands, 0, {cell.plane, cell.row, k});
            because.push_back(x);
            because.push_back(operand_cell(operands, 1, {cell.plane, cell.row, k}));
            sum.parts.push_back(is_masked(static_cast<float>(x.value)) ? Expression::given(0, "masked", {x}) : x);
        }
        const float x = operands[0].at(cell);
        if (evaluate(sum) == 0) return Expression::given(0, "the row sums to 0", std::move(because));
        if (is_masked(x)) return Expression::given(0, "the key is masked", std::move(because));
        Expression weighted = Expression::make(Expression::Kind::sum, {}, "mean slope");
        for (int k = 0; k < operands[0].shape.cols; ++k) {
            const Expression& part = sum.parts[static_cast<std::size_t>(k)];
            const Expression g = operand_cell(operands, 1, {cell.plane, cell.row, k});
            const Expression share = Expression::make(Expression::Kind::quotient, {part, sum});
            weighted.parts.push_back(part.kind == Expression::Kind::given
                                         ? Expression::given(0, "masked", {part, g})
                                         : Expression::make(Expression::Kind::product, {g, share}));
        }
        const Expression g = operand_cell(operands, 1, cell);
        return Expression::make(Expression::Kind::quotient,
                                {Expression::make(Expression::Kind::difference, {g, weighted}), sum});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "(" + names[1] + " − Σ " + names[1] + " · weights) / Σ " + names[0];
    }
};

} // namespace

StepPtr softmax_slope() { return std::make_shared<SoftmaxSlope>(); }

StepPtr divide_by_sum_slope() { return std::make_shared<DivideBySumSlope>(); }

} // namespace lab
