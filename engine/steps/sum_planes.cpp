#include "engine/steps/line_of.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[p, i, j] = Σ_h x[h, i, j] over the planes h that share p, added in the order of h.
class SumPlanes final : public SlopeKind<SumPlanes> {
  public:
    SumPlanes(int n_planes, int rank) : n_planes_(n_planes), rank_(rank) {}

    std::string_view kind() const override { return "sum_planes"; }
    std::string key() const override { return std::to_string(n_planes_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& x = operands[0];
        if (x.planes % n_planes_ != 0)
            return Error{count_of(names[0], x.planes, "head") + " but " + std::to_string(n_planes_) + " share them"};
        return Shape{n_planes_, x.rows, x.cols, rank_};
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n_shared = operands[0].shape.planes / n_planes_;
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) {
                T sum = 0;
                for (int h = plane * n_shared; h < (plane + 1) * n_shared; ++h) sum += operands[0].row(h, i)[j];
                y[j] = sum;
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int n_shared = operands[0].shape.planes / n_planes_;
        const Range shared{cell.plane * n_shared, (cell.plane + 1) * n_shared};
        return sum_over(Series::Form::cells, line_of(operands, 0, {shared, Range::at(cell.row), Range::at(cell.col)}));
    }

    Region reach(std::span<const Shape> operands, const Shape& result, int, const Block& changed) const override {
        const int n_shared = operands[0].planes / result.planes;
        Block block = changed;
        block.planes = {changed.planes.begin / n_shared, (changed.planes.end - 1) / n_shared + 1};
        return block;
    }

    std::string formula(std::span<const std::string> names) const override { return "Σ over heads of " + names[0]; }

  private:
    int n_planes_;
    int rank_;
};

} // namespace

StepPtr sum_planes(int n_planes, int rank) { return std::make_shared<SumPlanes>(n_planes, rank); }

} // namespace lab
