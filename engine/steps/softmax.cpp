#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "engine/kernels/elementary.h"
#include "engine/kernels/rows.h"
#include "engine/steps/line_of.h"
#include "engine/steps/normalise.h"

namespace lab {

namespace {

// How a softmax is taken.
struct SoftmaxForm {
    bool is_naive = false;     // the maximum is not subtracted
    std::optional<int> k = {}; // only the k greatest scores of a row count
    bool has_sink = false;     // a second operand: one more score per head, whose weight goes to no key
};

// Leaves the k greatest scores of a row as they are, of equals the earlier, and sets the others to −∞. A row that holds a NaN
// stays as it is, so that the NaN reaches the weights.
template <class T> void keep_greatest(T* x, int n, int k) {
    std::vector<T> unmasked;
    std::copy_if(x, x + n, std::back_inserter(unmasked), [](T score) { return !is_masked(score); });
    const bool has_nan = std::any_of(x, x + n, [](T score) { return std::isnan(score); });
    if (has_nan || unmasked.size() <= static_cast<std::size_t>(k)) return;
    std::nth_element(unmasked.begin(), unmasked.begin() + (k - 1), unmasked.end(), std::greater<T>());
    const T least = unmasked[static_cast<std::size_t>(k - 1)];
    auto n_equal_kept = k - std::count_if(x, x + n, [&](T score) { return score > least; });
    for (int j = 0; j < n; ++j) {
        const bool is_kept = x[j] > least || (x[j] == least && n_equal_kept-- > 0);
        if (!is_kept) x[j] = -std::numeric_limits<T>::infinity();
    }
}

// Rows of weights from rows of scores: exp(x − max) / Σ exp(x − max); naively without the maximum, so that
// exp may overflow to ∞ and the weight be ∞/∞, not a number. A row that is −∞ throughout becomes zeros (as ONNX
// Attention defines it; PyTorch gives NaN). A sink is one more score, whose weight goes to no key.
class Softmax final : public RowByRow<Softmax> {
  public:
    explicit Softmax(const SoftmaxForm& form) : form_(form) { assert(!form.k || *form.k > 0); }

    std::string_view kind() const override {
        return form_.k ? "top_k_softmax" : form_.is_naive ? "naive_softmax" : "softmax";
    }
    std::string key() const override {
        return (form_.k ? std::to_string(*form_.k) : std::string()) + (form_.has_sink ? " with sink" : "");
    }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& scores = operands[0];
        if (!form_.has_sink || operands[1] == Shape::vector(scores.planes)) return scores;
        const std::string heads = count_of(names[0], scores.planes, "head");
        if (operands[1].rank == 1) return Error{count_of(names[1], operands[1].cols, "number") + " but " + heads};
        return Error{names[1] + " is " + operands[1].to_text() + " but should be a vector, and " + heads};
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n = operands[0].shape.cols;
        if (block.cols == Range{0, n}) {
            if constexpr (std::is_same_v<T, float>) {
                if (is_of_kernel() && n > 0) return weigh_rows(operands, 1, block, result);
            }
            for_each_row(block, [&](int plane, int i) {
                weigh(operands[0].row(plane, i), n, sink_of(operands, plane), result.row(plane, i));
            });
            return;
        }
        std::vector<T> row(static_cast<std::size_t>(n));
        for_each_row(block, [&](int plane, int i) {
            weigh(operands[0].row(plane, i), n, sink_of(operands, plane), row.data());
            std::copy(row.begin() + block.cols.begin, row.begin() + block.cols.end,
                      result.row(plane, i) + block.cols.begin);
        });
    }

    bool reads_same_row(int operand) const override { return operand == 0; }
    bool has_row_sums() const override { return is_of_kernel(); }
    std::unique_ptr<Runner> runner_with_factor(float factor) const override {
        int exponent = 0;
        // As the kernel takes it.
        const bool is_exact = std::frexp(factor, &exponent) == 0.5f && factor <= 1;
        return is_exact && is_of_kernel() ? std::make_unique<OfMultiplied>(*this, factor) : nullptr;
    }
    double n_operations(std::span<const Shape>, const Shape& result) const override {
        return kPowerCosts * static_cast<double>(result.n_cells());
    }

