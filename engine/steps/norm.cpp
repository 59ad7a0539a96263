#include "engine/steps/norm_row.h"

namespace lab {

namespace {

// y = (x − mean) / deviation · gain + bias, row by row; the mean is 0 for RMSNorm.
class RowNorm final : public StepKind<RowNorm> {
  public:
    explicit RowNorm(const NormRule& rule) : rule_(rule) {}

    std::string_view kind() const override { return rule_.is_centred ? "layer_norm" : "rms_norm"; }
    std::string key() const override { return norm_key(rule_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& x = operands[0];
        for (std::size_t i = 1; i < operands.size(); ++i) {
            if (operands[i] == Shape::vector(x.cols)) continue;
            const std::string given = operands[i].rank == 1 ? count_of(names[i], operands[i].cols, "number")
                                                            : names[i] + " is " + operands[i].to_text();
            return Error{given + " but " + count_of(names[0], x.cols, "column")};
        }
        return x;
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const T* gain = operands.size() > 1 ? operands[1].data : nullptr;
        const T* bias = operands.size() > 2 ? operands[2].data : nullptr;
        for_each_row(block, [&](int plane, int i) {
            const T* x = operands[0].row(plane, i);
            const Moments<T> row = moments_of(x, operands[0].shape.cols, rule_);
            T* y = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) {
                const T normed = (x[j] - row.mean) / row.deviation;
                const T gained = gain ? normed * gain[j] : normed;
                y[j] = bias ? gained + bias[j] : gained;
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const auto parameter = [&](int operand) {
            const Cell at{0, 0, cell.col};
            return Expression::cell({operand, at}, operands[static_cast<std::size_t>(operand)].at(at));
        };
        Expression y = NormedRow(operands, cell, rule_).written_out(cell.col);
        if (operands.size() > 1) y = Expression::make(Expression::Kind::product, {std::move(y), parameter(1)});
        if (operands.size() > 2) y = Expression::make(Expression::Kind::sum, {std::move(y), parameter(2)});
        return y;
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 0) return Block{changed.planes, changed.rows, {0, result.cols}};
        return Block{{0, result.planes}, {0, result.rows}, changed.cols};
    }

    // The gain's gradient is Σ g × (x − mean) / deviation over the rows, the bias' Σ g.
    void backward(Backward& at) const override {
        std::vector<int> read{at.operand(0), at.gradient()};
        if (at.n_operands() > 1) {
            read.push_back(at.operand(1));
            const int normed = at.step(std::make_shared<RowNorm>(rule_), {at.operand(0)});
            add_summed(at, 1, at.step(multiply(), {at.gradient(), normed}));
        }
        if (at.n_operands() > 2) add_summed(at, 2, at.gradient());
        at.add_step(0, norm_slope(rule_), read);
    }

    std::string formula(std::span<const std::string> names) const override {
        std::string text = std::string(kind()) + "(" + names[0] + ")";
        if (names.size() > 1) text += " × " + names[1];
        if (names.size() > 2) text += " + " + names[2];
        return text;
    }

  private:
    static void add_summed(Backward& at, int i, int node) {
        if (at.shape(at.operand(0)).planes > 1) node = at.step(sum_planes(1, 2), {node});
        at.add_step(i, sum_rows(), {node});
    }

    NormRule rule_;
};

} // namespace

StepPtr layer_norm(float epsilon) { return std::make_shared<RowNorm>(NormRule{true, epsilon}); }

StepPtr rms_norm(float epsilon) { return std::make_shared<RowNorm>(NormRule{false, epsilon}); }

} // namespace lab
