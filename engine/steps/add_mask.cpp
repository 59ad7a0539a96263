#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[h, i, j] = scores[h, i, j] + mask[i, j]; one mask may serve all heads.
class AddMask final : public StepKind<AddMask> {
  public:
    std::string_view kind() const override { return "add_mask"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& scores = operands[0];
        const Shape& mask = operands[1];
        const bool fits =
            mask.rows == scores.rows && mask.cols == scores.cols && (mask.planes == 1 || mask.planes == scores.planes);
        if (!fits) {
            return Error{names[1] + " is " + mask.to_text() + " but " + names[0] + " are " + scores.to_text()};
        }
        return scores;
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int row) {
            const T* scores = operands[0].row(plane, row);
            const T* mask = operands[1].row(mask_plane(operands, plane), row);
            for (int j = block.cols.begin; j < block.cols.end; ++j) result.row(plane, row)[j] = scores[j] + mask[j];
        });
    }

    bool reads_same_row(int) const override { return true; }
    bool is_light() const override { return true; }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Cell mask{mask_plane(operands, cell.plane), cell.row, cell.col};
        return Expression::make(Expression::Kind::sum, {Expression::cell({0, cell}, operands[0].at(cell)),
                                                        Expression::cell({1, mask}, operands[1].at(mask))});
    }

    Region reach(std::span<const Shape> operands, const Shape& result, int operand,
                 const Block& changed) const override {
        Block block = changed;
        const int n_operand_planes = operands[static_cast<std::size_t>(operand)].planes;
        block.planes = reading_planes(changed.planes, n_operand_planes, result.planes);
        return block;
    }

    void backward(Backward& at) const override {
        at.add(0, at.gradient());
        add_shared(at, 1);
    }

    std::string formula(std::span<const std::string> names) const override { return names[0] + " + " + names[1]; }

  private:
    template <class T> static int mask_plane(Operands<T> operands, int plane) {
        return shared_plane(plane, operands[1].shape.planes, operands[0].shape.planes);
    }
};

} // namespace

StepPtr add_mask() { return std::make_shared<AddMask>(); }

} // namespace lab