    RowSum row_with_sum(Operands<float> operands, int plane, int i, float* weights) const override {
        return softmax_row(operands[0].row(plane, i), operands[0].shape.cols, sink_of(operands, plane), weights);
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int n = operands[0].shape.cols;
        const float* x = operands[0].row(cell.plane, cell.row);
        if (all_masked(x, n)) return Expression::given(0, "every key is masked", read_cells(operands, cell));
        const std::vector<float> kept = kept_scores(x, n);
        if (is_left_out(x, kept, cell.col)) return Expression::given(0, left_out_text(), read_cells(operands, cell));
        const Expression shift = greatest_among(operands, cell, kept);
        Expression sum = form_.k ? sum_of_kept(operands, cell, kept, shift) : sum_of_powers(operands, cell, shift);
        if (form_.has_sink) sum.parts.push_back(power_of(sink_cell(operands, cell), shift));
        const Expression own = Expression::cell({0, cell}, operands[0].at(cell));
        return Expression::pair(Expression::Kind::quotient, power_of(own, shift), std::move(sum));
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 1) return Block{changed.cols, {0, result.rows}, {0, result.cols}};
        return Block{changed.planes, changed.rows, {0, result.cols}};
    }

    void backward(Backward& at) const override {
        at.add_step(0, softmax_slope(), {at.result(), at.gradient()});
        if (form_.has_sink) at.add_step(1, sink_slope(), {at.result(), at.gradient()});
    }

    std::optional<RowSlopes> row_slopes() const override { return RowSlopes{softmax_jacobian(), true}; }

    std::string formula(std::span<const std::string> names) const override {
        const std::string counted = form_.k ? "the " + std::to_string(*form_.k) + " greatest of " + names[0] : names[0];
        if (form_.is_naive)
            return "exp(" + names[0] + ") / " + (form_.has_sink ? "(Σ exp + exp(" + names[1] + "))" : "Σ exp");
        return "softmax(" + counted + (form_.has_sink ? ", " + names[1] : std::string()) + ")";
    }

    std::optional<Notice> notice(Operands<float> operands, int plane, int i) const override {
        const int n = operands[0].shape.cols;
        const float* x = operands[0].row(plane, i);
        if (is_plain() && is_clearly_shared(x, n)) return std::nullopt;
        std::vector<float> weights(static_cast<std::size_t>(n));
        const float sum = weigh(x, n, sink_of(operands, plane), weights.data());
        // The greatest power is 1 then: with this much beside it, and all of it a number, there is nothing to say.
        constexpr float kClearlyShared = 1.01f;
        if (!form_.is_naive && sum > kClearlyShared && std::isfinite(sum)) return std::nullopt;
        const int n_kept = n_unmasked(kept_scores(x, n).data(), n);
        return notice_of_weights(x, weights, sum, n_kept + (form_.has_sink ? 1 : 0) > 1);
    }

  private:
    static constexpr double kPowerCosts = 8; // multiplications and additions

    // Weights of scores that are multiplied on the way.
    class OfMultiplied final : public Runner {
      public:
        OfMultiplied(const Softmax& step, float factor) : step_(step), factor_(factor) {}

        int n_parts() const override { return 0; }
        void lay_out(Operands<float>, int) override {}
        void run(Operands<float> operands, const Block& block, OutputView<float> result) const override {
            step_.weigh_rows(operands, factor_, block, result);
        }
        void renew(Operands<float>, Range, Range) override {}

      private:
        const Softmax& step_;
        float factor_;
    };

    // Whether the kernel for several rows does it.
    bool is_of_kernel() const { return !form_.is_naive && !form_.k; }

    void weigh_rows(Operands<float> operands, float factor, const Block& block, OutputView<float> result) const {
        const int n = operands[0].shape.cols;
        for (int plane = block.planes.begin; plane < block.planes.end; ++plane)
            softmax_rows({.x = operands[0].row(plane, block.rows.begin),
                          .x_stride = n,
                          .n_rows = block.rows.size(),
                          .n = n,
                          .factor = factor,
                          .sink = sink_of(operands, plane),
                          .y = result.row(plane, block.rows.begin),
                          .y_stride = result.held.cols.size()});
    }

    bool is_plain() const { return is_of_kernel() && !form_.has_sink; }

    // Whether another score comes so close to the greatest that its power is above 0.01: without raising any of them, for who
    // asks this of every row.
    static bool is_clearly_shared(const float* x, int n) {
        constexpr float kClose = 4.6f; // e^−4.6 = 0.01005
        const RowSpan span = row_span(x, n);
        if (span.has_nan || !std::isfinite(span.greatest)) return false;
        return std::count_if(x, x + n, [&](float score) { return score >= span.greatest - kClose; }) > 1;
    }

    template <class T> const T* sink_of(Operands<T> operands, int plane) const {
        return form_.has_sink ? operands[1].row(0, 0) + plane : nullptr;
    }

    std::vector<float> kept_scores(const float* x, int n) const {
        std::vector<float> kept(x, x + n);
        if (form_.k) keep_greatest(kept.data(), n, *form_.k);
        return kept;
    }

