#include "engine/steps/line_of.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[h·m + j] = Σ_i x[h, i, j], added in the order of i.
class SumRows final : public SlopeKind<SumRows> {
  public:
    std::string_view kind() const override { return "sum_rows"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        return Shape::vector(operands[0].planes * operands[0].cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const Shape& x = operands[0].shape;
        if (block.empty()) return;
        T* y = result.row(0, 0);
        for (int col = block.cols.begin; col < block.cols.end; ++col) {
            T sum = 0;
            for (int i = 0; i < x.rows; ++i) sum += operands[0].row(col / x.cols, i)[col % x.cols];
            y[col] = sum;
        }
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Shape& x = operands[0].shape;
        const Range plane = Range::at(cell.col / x.cols), col = Range::at(cell.col % x.cols);
        return sum_over(Series::Form::cells, line_of(operands, 0, {plane, {0, x.rows}, col}));
    }

    Region reach(std::span<const Shape> operands, const Shape&, int, const Block& changed) const override {
        Region region;
        for (int h = changed.planes.begin; h < changed.planes.end; ++h) {
            const int first = h * operands[0].cols;
            region.add(Block{{0, 1}, {0, 1}, {first + changed.cols.begin, first + changed.cols.end}});
        }
        return region;
    }

    std::string formula(std::span<const std::string> names) const override { return "Σ over rows of " + names[0]; }
};

} // namespace

StepPtr sum_rows() { return std::make_shared<SumRows>(); }

} // namespace lab
