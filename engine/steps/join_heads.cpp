#include <algorithm>

#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[i, h·m + j] = x[h, i, j].
class JoinHeads final : public StepKind<JoinHeads> {
  public:
    std::string_view kind() const override { return "join_heads"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        return Shape::matrix(operands[0].rows, operands[0].planes * operands[0].cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n_cols = operands[0].shape.cols;
        for_each_row(block, [&](int, int i) {
            T* y = result.row(0, i);
            for (int j = block.cols.begin; j < block.cols.end;) {
                const int h = j / n_cols, first = h * n_cols, end = std::min(first + n_cols, block.cols.end);
                const T* x = operands[0].row(h, i);
                std::copy(x + (j - first), x + (end - first), y + j);
                j = end;
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int n_cols = operands[0].shape.cols;
        const Cell at{cell.col / n_cols, cell.row, cell.col % n_cols};
        return Expression::cell({0, at}, operands[0].at(at));
    }

    Region reach(std::span<const Shape> operands, const Shape&, int, const Block& changed) const override {
        Region region;
        for (int h = changed.planes.begin; h < changed.planes.end; ++h) {
            const int first = h * operands[0].cols;
            region.add(Block{{0, 1}, changed.rows, {first + changed.cols.begin, first + changed.cols.end}});
        }
        return region;
    }

    void backward(Backward& at) const override {
        at.add_step(0, split_heads(at.shape(at.operand(0)).planes), {at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override { return names[0] + ", heads side by side"; }
};

// y[h, i, j] = x[i, h·m + j].
class SplitHeads final : public StepKind<SplitHeads> {
  public:
    explicit SplitHeads(int n_heads) : n_heads_(n_heads) {}

    std::string_view kind() const override { return "split_heads"; }
    std::string key() const override { return std::to_string(n_heads_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& x = operands[0];
        if (x.planes > 1 || x.cols % n_heads_ != 0)
            return Error{names[0] + " is " + x.to_text() + " but is to be split into " + std::to_string(n_heads_) +
                         " heads"};
        return Shape::stack(n_heads_, x.rows, x.cols / n_heads_);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n_cols = operands[0].shape.cols / n_heads_;
        for_each_row(block, [&](int h, int i) {
            T* y = result.row(h, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) y[j] = operands[0].row(0, i)[h * n_cols + j];
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Cell at{0, cell.row, cell.plane * (operands[0].shape.cols / n_heads_) + cell.col};
        return Expression::cell({0, at}, operands[0].at(at));
    }

    Region reach(std::span<const Shape>, const Shape& result, int, const Block& changed) const override {
        Region region;
        for (int h = changed.cols.begin / result.cols; h * result.cols < changed.cols.end; ++h) {
            const Range cols{std::max(changed.cols.begin - h * result.cols, 0),
                             std::min(changed.cols.end - h * result.cols, result.cols)};
            region.add(Block{Range::at(h), changed.rows, cols});
        }
        return region;
    }

    void backward(Backward& at) const override { at.add_step(0, join_heads(), {at.gradient()}); }

    std::string formula(std::span<const std::string> names) const override { return names[0] + ", head by head"; }

  private:
    int n_heads_;
};

} // namespace

StepPtr join_heads() { return std::make_shared<JoinHeads>(); }

StepPtr split_heads(int n_heads) { return std::make_shared<SplitHeads>(n_heads); }

} // namespace lab