    // Writes the row's weights and returns what it divided by; 0 where every key is masked.
    template <class T> T weigh(const T* x, int n, const T* sink, T* y) const {
        if (n == 0) return 0;
        if (form_.k) {
            std::copy(x, x + n, y);
            keep_greatest(y, n, *form_.k);
            x = y;
        }
        if constexpr (std::is_same_v<T, float>) {
            if (!form_.is_naive) return softmax_row(x, n, sink, y).sum;
        }
        T shift = *std::max_element(x, x + n);
        if (is_masked(shift) && all_masked(x, n)) {
            std::fill(y, y + n, T(0));
            return 0;
        }
        if (sink) shift = std::max(shift, *sink);
        if (form_.is_naive) shift = 0;
        T sum = powers(x, n, shift, y);
        if (sink) sum += exponential(*sink - shift);
        for (int j = 0; j < n; ++j) y[j] /= sum;
        return sum;
    }

    static float powers(const float* x, int n, float shift, float* y) { return exponentials_of_row(x, n, shift, y); }
    static double powers(const double* x, int n, double shift, double* y) {
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += y[j] = exponential(x[j] - shift);
        return sum;
    }

    // The cells of the row and then, with one, the sink.
    std::vector<Expression> read_cells(Operands<float> operands, Cell cell) const {
        std::vector<Expression> cells = row_cells(operands, cell);
        if (form_.has_sink) cells.push_back(sink_cell(operands, cell));
        return cells;
    }
    static Expression sink_cell(Operands<float> operands, Cell cell) {
        const Cell sink{0, 0, cell.plane};
        return Expression::cell({1, sink}, operands[1].at(sink));
    }

    static bool is_left_out(const float* x, const std::vector<float>& kept, int j) {
        return is_masked(kept[at_index(j)]) && !is_masked(x[j]);
    }

    // Which of the row's cells, or the sink, is the greatest score that counts.
    Expression greatest_among(Operands<float> operands, Cell cell, const std::vector<float>& kept) const {
        const auto max = static_cast<int>(std::max_element(kept.begin(), kept.end()) - kept.begin());
        const Cell at{cell.plane, cell.row, max};
        Expression greatest = Expression::cell({0, at}, operands[0].at(at));
        if (!form_.has_sink) return greatest;
        Expression sink = sink_cell(operands, cell);
        return greatest.value < sink.value ? sink : greatest;
    }

    Expression power_of(const Expression& score, const Expression& shift) const {
        Expression power = Expression::make(Expression::Kind::exponential, {score});
        if (!form_.is_naive) power.parts.push_back(shift);
        return power;
    }

    // Of the keys: of thousands, so as a series where every one counts.
    Expression sum_of_powers(Operands<float> operands, Cell cell, const Expression& shift) const {
        std::optional<Series::Run> subtracted;
        if (!form_.is_naive) subtracted = line_of(operands, shift.source.tensor, Block::at(shift.source.cell));
        return sum_over(Series::Form::powers, line_of_row(operands, 0, cell), std::move(subtracted), "Σ");
    }
    Expression sum_of_kept(Operands<float> operands, Cell cell, const std::vector<float>& kept,
                           const Expression& shift) const {
        Expression sum = Expression::make(Expression::Kind::sum, {}, "Σ");
        const float* x = operands[0].row(cell.plane, cell.row);
        const std::vector<Expression> scores = row_cells(operands, cell);
        sum.parts.reserve(scores.size() + 1); // a sink follows
        for (int j = 0; j < operands[0].shape.cols; ++j) {
            const Expression& score = scores[at_index(j)];
            sum.parts.push_back(is_left_out(x, kept, j) ? Expression::given(0, left_out_text(), {score})
                                                        : power_of(score, shift));
        }
        return sum;
    }

    std::string left_out_text() const { return "not among the " + std::to_string(form_.k.value_or(0)) + " greatest"; }

    SoftmaxForm form_;
};

} // namespace

StepPtr softmax() { return std::make_shared<Softmax>(SoftmaxForm{}); }

StepPtr naive_softmax() { return std::make_shared<Softmax>(SoftmaxForm{.is_naive = true}); }

StepPtr softmax_with_sink() { return std::make_shared<Softmax>(SoftmaxForm{.has_sink = true}); }

StepPtr naive_softmax_with_sink() { return std::make_shared<Softmax>(SoftmaxForm{.is_naive = true, .has_sink = true}); }

StepPtr top_k_softmax(int k, bool has_sink) {
    return std::make_shared<Softmax>(SoftmaxForm{.k = k, .has_sink = has_sink});
}

} // namespace lab
