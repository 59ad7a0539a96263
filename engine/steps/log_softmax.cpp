#include <algorithm>

#include "engine/kernels/elementary.h"
#include "engine/kernels/transcendental.h"
#include "engine/steps/line_of.h"
#include "engine/steps/one_shape.h"
#include "engine/steps/row_by_row.h"

namespace lab {

namespace {

// y = (x − max) − ln Σ exp(x − max)
class LogSoftmax final : public RowByRow<LogSoftmax> {
  public:
    std::string_view kind() const override { return "log_softmax"; }

    template <class T> void row(const T* x, int n, T* y) const {
        if (n == 0) return;
        const T max = *std::max_element(x, x + n);
        T sum = 0;
        for (int j = 0; j < n; ++j) sum += exponential(x[j] - max);
        const T log_sum = value_of(Function::logarithm, sum);
        for (int j = 0; j < n; ++j) y[j] = x[j] - max - log_sum;
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        using Kind = Expression::Kind;
        Series::Run row = line_of_row(operands, 0, cell);
        const auto at_max = std::max_element(row.values.begin(), row.values.end()) - row.values.begin();
        const Cell max{cell.plane, cell.row, static_cast<int>(at_max)};
        const Expression own = Expression::make(Kind::difference, {Expression::cell({0, cell}, operands[0].at(cell)),
                                                                   Expression::cell({0, max}, operands[0].at(max))});
        Expression sum = sum_over(Series::Form::powers, std::move(row), line_of(operands, 0, Block::at(max)), "Σ");
        return Expression::pair(Kind::difference, own, Expression::call(Function::logarithm, std::move(sum), "ln Σ"));
    }

    void backward(Backward& at) const override { at.add_step(0, log_softmax_slope(), {at.result(), at.gradient()}); }

    std::string formula(std::span<const std::string> names) const override { return "ln softmax(" + names[0] + ")"; }
};

// dx = g − e^y · Σ_k g[k]
class LogSoftmaxSlope final : public SlopeKind<LogSoftmaxSlope> {
  public:
    std::string_view kind() const override { return "log_softmax_slope"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        return one_shape(operands, names);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        for_each_row(block, [&](int plane, int i) {
            const T* y = operands[0].row(plane, i);
            const T* g = operands[1].row(plane, i);
            T sum = 0;
            for (int k = 0; k < n; ++k) sum += g[k];
            T* dx = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) dx[j] = g[j] - exponential(y[j]) * sum;
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        using Kind = Expression::Kind;
        Expression sum = sum_over(Series::Form::cells, line_of_row(operands, 1, cell), {}, "Σ");
        const Expression own = Expression::cell({1, cell}, operands[1].at(cell));
        const Expression y = Expression::cell({0, cell}, operands[0].at(cell));
        const Expression probability = Expression::make(Kind::exponential, {y});
        return Expression::make(Kind::difference, {own, Expression::pair(Kind::product, probability, std::move(sum))});
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        return operand == 0 ? changed : Block{changed.planes, changed.rows, {0, result.cols}};
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[1] + " − exp(" + names[0] + ") × Σ " + names[1];
    }
};

} // namespace

StepPtr log_softmax() { return std::make_shared<LogSoftmax>(); }

StepPtr log_softmax_slope() { return std::make_shared<LogSoftmaxSlope>(); }

} // namespace lab
