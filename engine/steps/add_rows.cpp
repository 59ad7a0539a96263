#include <algorithm>

#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[i, j] = x[i, j] + table[first + i, j].
class AddRows final : public StepKind<AddRows> {
  public:
    explicit AddRows(int first) : first_(first) { assert(first >= 0); }

    std::string_view kind() const override { return "add_rows"; }
    std::string key() const override { return std::to_string(first_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& x = operands[0];
        const Shape& table = operands[1];
        for (std::size_t i = 0; i < 2; ++i) {
            if (operands[i].planes > 1)
                return Error{names[i] + " is " + operands[i].to_text() + " but rows are added to a matrix"};
        }
        if (table.cols != x.cols)
            return Error{count_of(names[1], table.cols, "column") + " but " + count_of(names[0], x.cols, "column")};
        if (x.rows > table.rows - first_) {
            const std::string after = first_ > 0 ? " after " + std::to_string(first_) + " of the past" : "";
            return Error{count_of(names[1], table.rows, "row") + " but " + count_of(names[0], x.rows, "row") + after};
        }
        return x;
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            const T* x = operands[0].row(plane, i);
            const T* added = operands[1].row(0, first_ + i);
            T* y = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) y[j] = x[j] + added[j];
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Cell added{0, first_ + cell.row, cell.col};
        return Expression::make(Expression::Kind::sum, {Expression::cell({0, cell}, operands[0].at(cell)),
                                                        Expression::cell({1, added}, operands[1].at(added))});
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 0) return changed;
        const Range rows{std::max(changed.rows.begin - first_, 0), std::min(changed.rows.end - first_, result.rows)};
        return Block{changed.planes, rows, changed.cols};
    }

    void backward(Backward& at) const override {
        at.add(0, at.gradient());
        at.add_step(1, place_rows(at.shape(at.operand(1)).rows, first_), {at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override {
        const std::string from = first_ > 0 ? " from row " + std::to_string(first_) : "";
        return names[0] + " + " + names[1] + from;
    }

  private:
    int first_;
};

} // namespace

StepPtr add_rows(int first) { return std::make_shared<AddRows>(first); }

} // namespace lab
