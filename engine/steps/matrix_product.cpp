#include <algorithm>

#include "engine/steps/steps.h"

namespace lab {

namespace {

// C[i, j] = Σ_k A[i, k] · B[k, j] (or B[j, k]) + bias[j], added in the order of k.
class MatrixProduct final : public StepKind<MatrixProduct> {
  public:
    explicit MatrixProduct(SecondOperand second) : transposed_(second == SecondOperand::transposed) {}

    std::string_view kind() const override { return "matrix_product"; }
    std::string key() const override { return transposed_ ? "transposed" : ""; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        const Shape& a = operands[0];
        const Shape& b = operands[1];
        const int n_inner = transposed_ ? b.cols : b.rows;
        if (a.cols != n_inner) {
            return Error{count_of(names[0], a.cols, "column") + " but " +
                         count_of(names[1], n_inner, transposed_ ? "column" : "row")};
        }
        if (std::max(a.planes, b.planes) % a.planes != 0 || std::max(a.planes, b.planes) % b.planes != 0) {
            return Error{count_of(names[0], a.planes, "head") + " but " + count_of(names[1], b.planes, "head")};
        }
        Shape result = a;
        result.planes = std::max(a.planes, b.planes);
        result.rank = std::max(a.rank, b.rank);
        result.cols = transposed_ ? b.rows : b.cols;
        if (operands.size() > 2 && operands[2] != Shape::vector(result.cols)) {
            const bool is_vector = operands[2].rank == 1;
            const std::string given =
                is_vector ? count_of(names[2], operands[2].cols, "number") : names[2] + " is " + operands[2].to_text();
            return Error{given + " but " + count_of(names[1], result.cols, "column")};
        }
        return result;
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const int n_planes = std::max(operands[0].shape.planes, operands[1].shape.planes);
        for_each_row(block, [&](int plane, int i) {
            const T* a = operands[0].row(shared_plane(plane, operands[0].shape.planes, n_planes), i);
            T* c = result.row(plane, i);
            const int b_plane = shared_plane(plane, operands[1].shape.planes, n_planes);
            if (transposed_)
                row_times_rows(a, operands[1], b_plane, block.cols, c);
            else
                row_times_matrix(a, operands[1], b_plane, block.cols, c);
            if (operands.size() < 3) return;
            const T* bias = operands[2].row(0, 0);
            for (int j = block.cols.begin; j < block.cols.end; ++j) c[j] += bias[j];
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const int n_planes = std::max(operands[0].shape.planes, operands[1].shape.planes);
        const auto source = [&](int operand, Cell at) {
            return Expression::cell({operand, at}, operands[static_cast<std::size_t>(operand)].at(at));
        };
        Expression sum = Expression::make(Expression::Kind::sum, {});
        for (int k = 0; k < operands[0].shape.cols; ++k) {
            const Cell a{shared_plane(cell.plane, operands[0].shape.planes, n_planes), cell.row, k};
            const int b_plane = shared_plane(cell.plane, operands[1].shape.planes, n_planes);
            const Cell b = transposed_ ? Cell{b_plane, cell.col, k} : Cell{b_plane, k, cell.col};
            sum.parts.push_back(Expression::make(Expression::Kind::product, {source(0, a), source(1, b)}));
        }
        if (operands.size() > 2) sum.parts.push_back(source(2, {0, 0, cell.col}));
        return sum;
    }

    Region reach(std::span<const Shape> operands, const Shape& result, int operand,
                 const Block& changed) const override {
        Block block = Block::all(result);
        if (operand == 2) {
            block.cols = changed.cols;
            return block;
        }
        const int n_operand_planes = operands[static_cast<std::size_t>(operand)].planes;
        block.planes = reading_planes(changed.planes, n_operand_planes, result.planes);
        if (operand == 0)
            block.rows = changed.rows;
        else
            block.cols = transposed_ ? changed.rows : changed.cols;
        return block;
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[0] + " · " + names[1] + (transposed_ ? "ᵀ" : "") + (names.size() > 2 ? " + " + names[2] : "");
    }

  private:
    // c[j] = Σ_k a[k] · B[k, j], row by row of B, so that the inner loop runs along memory.
    template <class T> static void row_times_matrix(const T* a, const ConstView<T>& b, int plane, Range cols, T* c) {
        std::fill(c + cols.begin, c + cols.end, T(0));
        for (int k = 0; k < b.shape.rows; ++k) {
            const T* b_row = b.row(plane, k);
            for (int j = cols.begin; j < cols.end; ++j) c[j] += a[k] * b_row[j];
        }
    }

    // c[j] = Σ_k a[k] · B[j, k].
    template <class T> static void row_times_rows(const T* a, const ConstView<T>& b, int plane, Range cols, T* c) {
        for (int j = cols.begin; j < cols.end; ++j) {
            const T* b_row = b.row(plane, j);
            T sum = 0;
            for (int k = 0; k < b.shape.cols; ++k) sum += a[k] * b_row[k];
            c[j] = sum;
        }
    }

    bool transposed_;
};

} // namespace

StepPtr matrix_product(SecondOperand second) { return std::make_shared<MatrixProduct>(second); }

} // namespace lab
