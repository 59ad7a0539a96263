#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[p] = the rows of a[p], then those of b[p].
class AppendRows final : public StepKind<AppendRows> {
  public:
    std::string_view kind() const override { return "append_rows"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& a = operands[0];
        const Shape& b = operands[1];
        if (a.cols != b.cols)
            return Error{count_of(names[0], a.cols, "column") + " but " + count_of(names[1], b.cols, "column")};
        if (a.planes != b.planes)
            return Error{count_of(names[0], a.planes, "head") + " but " + count_of(names[1], b.planes, "head")};
        if (a.rank != b.rank)
            return Error{names[0] + " is " + a.to_text() + " but " + names[1] + " is " + b.to_text() +
                         ", and they are to be one tensor"};
        return Shape{a.planes, a.rows + b.rows, a.cols, a.rank};
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n_first = operands[0].shape.rows;
        for_each_row(block, [&](int plane, int i) {
            const T* x = i < n_first ? operands[0].row(plane, i) : operands[1].row(plane, i - n_first);
            T* y = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) y[j] = x[j];
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int n_first = operands[0].shape.rows;
        if (cell.row < n_first) return Expression::cell({0, cell}, operands[0].at(cell));
        const Cell at{cell.plane, cell.row - n_first, cell.col};
        return Expression::cell({1, at}, operands[1].at(at));
    }

    Region reach(std::span<const Shape> operands, const Shape&, int operand, const Block& changed) const override {
        const int before = operand == 0 ? 0 : operands[0].rows;
        return Block{changed.planes, {changed.rows.begin + before, changed.rows.end + before}, changed.cols};
    }

    void backward(Backward& at) const override {
        const int n_first = at.shape(at.operand(0)).rows;
        const int n = at.shape(at.result()).rows;
        at.add_step(0, take_rows({0, n_first}), {at.gradient()});
        at.add_step(1, take_rows({n_first, n}), {at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "rows of " + names[0] + ", then of " + names[1];
    }
};

} // namespace

StepPtr append_rows() { return std::make_shared<AppendRows>(); }

} // namespace lab
