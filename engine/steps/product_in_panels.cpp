#include "engine/steps/product_in_panels.h"

#include <algorithm>
#include <cassert>

#include "engine/kernels/product.h"
#include "engine/steps/product_factors.h"

namespace lab {

namespace {

class ProductInPanels final : public Runner {
  public:
    ProductInPanels(const ProductForm& form, Operands<float> operands, Range planes, Range cols)
        : form_(form), planes_(factor_planes(form, operands[0].shape, operands[1].shape)) {
        first_matrix_ = planes_.second(planes.begin);
        first_col_ = cols.begin;
        const int n_matrices = planes_.second(planes.end - 1) - first_matrix_ + 1;
        const FactorExtents b = factor_extents(operands[1].shape, form.n_second);
        const bool is_transposed = form.second_transposed;
        const bool is_whole = !is_transposed && cols == Range{0, b.cols} && b.cols % kPanelColumns == 0;
        n_beside_ = form.n_second > 1 && is_whole ? n_matrices : 1;
        panels_.resize(static_cast<std::size_t>(n_matrices / n_beside_));
        for (int i = 0; i < n_matrices; i += n_beside_) make(operands, i, cols.size() * n_beside_);
    }

    int n_parts() const override { return static_cast<int>(parts_.size()); }
    void lay_out(Operands<float> operands, int part) override {
        const auto& [i, cols] = parts_[static_cast<std::size_t>(part)];
        const ConstMatrix<float> b = matrix(operands, i);
        if (form_.second_transposed)
            pack_transposed(b.row(first_col_), b.stride, cols, panels_of(i));
        else
            pack_rows(b.data + first_col_, b.stride, cols, panels_of(i));
    }

    void run(Operands<float> operands, const Block& block, OutputView<float> result) const override {
        run(operands, block, result, {});
    }

    bool makes_copies() const override { return !form_.first_transposed; }
    void run(Operands<float> operands, const Block& block, OutputView<float> result,
             const Copies& copies) const override {
        assert(!copies.of_first.data || form_.n_first == 1);
        assert(!copies.of_result.data || operands.size() == 2); // nothing is added afterwards
        std::vector<float> turned;
        const int first_col = block.cols.begin;
        for (int plane = block.planes.begin; plane < block.planes.end; ++plane) {
            const ConstMatrix<float> a = side_by_side(operands[0], planes_.first(plane), form_.n_first);
            const int i = planes_.second(plane) - first_matrix_;
            const PanelMatrix& panels = panels_[static_cast<std::size_t>(i / n_beside_)];
            const Range cols = placed(block.cols, i);
            const bool turns = form_.first_transposed;
            multiply_packed({.a = turns ? columns_as_rows(a, block.rows, turned) : a.row(block.rows.begin),
                             .a_stride = turns ? a.rows : a.stride,
                             .n_rows = block.rows.size(),
                             .b = &panels,
                             .cols = cols,
                             .c = result.row(plane, block.rows.begin) + first_col,
                             .c_stride = result.held.cols.size(),
                             .next = result.next ? result.next_row(plane, block.rows.begin) + first_col : nullptr,
                             .copy_of_c = row_of(copies.of_result, plane, block.rows.begin, first_col),
                             .copy_of_a = row_of(copies.of_first, planes_.first(plane), block.rows.begin, 0)});
            if (operands.size() > 2) add_bias(form_, operands, plane, block, result);
        }
    }

    void renew(Operands<float> operands, Range planes, Range cols) override {
        for (int plane = planes.begin; plane < planes.end; ++plane) {
            const int i = planes_.second(plane) - first_matrix_;
            const ConstMatrix<float> b = matrix(operands, i / n_beside_ * n_beside_);
            if (form_.second_transposed)
                renew_transposed(b.row(first_col_), b.stride, placed(cols, i), panels_of(i));
            else
                renew_columns(b.data + first_col_, b.stride, placed(cols, i), panels_of(i));
        }
    }

  private:
    // Cells of a part: enough that a thread is worth it.
    static constexpr int kPartCells = 48 * 1024;

    struct Part {
        int matrix;
        Range cols;
    };

    ConstMatrix<float> matrix(Operands<float> operands, int i) const {
        return side_by_side(operands[1], first_matrix_ + i, form_.n_second);
    }
    PanelMatrix& panels_of(int i) { return panels_[static_cast<std::size_t>(i / n_beside_)]; }

    static float* row_of(const OutputView<float>& copy, int plane, int row, int col) {
        return copy.data ? copy.row(plane, row) + col : nullptr;
    }

    // Columns of the result in the panels of its matrix.
    Range placed(Range cols, int i) const {
        const int shift = i % n_beside_ * (panels_.front().n_cols / n_beside_) - first_col_;
        return {cols.begin + shift, cols.end + shift};
    }

    // The panels of matrix i and those beside it, with so many columns together.
    void make(Operands<float> operands, int i, int n_cols) {
        const ConstMatrix<float> b = matrix(operands, i);
        const int n_inner = form_.second_transposed ? b.cols : b.rows;
        PanelMatrix& panels = panels_of(i);
        if (!form_.second_transposed && refer_to_rows(b.data + first_col_, b.stride, n_inner, n_cols, panels)) return;
        make_panels(n_inner, n_cols, panels, summing(operands));
        // As many panels as another part, or one more: a part is laid out by one thread.
        const int n_panels = panels.n_panels(), n_each = std::max(1, kPartCells / (n_inner * kPanelColumns));
        const int n_parts = (n_panels + n_each - 1) / n_each;
        const auto first_col = [&](int part) { return std::min(n_panels * part / n_parts * kPanelColumns, n_cols); };
        for (int part = 0; part < n_parts; ++part) parts_.push_back({i, {first_col(part), first_col(part + 1)}});
    }

    // The whole operands decide, so that a cell's bits do not depend on how the result is cut.
    Summing summing(Operands<float> operands) const {
        if (!form_.is_of_scores) return Summing::in_order;
        const FactorExtents a = factor_extents(operands[0].shape, form_.n_first),
                            b = factor_extents(operands[1].shape, form_.n_second);
        return faster_summing(a.rows, b.cols, b.rows);
    }

    ProductForm form_;
    FactorPlanes planes_;
    int first_matrix_ = 0;
    int first_col_ = 0; // of the result, that the panels begin with
    int n_beside_ = 1;  // matrices that share panels, one after another
    std::vector<PanelMatrix> panels_;
    std::vector<Part> parts_;
};

} // namespace

std::unique_ptr<Runner> product_in_panels(const ProductForm& form, Operands<float> operands, Range planes, Range cols) {
    return std::make_unique<ProductInPanels>(form, operands, planes, cols);
}

} // namespace lab
