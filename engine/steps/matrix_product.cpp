#include <algorithm>
#include <cassert>
#include <type_traits>

#include "engine/kernels/plain_product.h"
#include "engine/kernels/product.h"
#include "engine/steps/line_of.h"
#include "engine/steps/product_factors.h"
#include "engine/steps/product_in_panels.h"

namespace lab {

namespace {

// C[h, i, j] = Σ_k A[h, i, k] · B[h, k, j] + bias[h·m + j].
class MatrixProduct final : public StepKind<MatrixProduct> {
  public:
    explicit MatrixProduct(const ProductForm& form) : form_(form) {
        assert(!form.is_of_scores || (form.second_transposed && !form.first_transposed));
    }

    std::string_view kind() const override { return "matrix_product"; }
    std::string key() const override {
        std::string text = form_.first_transposed ? "first transposed " : "";
        text += form_.second_transposed ? "transposed" : "";
        if (form_.n_first > 1) text += " first " + std::to_string(form_.n_first);
        if (form_.n_second > 1) text += " second " + std::to_string(form_.n_second);
        if (form_.is_of_scores) text += " scores";
        return text + (form_.has_planes ? " planes" : "");
    }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        for (std::size_t i = 0; i < 2; ++i) {
            const int n = i == 0 ? form_.n_first : form_.n_second;
            if (std::string error = side_by_side_error(operands[i], n, names[i]); !error.empty()) return Error{error};
        }
        const FactorExtents a = factor_extents(operands[0], form_.n_first);
        const FactorExtents b = factor_extents(operands[1], form_.n_second);
        const int a_inner = form_.first_transposed ? a.rows : a.cols;
        const int b_inner = form_.second_transposed ? b.cols : b.rows;
        if (a_inner != b_inner) {
            return Error{count_of(names[0], a_inner, form_.first_transposed ? "row" : "column") + " but " +
                         count_of(names[1], b_inner, form_.second_transposed ? "column" : "row")};
        }
        const int n_planes = std::max(a.planes, b.planes);
        if (n_planes % a.planes != 0 || n_planes % b.planes != 0)
            return Error{count_of(names[0], a.planes, "head") + " but " + count_of(names[1], b.planes, "head")};
        const int n_rows = form_.first_transposed ? a.cols : a.rows;
        const int n_cols = form_.second_transposed ? b.rows : b.cols;
        if (operands.size() > 2 && operands[2] != Shape::vector(b.planes * n_cols)) {
            const bool is_vector = operands[2].rank == 1;
            const std::string given =
                is_vector ? count_of(names[2], operands[2].cols, "number") : names[2] + " is " + operands[2].to_text();
            return Error{given + " but " + count_of(names[1], b.planes * n_cols, "column")};
        }
        const bool is_matrix = n_planes == 1 && !form_.has_planes;
        return is_matrix ? Shape::matrix(n_rows, n_cols) : Shape::stack(n_planes, n_rows, n_cols);
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const bool is_of_large = is_large(operands);
        if constexpr (std::is_same_v<T, float>) {
            if (is_of_large && !is_run_unpacked(block)) return run_in_panels(operands, block, result);
        }
        const FactorPlanes planes = factor_planes(form_, operands[0].shape, operands[1].shape);
        std::vector<T> turned;
        for (int plane = block.planes.begin; plane < block.planes.end; ++plane) {
            const ConstMatrix<T> first = side_by_side(operands[0], planes.first(plane), form_.n_first);
            const ConstMatrix<T> second = side_by_side(operands[1], planes.second(plane), form_.n_second);
            const bool turns = form_.first_transposed;
            PlainProduct<T> product;
            product.a = turns ? columns_as_rows(first, block.rows, turned) : first.row(block.rows.begin);
            product.a_stride = turns ? first.rows : first.stride;
            product.n_rows = block.rows.size();
            product.n_inner = turns ? first.rows : first.cols;
            product.b_stride_k = form_.second_transposed ? 1 : second.stride;
            product.b_stride_j = form_.second_transposed ? second.stride : 1;
            product.b = second.data + block.cols.begin * product.b_stride_j;
            product.n_cols = block.cols.size();
            product.c = result.row(plane, block.rows.begin) + block.cols.begin;
            product.c_stride = result.held.cols.size();
            multiply(product, is_of_large);
            if (operands.size() > 2) add_bias(form_, operands, plane, block, result);
        }
    }

    std::unique_ptr<Runner> runner(Operands<float> operands, Range planes, Range cols) const override {
        if (!is_large(operands)) return nullptr;
        return product_in_panels(form_, operands, planes, cols);
    }

    bool reads_same_row(int operand) const override { return operand == 0 && !form_.first_transposed; }

