#include <algorithm>

#include "engine/steps/steps.h"
#include "engine/steps/token_number.h"

namespace lab {

namespace {

// y[i, j] = table[token_ids[i], j]; 0 where that is no row.
class GatherRows final : public StepKind<GatherRows> {
  public:
    std::string_view kind() const override { return "gather_rows"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& ids = operands[0];
        const Shape& table = operands[1];
        if (ids.rank != 1) return Error{names[0] + " is " + ids.to_text() + " but must be one number per token"};
        if (table.rank != 2) return Error{names[1] + " is " + table.to_text() + " but must be one row per word"};
        return Shape::matrix(ids.cols, table.cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const ConstView<T>& table = operands[1];
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            const T id = operands[0].data[i];
            const T* row = is_word(id, table.shape.rows) ? table.row(0, static_cast<int>(id)) : nullptr;
            for (int j = block.cols.begin; j < block.cols.end; ++j) y[j] = row ? row[j] : T(0);
        });
    }

    // What is not 0 of the product with one-hot rows.
    Expression derive(Operands<float> operands, Cell cell) const override {
        const ConstView<float>& table = operands[1];
        const float id = operands[0].data[cell.row];
        const bool is_known = is_word(id, table.shape.rows);
        const Cell at{0, is_known ? static_cast<int>(id) : 0, cell.col};
        Expression is_it = token_is_word(operands, cell.row, at.row, table.shape.rows);
        if (!is_known) return is_it;
        return Expression::make(Expression::Kind::product, {std::move(is_it), Expression::cell({1, at}, table.at(at))});
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 0) return Block{{0, 1}, changed.cols, {0, result.cols}};
        return Block{{0, 1}, {0, result.rows}, changed.cols};
    }

    // Of the table only the rows that are taken matter.
    Region reach_in(Operands<float> operands, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 0) return StepKind::reach_in(operands, result, operand, changed);
        Region region;
        Range run; // of tokens one after the other
        for (int i = 0; i < result.rows; ++i) {
            const float id = operands[0].data[i];
            if (!is_word(id, operands[1].shape.rows) || !changed.rows.contains(static_cast<int>(id))) continue;
            const bool continues = run.end == i;
            if (!continues) region.add(Block{{0, 1}, run, changed.cols});
            run = {continues ? run.begin : i, i + 1};
        }
        region.add(Block{{0, 1}, run, changed.cols});
        return region;
    }

    void backward(Backward& at) const override {
        at.add_step(0, zeros(at.shape(at.operand(0)), "a token's number has no slope"), {});
        at.add_step(1, scatter_rows(at.shape(at.operand(1)).rows), {at.operand(0), at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override { return names[1] + "[" + names[0] + "]"; }

    std::optional<Notice> notice(Operands<float> operands, int, int i) const override {
        const bool is_known = is_word(operands[0].data[i], operands[1].shape.rows);
        return is_known ? std::nullopt : std::optional(Notice::unknown_token);
    }
};

// y[v, j] = Σ g[i, j] over the tokens i with the number v, in the order of i.
class ScatterRows final : public SlopeKind<ScatterRows> {
  public:
    explicit ScatterRows(int n_rows) : n_rows_(n_rows) {}

    std::string_view kind() const override { return "scatter_rows"; }
    std::string key() const override { return std::to_string(n_rows_); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        if (operands[0].rank != 1 || operands[0].cols != operands[1].rows)
            return Error{count_of(names[1], operands[1].rows, "row") + " but " + names[0] + " is " +
                         operands[0].to_text()};
        return Shape::matrix(n_rows_, operands[1].cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int v) {
            T* y = result.row(plane, v);
            std::fill(y + block.cols.begin, y + block.cols.end, T(0));
        });
        if (block.empty()) return;
        for (int i = 0; i < operands[1].shape.rows; ++i) {
            const T id = operands[0].data[i];
            if (!is_word(id, n_rows_) || !block.rows.contains(static_cast<int>(id))) continue;
            const T* g = operands[1].row(0, i);
            T* y = result.row(0, static_cast<int>(id));
            for (int j = block.cols.begin; j < block.cols.end; ++j) y[j] += g[j];
        }
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        Expression sum = Expression::make(Expression::Kind::sum, {});
        std::vector<Expression> others;
        for (int i = 0; i < operands[1].shape.rows; ++i) {
            const Cell at{0, i, cell.col};
            Expression is_it = token_is_word(operands, i, cell.row, n_rows_);
            if (is_it.value == 0)
                others.push_back(std::move(is_it.parts[0]));
            else
                sum.parts.push_back(Expression::make(
                    Expression::Kind::product, {std::move(is_it), Expression::cell({1, at}, operands[1].at(at))}));
        }
        if (!others.empty()) sum.parts.push_back(Expression::given(0, "of other tokens", std::move(others)));
        return sum;
    }

    Region reach(std::span<const Shape>, const Shape& result, int operand, const Block& changed) const override {
        return Block{{0, 1}, {0, result.rows}, operand == 0 ? Range{0, result.cols} : changed.cols};
    }

    Region reach_in(Operands<float> operands, const Shape& result, int operand, const Block& changed) const override {
        if (operand == 0) return StepKind::reach_in(operands, result, operand, changed);
        Region region;
        for (int i = changed.rows.begin; i < changed.rows.end; ++i) {
            const float id = operands[0].data[i];
            if (is_word(id, n_rows_)) region.add(Block{{0, 1}, Range::at(static_cast<int>(id)), changed.cols});
        }
        return region;
    }

    std::string formula(std::span<const std::string> names) const override {
        return "Σ of the rows of " + names[1] + " by " + names[0];
    }

  private:
    int n_rows_;
};

} // namespace

StepPtr gather_rows() { return std::make_shared<GatherRows>(); }

StepPtr scatter_rows(int n_rows) { return std::make_shared<ScatterRows>(n_rows); }

} // namespace lab
