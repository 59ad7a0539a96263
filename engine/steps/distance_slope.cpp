#include <cmath>

#include "engine/steps/one_shape.h"

namespace lab {

namespace {

// y = (x − t) / √Σ (x − t)², the sum over all cells in their order; 0 where every cell is equal.
class DistanceSlope final : public SlopeKind<DistanceSlope> {
  public:
    std::string_view kind() const override { return "distance_slope"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        return one_shape(operands, names);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const T distance = std::sqrt(squares(operands));
        for_each_row(block, [&](int plane, int i) {
            for (int j = block.cols.begin; j < block.cols.end; ++j) {
                const T difference = operands[0].row(plane, i)[j] - operands[1].row(plane, i)[j];
                result.row(plane, i)[j] = distance > 0 ? difference / distance : T(0);
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const auto difference = [&](Cell at) {
            return Expression::make(Expression::Kind::difference, {Expression::cell({0, at}, operands[0].at(at)),
                                                                   Expression::cell({1, at}, operands[1].at(at))});
        };
        Expression sum = Expression::make(Expression::Kind::sum, {});
        for_each_row(Block::all(operands[0].shape), [&](int plane, int i) {
            for (int j = 0; j < operands[0].shape.cols; ++j) {
                const Expression term = difference({plane, i, j});
                sum.parts.push_back(Expression::make(Expression::Kind::product, {term, term}));
            }
        });
        if (squares(operands) <= 0) return Expression::given(0, "the distance is 0", std::move(sum.parts));
        const Expression root = Expression::call(Function::square_root, sum, "distance");
        return Expression::make(Expression::Kind::quotient, {difference(cell), root});
    }

    Region reach(std::span<const Shape>, const Shape& result, int, const Block&) const override {
        return Block::all(result);
    }

    std::string formula(std::span<const std::string> names) const override {
        return "(" + names[0] + " − " + names[1] + ") / distance";
    }

  private:
    template <class T> static T squares(Operands<T> operands) {
        T sum = 0;
        for (std::size_t i = 0; i < operands[0].shape.size(); ++i) {
            const T difference = operands[0].data[i] - operands[1].data[i];
            sum += difference * difference;
        }
        return sum;
    }
};

} // namespace

StepPtr distance_slope() { return std::make_shared<DistanceSlope>(); }

} // namespace lab
