#include <algorithm>

#include "engine/steps/steps.h"

namespace lab {

namespace {

// Which column of a table of 2r + 1 distances query i and key j read: clip(j − i − n_past, −r, r) + r.
struct Distances {
    int n_past;
    int n_columns;

    int reach() const { return n_columns / 2; }
    int column(int i, int j) const { return std::clamp(j - i - n_past, -reach(), reach()) + reach(); }

    // The keys, of n, for which query i reads one of these columns.
    Range keys(int i, Range columns, int n) const {
        const int first = columns.begin == 0 ? 0 : i + n_past + columns.begin - reach();
        const int end = columns.end == n_columns ? n : i + n_past + columns.end - reach();
        return {std::clamp(first, 0, n), std::clamp(end, 0, n)};
    }
};

// y[h, i, j] = table[h, clip(j − i − n_past, −r, r) + r]
class RelativeBias final : public StepKind<RelativeBias> {
  public:
    RelativeBias(int n_queries, int n_keys, int n_past) : n_queries_(n_queries), n_keys_(n_keys), n_past_(n_past) {}

    std::string_view kind() const override { return "relative_bias"; }
    std::string key() const override {
        return Shape::matrix(n_queries_, n_keys_).to_text() + " past " + std::to_string(n_past_);
    }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& table = operands[0];
        if (table.planes > 1 || table.cols % 2 == 0)
            return Error{names[0] + " is " + table.to_text() +
                         " but distances from −r to r make a row of 2r + 1 for each head"};
        return table.rows == 1 ? Shape::matrix(n_queries_, n_keys_) : Shape::stack(table.rows, n_queries_, n_keys_);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const Distances distances = distances_of(operands[0].shape);
        for_each_row(block, [&](int h, int i) {
            const T* table = operands[0].row(0, h);
            T* y = result.row(h, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) y[j] = table[distances.column(i, j)];
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Cell at{0, cell.plane, distances_of(operands[0].shape).column(cell.row, cell.col)};
        return Expression::cell({0, at}, operands[0].at(at));
    }

    Region reach(std::span<const Shape> operands, const Shape& result, int, const Block& changed) const override {
        const Distances distances = distances_of(operands[0]);
        Region region;
        for (int i = 0; i < result.rows; ++i)
            region.add(Block{changed.rows, Range::at(i), distances.keys(i, changed.cols, result.cols)});
        return region;
    }

    void backward(Backward& at) const override {
        at.add_step(0, relative_bias_slope(at.shape(at.operand(0)), n_past_), {at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override {
        const std::string place = n_past_ == 0 ? "i" : "i − " + std::to_string(n_past_);
        return names[0] + "[j − " + place + "]";
    }

  private:
    Distances distances_of(const Shape& table) const { return {n_past_, table.cols}; }

    int n_queries_;
    int n_keys_;
    int n_past_;
};

// y[h, c] = Σ g[h, i, j] over the i and j that read column c, row by row.
class RelativeBiasSlope final : public SlopeKind<RelativeBiasSlope> {
  public:
    RelativeBiasSlope(const Shape& table, int n_past) : table_(table), distances_{n_past, table.cols} {}

    std::string_view kind() const override { return "relative_bias_slope"; }
    std::string key() const override { return table_.to_text() + " past " + std::to_string(distances_.n_past); }
    Result<Shape> shape(std::span<const Shape>, std::span<const std::string>) const override { return table_; }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int, int h) {
            T* y = result.row(0, h);
            std::fill(y + block.cols.begin, y + block.cols.end, T(0));
            for (int i = 0; i < operands[0].shape.rows; ++i) {
                const T* g = operands[0].row(h, i);
                const Range keys = distances_.keys(i, block.cols, operands[0].shape.cols);
                for (int j = keys.begin; j < keys.end; ++j) y[distances_.column(i, j)] += g[j];
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        Expression sum = Expression::make(Expression::Kind::sum, {});
        for (int i = 0; i < operands[0].shape.rows; ++i) {
            const Range keys = distances_.keys(i, Range::at(cell.col), operands[0].shape.cols);
            for (int j = keys.begin; j < keys.end; ++j) {
                const Cell at{cell.row, i, j};
                sum.parts.push_back(Expression::cell({0, at}, operands[0].at(at)));
            }
        }
        return sum.parts.empty() ? Expression::given(0, "no query and key stand so", {}) : sum;
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override {
        const int first = distances_.column(changed.rows.end - 1, changed.cols.begin);
        const int last = distances_.column(changed.rows.begin, changed.cols.end - 1);
        return Block{{0, 1}, changed.planes, {first, last + 1}};
    }

    std::string formula(std::span<const std::string> names) const override {
        return "Σ of " + names[0] + " by distance";
    }

  private:
    Shape table_;
    Distances distances_;
};

} // namespace

StepPtr relative_bias(int n_queries, int n_keys, int n_past) {
    return std::make_shared<RelativeBias>(n_queries, n_keys, n_past);
}

StepPtr relative_bias_slope(const Shape& table, int n_past) {
    return std::make_shared<RelativeBiasSlope>(table, n_past);
}

} // namespace lab
