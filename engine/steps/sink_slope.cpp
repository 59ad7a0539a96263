#include "engine/steps/one_shape.h"

namespace lab {

namespace {

// ds[h] = Σ_i (Σ_j P[h, i, j] − 1) · Σ_j P[h, i, j] · g[h, i, j]: 1 − Σ P is the weight that the sink took from a row.
class SinkSlope final : public SlopeKind<SinkSlope> {
  public:
    std::string_view kind() const override { return "sink_slope"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        Result<Shape> both = one_shape(operands, names);
        if (!both) return both;
        return Shape::vector(both->planes);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const Shape& shape = operands[0].shape;
        for (int h = block.cols.begin; h < block.cols.end; ++h) {
            T slope = 0;
            for (int i = 0; i < shape.rows; ++i) {
                const T* weights = operands[0].row(h, i);
                const T* g = operands[1].row(h, i);
                T total = 0, mean = 0;
                for (int j = 0; j < shape.cols; ++j) total += weights[j];
                for (int j = 0; j < shape.cols; ++j) mean += weights[j] * g[j];
                slope += (total - 1) * mean;
            }
            result.row(0, 0)[h] = slope;
        }
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        Expression slope = Expression::make(Expression::Kind::sum, {});
        for (int i = 0; i < operands[0].shape.rows; ++i) {
            Expression total = Expression::make(Expression::Kind::sum, {}, "Σ weights");
            Expression mean = Expression::make(Expression::Kind::sum, {}, "mean slope");
            for (int j = 0; j < operands[0].shape.cols; ++j) {
                const Cell at{cell.col, i, j};
                total.parts.push_back(Expression::cell({0, at}, operands[0].at(at)));
                const Expression g = Expression::cell({1, at}, operands[1].at(at));
                mean.parts.push_back(Expression::make(Expression::Kind::product, {total.parts.back(), g}));
            }
            const Expression taken =
                Expression::make(Expression::Kind::difference, {std::move(total), Expression::number(1)});
            slope.parts.push_back(Expression::make(Expression::Kind::product, {taken, std::move(mean)}));
        }
        return slope;
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override {
        return Block{{0, 1}, {0, 1}, changed.planes};
    }

    std::string formula(std::span<const std::string> names) const override {
        return "Σ over queries of (Σ " + names[0] + " − 1) · Σ " + names[0] + " · " + names[1];
    }
};

} // namespace

StepPtr sink_slope() { return std::make_shared<SinkSlope>(); }

} // namespace lab
