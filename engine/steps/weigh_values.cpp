#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[j, i, d] = weights[i, j] · values[j, d]; its sum over j is context_vectors[i, d].
class WeighValues final : public StepKind<WeighValues> {
  public:
    std::string_view kind() const override { return "weigh_values"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        for (std::size_t i = 0; i < 2; ++i) {
            if (operands[i].planes == 1) continue;
            return Error{names[i] + " is " + operands[i].to_text() + " but the values of one head are weighed"};
        }
        const Shape& weights = operands[0];
        const Shape& values = operands[1];
        if (weights.cols != values.rows) {
            return Error{count_of(names[0], weights.cols, "column") + " but " + count_of(names[1], values.rows, "row")};
        }
        return Shape::stack(values.rows, weights.rows, values.cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int j, int i) {
            const T weight = operands[0].row(0, i)[j];
            const T* value = operands[1].row(0, j);
            T* y = result.row(j, i);
            for (int d = block.cols.begin; d < block.cols.end; ++d) y[d] = weight * value[d];
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Cell weight{0, cell.row, cell.plane};
        const Cell value{0, cell.plane, cell.col};
        return Expression::make(Expression::Kind::product, {Expression::cell({0, weight}, operands[0].at(weight)),
                                                            Expression::cell({1, value}, operands[1].at(value))});
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 0) return Block{changed.cols, changed.rows, {0, result.cols}};
        return Block{changed.rows, {0, result.rows}, changed.cols};
    }

    std::string formula(std::span<const std::string> names) const override {
        return "row of " + names[0] + " × " + names[1];
    }
};

} // namespace

StepPtr weigh_values() { return std::make_shared<WeighValues>(); }

} // namespace lab
