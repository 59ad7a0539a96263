#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[j, i, k] = P[i, j] · (δ[j, k] − P[i, k])
class SoftmaxJacobian final : public SlopeKind<SoftmaxJacobian> {
  public:
    std::string_view kind() const override { return "softmax_jacobian"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& weights = operands[0];
        if (weights.planes > 1)
            return Error{names[0] + " is " + weights.to_text() + " but the slopes of one head are shown"};
        return Shape::stack(weights.cols, weights.rows, weights.cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int j, int i) {
            const T* weights = operands[0].row(0, i);
            T* y = result.row(j, i);
            for (int k = block.cols.begin; k < block.cols.end; ++k)
                y[k] = weights[j] * ((j == k ? T(1) : T(0)) - weights[k]);
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        using Kind = Expression::Kind;
        const auto weight = [&](int key) {
            const Cell at{0, cell.row, key};
            return Expression::cell({0, at}, operands[0].at(at));
        };
        const Expression own = Expression::number(cell.plane == cell.col ? 1 : 0);
        return Expression::make(Kind::product,
                                {weight(cell.plane), Expression::make(Kind::difference, {own, weight(cell.col)})});
    }

    Region reach(std::span<const Shape>, const Shape& result, int, const Block& changed) const override {
        Region region(Block{changed.cols, changed.rows, {0, result.cols}});
        region.add(Block{{0, result.planes}, changed.rows, changed.cols});
        return region;
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[0] + "[j] · (δ[j, k] − " + names[0] + "[k])";
    }
};

} // namespace

StepPtr softmax_jacobian() { return std::make_shared<SoftmaxJacobian>(); }

} // namespace lab
