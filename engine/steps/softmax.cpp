#include <algorithm>

#include "engine/kernels/elementary.h"
#include "engine/steps/normalise.h"

namespace lab {

namespace {

// Rows of weights from rows of scores: exp(x − max) / Σ exp(x − max); naively without the maximum, so that
// exp may overflow to ∞ and the weight be ∞/∞, not a number. A row that is −∞ throughout becomes zeros (as ONNX
// Attention defines it; PyTorch gives NaN).
class Softmax final : public Normalise<Softmax> {
  public:
    static constexpr bool kSaturates = true;
    enum class Shift { maximum, none };
    explicit Softmax(Shift shift) : shifted_(shift == Shift::maximum) {}

    std::string_view kind() const override { return shifted_ ? "softmax" : "naive_softmax"; }

    template <class T> T row(const T* x, int n, T* y) const {
        if (all_masked(x, n)) {
            std::fill(y, y + n, T(0));
            return 0;
        }
        const T shift = shifted_ ? *std::max_element(x, x + n) : T(0);
        T sum = 0;
        for (int j = 0; j < n; ++j) {
            y[j] = exponential(x[j] - shift);
            sum += y[j];
        }
        for (int j = 0; j < n; ++j) y[j] /= sum;
        return sum;
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        std::vector<Expression> cells = row_cells(operands, cell);
        const auto max = std::max_element(cells.begin(), cells.end(),
                                          [](const auto& a, const auto& b) { return a.value < b.value; });
        if (all_masked(operands[0].row(cell.plane, cell.row), operands[0].shape.cols))
            return Expression::given(0, "every key is masked", std::move(cells));
        const Expression shift = *max;
        const auto power = [&](const Expression& x) {
            const Expression exponent = shifted_ ? Expression::make(Expression::Kind::difference, {x, shift}) : x;
            return Expression::make(Expression::Kind::exponential, {exponent});
        };
        Expression sum = Expression::make(Expression::Kind::sum, {}, "Σ");
        for (const Expression& x : cells) sum.parts.push_back(power(x));
        return Expression::make(Expression::Kind::quotient, {power(cells[static_cast<std::size_t>(cell.col)]), sum});
    }

    void backward(Backward& at) const override { at.add_step(0, softmax_slope(), {at.result(), at.gradient()}); }

    std::string formula(std::span<const std::string> names) const override {
        return shifted_ ? "softmax(" + names[0] + ")" : "exp(" + names[0] + ") / Σ exp";
    }

  private:
    bool shifted_;
};

} // namespace

StepPtr softmax() { return std::make_shared<Softmax>(Softmax::Shift::maximum); }

StepPtr naive_softmax() { return std::make_shared<Softmax>(Softmax::Shift::none); }

} // namespace lab
