#include "engine/steps/row_jacobian.h"

namespace lab {

namespace {

// y[h · n_k + j, i, k] = P[h, i, j] · (δ[j, k] − P[h, i, k])
class SoftmaxJacobian final : public RowJacobian<SoftmaxJacobian> {
  public:
    std::string_view kind() const override { return "softmax_jacobian"; }

    template <class T> void slopes(const T* weights, int n, int j, T* y) const {
        for (int k = 0; k < n; ++k) y[k] = weights[j] * ((j == k ? T(1) : T(0)) - weights[k]);
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        using Kind = Expression::Kind;
        const Expression own = number_of_row(operands, cell, key_of(operands, cell));
        const Expression other = number_of_row(operands, cell, cell.col);
        return Expression::make(Kind::product,
                                {own, Expression::make(Kind::difference, {is_own_key(operands, cell), other})});
    }

    // A weight's own plane, and its column in every plane of its head.
    Region reach(std::span<const Shape> operands, const Shape& result, int, const Block& changed) const override {
        const int n = operands[0].cols;
        Region region;
        for (int h = changed.planes.begin; h < changed.planes.end; ++h) {
            region.add(Block{{h * n + changed.cols.begin, h * n + changed.cols.end}, changed.rows, {0, result.cols}});
            region.add(Block{{h * n, (h + 1) * n}, changed.rows, changed.cols});
        }
        return region;
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[0] + "[j] · (δ[j, k] − " + names[0] + "[k])";
    }
};

} // namespace

StepPtr softmax_jacobian() { return std::make_shared<SoftmaxJacobian>(); }

} // namespace lab
