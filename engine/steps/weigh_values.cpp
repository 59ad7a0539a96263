#include "engine/steps/line_of.h"
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

    void backward(Backward& at) const override {
        at.add_step(0, weigh_values_slope(WeighedOperand::weights), {at.gradient(), at.operand(1)});
        at.add_step(1, weigh_values_slope(WeighedOperand::values), {at.gradient(), at.operand(0)});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "row of " + names[0] + " × " + names[1];
    }
};

// With g [n_k × n_q × d_v]: dweights[i, j] = Σ_d g[j, i, d] · values[j, d], dvalues[j, d] = Σ_i g[j, i, d] · weights[i, j].
class WeighValuesSlope final : public SlopeKind<WeighValuesSlope> {
  public:
    explicit WeighValuesSlope(WeighedOperand of) : of_weights_(of == WeighedOperand::weights) {}

    std::string_view kind() const override { return "weigh_values_slope"; }
    std::string key() const override { return of_weights_ ? "weights" : "values"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        const Shape& g = operands[0];
        return of_weights_ ? Shape::matrix(g.rows, g.planes) : Shape::matrix(g.planes, g.cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int row) {
            for (int col = block.cols.begin; col < block.cols.end; ++col) {
                T sum = 0;
                for (int k = 0; k < n_terms(operands[0].shape); ++k)
                    sum += operands[0].at(slope_cell(row, col, k)) * operands[1].at(factor_cell(row, col, k));
                result.row(plane, row)[col] = sum;
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int n = n_terms(operands[0].shape);
        const Cell g = slope_cell(cell.row, cell.col, 0), factor = factor_cell(cell.row, cell.col, 0);
        return sum_over(Series::Form::products, line_of(operands, 0, line_from(g, !of_weights_, n)),
                        line_of(operands, 1, line_from(factor, !of_weights_, n)));
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 0)
            return of_weights_ ? Block{{0, 1}, changed.rows, changed.planes}
                               : Block{{0, 1}, changed.planes, changed.cols};
        return of_weights_ ? Block{{0, 1}, {0, result.rows}, changed.rows}
                           : Block{{0, 1}, changed.cols, {0, result.cols}};
    }

    std::string formula(std::span<const std::string> names) const override {
        return of_weights_ ? "Σ over dimensions of " + names[0] + " · " + names[1]
                           : "Σ over queries of " + names[0] + " · " + names[1];
    }

  private:
    int n_terms(const Shape& g) const { return of_weights_ ? g.cols : g.rows; }
    Cell slope_cell(int row, int col, int k) const { return of_weights_ ? Cell{col, row, k} : Cell{row, k, col}; }
    Cell factor_cell(int row, int col, int k) const { return of_weights_ ? Cell{0, col, k} : Cell{0, k, row}; }

    bool of_weights_;
};

} // namespace

StepPtr weigh_values_slope(WeighedOperand of) { return std::make_shared<WeighValuesSlope>(of); }

StepPtr weigh_values() { return std::make_shared<WeighValues>(); }

} // namespace lab
