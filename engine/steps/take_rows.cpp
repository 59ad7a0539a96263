#include <algorithm>

#include "engine/steps/steps.h"

namespace lab {

namespace {

// y[p, i, j] = x[p, begin + i, j].
class TakeRows final : public StepKind<TakeRows> {
  public:
    explicit TakeRows(Range rows) : rows_(rows) { assert(rows.begin >= 0 && rows.begin <= rows.end); }

    std::string_view kind() const override { return "take_rows"; }
    std::string key() const override { return std::to_string(rows_.begin) + "…" + std::to_string(rows_.end); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& x = operands[0];
        if (rows_.end > x.rows)
            return Error{count_of(names[0], x.rows, "row") + " but " +
                         count_text(static_cast<std::size_t>(rows_.end), "row") + " are needed"};
        return Shape{x.planes, rows_.size(), x.cols, x.rank};
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            const T* x = operands[0].row(plane, rows_.begin + i);
            std::copy(x + block.cols.begin, x + block.cols.end, result.row(plane, i) + block.cols.begin);
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Cell at{cell.plane, rows_.begin + cell.row, cell.col};
        return Expression::cell({0, at}, operands[0].at(at));
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override {
        const Range rows{std::max(changed.rows.begin, rows_.begin) - rows_.begin,
                         std::min(changed.rows.end, rows_.end) - rows_.begin};
        return Block{changed.planes, rows, changed.cols};
    }

    void backward(Backward& at) const override {
        at.add_step(0, place_rows(at.shape(at.operand(0)).rows, rows_.begin), {at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override {
        const std::string n = count_text(static_cast<std::size_t>(rows_.size()), "row");
        return rows_.begin == 0 ? "the first " + n + " of " + names[0]
                                : n + " of " + names[0] + " from row " + std::to_string(rows_.begin);
    }

  private:
    Range rows_;
};

// y[p, first + i, j] = x[p, i, j], and 0 in all other rows.
class PlaceRows final : public StepKind<PlaceRows> {
  public:
    PlaceRows(int n_rows, int first) : n_rows_(n_rows), first_(first) { assert(first >= 0); }

    std::string_view kind() const override { return "place_rows"; }
    std::string key() const override { return std::to_string(first_) + " of " + std::to_string(n_rows_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& x = operands[0];
        if (x.rows > n_rows_ - first_)
            return Error{count_of(names[0], x.rows, "row") + " but there is room for " +
                         std::to_string(std::max(n_rows_ - first_, 0))};
        return Shape{x.planes, n_rows_, x.cols, x.rank};
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n_placed = operands[0].shape.rows;
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            const T* x = is_placed(i, n_placed) ? operands[0].row(plane, i - first_) : nullptr;
            for (int j = block.cols.begin; j < block.cols.end; ++j) y[j] = x ? x[j] : T(0);
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        if (!is_placed(cell.row, operands[0].shape.rows)) return Expression::given(0, "no row was taken from here", {});
        const Cell at{cell.plane, cell.row - first_, cell.col};
        return Expression::cell({0, at}, operands[0].at(at));
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override {
        return Block{changed.planes, {changed.rows.begin + first_, changed.rows.end + first_}, changed.cols};
    }

    void backward(Backward& at) const override {
        const int n_placed = at.shape(at.operand(0)).rows;
        at.add_step(0, take_rows({first_, first_ + n_placed}), {at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[0] + " from row " + std::to_string(first_) + ", else 0";
    }

  private:
    bool is_placed(int row, int n_placed) const { return row >= first_ && row < first_ + n_placed; }

    int n_rows_;
    int first_;
};

} // namespace

StepPtr take_rows(Range rows) { return std::make_shared<TakeRows>(rows); }

StepPtr place_rows(int n_rows, int first) { return std::make_shared<PlaceRows>(n_rows, first); }

} // namespace lab
