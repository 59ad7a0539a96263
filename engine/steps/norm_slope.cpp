#include "engine/steps/norm_row.h"

namespace lab {

namespace {

using Kind = Expression::Kind;

// With n = (x − mean) / deviation and s = g · gain: dx = (s − mean of s − n · mean of s · n) / deviation; for RMSNorm without
// the mean of s.
class NormSlope final : public SlopeKind<NormSlope> {
  public:
    explicit NormSlope(const NormRule& rule) : rule_(rule) {}

    std::string_view kind() const override { return rule_.is_centred ? "layer_norm_slope" : "rms_norm_slope"; }
    std::string key() const override { return norm_key(rule_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        return operands[0];
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int d = operands[0].shape.cols;
        const T* gain = operands.size() > 2 ? operands[2].data : nullptr;
        for_each_row(block, [&](int plane, int i) {
            const T* x = operands[0].row(plane, i);
            const T* g = operands[1].row(plane, i);
            const Moments<T> row = moments_of(x, d, rule_);
            const auto slope = [&](int k) { return gain ? g[k] * gain[k] : g[k]; };
            const auto normed = [&](int k) { return (x[k] - row.mean) / row.deviation; };
            T sum = 0, along = 0;
            for (int k = 0; k < d && rule_.is_centred; ++k) sum += slope(k);
            for (int k = 0; k < d; ++k) along += slope(k) * normed(k);
            const T mean = sum / static_cast<T>(d), mean_along = along / static_cast<T>(d);
            T* dx = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j)
                dx[j] = (slope(j) - mean - normed(j) * mean_along) / row.deviation;
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int d = operands[0].shape.cols;
        const NormedRow row(operands, cell, rule_);
        Expression sum = Expression::make(Kind::sum, {}), along = Expression::make(Kind::sum, {});
        for (int k = 0; k < d; ++k) {
            const Expression slope = slope_cell(operands, {cell.plane, cell.row, k});
            sum.parts.push_back(slope);
            along.parts.push_back(Expression::make(Kind::product, {slope, row.in_short(k)}));
        }
        const Expression count = Expression::number(d);
        const Expression mean_along = Expression::make(Kind::quotient, {along, count}, "mean of slope × normed");
        Expression dx = slope_cell(operands, cell);
        if (rule_.is_centred) {
            const Expression mean = Expression::make(Kind::quotient, {sum, count}, "mean slope");
            dx = Expression::make(Kind::difference, {std::move(dx), mean});
        }
        const Expression part = Expression::make(Kind::product, {row.written_out(cell.col), mean_along});
        return Expression::make(Kind::quotient,
                                {Expression::make(Kind::difference, {std::move(dx), part}), row.deviation()});
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        if (operand < 2) return Block{changed.planes, changed.rows, {0, result.cols}};
        return Block::all(result);
    }

    std::string formula(std::span<const std::string> names) const override {
        const std::string slope = names.size() > 2 ? names[1] + " × " + names[2] : names[1];
        return "slope of " + std::string(rule_.is_centred ? "layer_norm" : "rms_norm") + "(" + names[0] + ") for " +
               slope;
    }

  private:
    // g · gain
    static Expression slope_cell(Operands<float> operands, Cell at) {
        Expression g = Expression::cell({1, at}, operands[1].at(at));
        if (operands.size() <= 2) return g;
        const Cell gain{0, 0, at.col};
        return Expression::make(Kind::product, {g, Expression::cell({2, gain}, operands[2].at(gain))});
    }

    NormRule rule_;
};

} // namespace

StepPtr norm_slope(const NormRule& rule) { return std::make_shared<NormSlope>(rule); }

} // namespace lab