    double n_operations(std::span<const Shape> operands, const Shape& result) const override {
        const FactorExtents a = factor_extents(operands[0], form_.n_first);
        return static_cast<double>(result.n_cells()) * (form_.first_transposed ? a.rows : a.cols);
    }

    std::span<const float> term_row(Operands<float> operands, int plane, int j) const override {
        if (form_.first_transposed || form_.second_transposed || operands.size() > 2) return {};
        const FactorPlanes planes = factor_planes(form_, operands[0].shape, operands[1].shape);
        const ConstMatrix<float> b = side_by_side(operands[1], planes.second(plane), form_.n_second);
        return {b.row(j), static_cast<std::size_t>(b.cols)};
    }

    std::vector<FactorColumns> factor_columns(std::span<const Shape> operands, int plane) const override {
        if (!form_.is_of_scores) return {};
        assert(operands.size() == 2); // nothing is added
        const FactorPlanes planes = factor_planes(form_, operands[0], operands[1]);
        const Cell a = placed({planes.first(plane), 0, 0}, operands[0], form_.n_first);
        const Cell b = placed({planes.second(plane), 0, 0}, operands[1], form_.n_second);
        std::vector<FactorColumns> columns;
        for (int k = 0; k < factor_extents(operands[0], form_.n_first).cols; ++k)
            columns.push_back({{{{a.plane, a.col + k}, {b.plane, b.col + k}}}});
        return columns;
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const FactorPlanes planes = factor_planes(form_, operands[0].shape, operands[1].shape);
        const FactorExtents b = factor_extents(operands[1].shape, form_.n_second);
        const int n_inner = form_.second_transposed ? b.cols : b.rows;
        const int first = planes.first(cell.plane), second = planes.second(cell.plane);
        const Cell a = form_.first_transposed ? Cell{first, 0, cell.row} : Cell{first, cell.row, 0};
        const Cell at_b = form_.second_transposed ? Cell{second, cell.col, 0} : Cell{second, 0, cell.col};
        const auto line = [&](int operand, Cell from, bool is_down) {
            return line_of(operands, operand, line_from(from, is_down, n_inner));
        };
        Expression sum = sum_over(Series::Form::products,
                                  line(0, placed(a, operands[0].shape, form_.n_first), form_.first_transposed),
                                  line(1, placed(at_b, operands[1].shape, form_.n_second), !form_.second_transposed));
        const int n_cols = form_.second_transposed ? b.rows : b.cols;
        const Cell bias{0, 0, planes.second(cell.plane) * n_cols + cell.col};
        if (operands.size() > 2) sum.parts.push_back(Expression::cell({2, bias}, operands[2].at(bias)));
        return sum;
    }

    Region reach(std::span<const Shape> operands, const Shape& result, int operand,
                 const Block& changed) const override {
        const Shape& shape = operands[static_cast<std::size_t>(operand)];
        if (operand == 2) {
            const int n_matrices = factor_extents(operands[1], form_.n_second).planes;
            return reached_from_columns(changed.cols, n_matrices, result,
                                        [](Block& reached, Range cols) { reached.cols = cols; });
        }
        const int n_beside = operand == 0 ? form_.n_first : form_.n_second;
        const bool transposed = operand == 0 ? form_.first_transposed : form_.second_transposed;
        const auto narrow = [&](Block& reached, Range cols) {
            if (operand == 0)
                reached.rows = transposed ? cols : changed.rows;
            else
                reached.cols = transposed ? changed.rows : cols;
        };
        if (n_beside > 1) return reached_from_columns(changed.cols, n_beside, result, narrow, shape.cols / n_beside);
        Block block = Block::all(result);
        block.planes = reading_planes(changed.planes, shape.planes, result.planes);
        narrow(block, changed.cols);
        return block;
    }

    // ∂A_h = g_h · B_hᵀ and ∂B_h = A_hᵀ · g_h (transposed: g_hᵀ · A_h), ∂bias = Σ_i g; over the planes that share one, the sum.
    void backward(Backward& at) const override {
        assert(!form_.first_transposed); // only gradients are of this form
        const Shape &a = at.shape(at.operand(0)), &b = at.shape(at.operand(1));
        const int g = at.gradient();
        ProductForm of_first{.second_transposed = !form_.second_transposed, .n_second = form_.n_second};
        of_first.has_planes = a.rank == 3 || form_.n_first > 1;
        add_reduced(at, 0, at.step(matrix_product(of_first), {g, at.operand(1)}), a, form_.n_first);
        ProductForm of_second{.first_transposed = true, .has_planes = b.rank == 3 || form_.n_second > 1};
        (form_.second_transposed ? of_second.n_second : of_second.n_first) = form_.n_first;
        const std::vector<int> factors =
            form_.second_transposed ? std::vector{g, at.operand(0)} : std::vector{at.operand(0), g};
        add_reduced(at, 1, at.step(matrix_product(of_second), factors), b, form_.n_second);
        if (at.n_operands() < 3) return;
        const int n_matrices = factor_extents(b, form_.n_second).planes;
        const int summed = at.shape(g).planes == n_matrices ? g : at.step(sum_planes(n_matrices, 3), {g});
        at.add_step(2, sum_rows(), {summed});
    }

    std::string formula(std::span<const std::string> names) const override {
        return names[0] + (form_.first_transposed ? "ᵀ" : "") + " · " + names[1] +
               (form_.second_transposed ? "ᵀ" : "") + (names.size() > 2 ? " + " + names[2] : "");
    }

  private:
    // Small products are summed by the plain loops, with the same bits on every machine; large ones by the fast kernel. The
    // whole operands decide, so that a cell's bits do not depend on how the result is cut.
    static constexpr double kLargeProduct = 32768; // multiplications
    template <class T> bool is_large(Operands<T> operands) const {
        const FactorExtents a = factor_extents(operands[0].shape, form_.n_first),
                            b = factor_extents(operands[1].shape, form_.n_second);
        const double n_cols = form_.second_transposed ? b.rows : b.cols;
        return n_cols * a.rows * a.cols >= kLargeProduct;
    }

    // Row by row the second factor is read again: for more rows it is laid out, which reads and writes it once.
    static constexpr int kMostRowsUnpacked = 2;
    bool is_run_unpacked(const Block& block) const {
        return !form_.first_transposed && !form_.second_transposed && block.rows.size() <= kMostRowsUnpacked &&
               block.cols.size() >= kLeastColumnsUnpacked;
    }
    // Few rows read what is laid out but once: a panel at a time, in the memory of the one before, it stays in a near cache.
    void run_in_panels(Operands<float> operands, const Block& block, OutputView<float> result) const {
        constexpr int kMostRowsByPanels = 4;
        const bool is_by_panels =
            form_.second_transposed && !form_.first_transposed && block.rows.size() <= kMostRowsByPanels;
        const int n_together = is_by_panels ? kPanelColumns : std::max(block.cols.size(), 1);
        for (int col = block.cols.begin; col < block.cols.end; col += n_together) {
            const Range cols{col, std::min(col + n_together, block.cols.end)};
            const auto panels = product_in_panels(form_, operands, block.planes, cols);
            panels->lay_out_all(operands);
            panels->run(operands, {block.planes, block.rows, cols}, result);
        }
    }

    template <class T> static void multiply(const PlainProduct<T>& product, bool is_of_large) {
        if constexpr (std::is_same_v<T, float>) {
            if (is_of_large) return multiply_unpacked(product);
        }
        multiply_plain(product);
    }

    static std::string side_by_side_error(const Shape& shape, int n, const std::string& name) {
        if (n == 1) return {};
        const std::string heads = " but " + std::to_string(n) + " heads are to lie side by side in it";
        if (shape.planes > 1) return name + " is " + shape.to_text() + heads;
        return shape.cols % n == 0 ? std::string() : count_of(name, shape.cols, "column") + heads;
    }

    // A cell of the matrix `at.plane`, where it stands in the operand.
    static Cell placed(Cell at, const Shape& shape, int n_beside) {
        return n_beside > 1 ? Cell{0, at.row, at.plane * (shape.cols / n_beside) + at.col} : at;
    }

    // What columns of matrices that lie side by side reach: for each, the planes that read it, narrowed by its own columns.
    template <class Narrow>
    static Region reached_from_columns(Range cols, int n_matrices, const Shape& result, Narrow narrow, int n_cols = 0) {
        if (n_cols == 0) n_cols = result.cols;
        Region region;
        for (int matrix = cols.begin / n_cols; matrix * n_cols < cols.end; ++matrix) {
            Block reached = Block::all(result);
            reached.planes = reading_planes(Range::at(matrix), n_matrices, result.planes);
            narrow(reached, {std::max(cols.begin - matrix * n_cols, 0), std::min(cols.end - matrix * n_cols, n_cols)});
            region.add(reached);
        }
        return region;
    }

    // Adds a gradient by plane of the result as one of the operand's own shape.
    static void add_reduced(Backward& at, int i, int node, const Shape& operand, int n_beside) {
        const int n_matrices = factor_extents(operand, n_beside).planes;
        const bool joins = n_beside > 1;
        if (at.shape(node).planes != n_matrices)
            node = at.step(sum_planes(n_matrices, joins ? 3 : operand.rank), {node});
        if (joins) node = at.step(join_heads(), {node});
        at.add(i, node);
    }

    ProductForm form_;
};

} // namespace

StepPtr matrix_product(const ProductForm& form) { return std::make_shared<MatrixProduct>(form); }

} // namespace lab
