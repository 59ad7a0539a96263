#pragma once

#include <array>
#include <cassert>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backward.h"
#include "engine/derivation.h"
#include "engine/kernels/rows.h"
#include "engine/result.h"
#include "engine/shape.h"

namespace lab {

// A whole operand, row-major in memory.
template <class T> struct ConstView {
    const T* data = nullptr;
    Shape shape;

    const T* row(int plane, int row) const {
        return data + (static_cast<std::size_t>(plane) * shape.rows + row) * shape.cols;
    }
    T at(Cell cell) const { return row(cell.plane, cell.row)[cell.col]; }
};

// Where a block of a result is written: memory that holds the cells of `held` (the whole tensor, or just a block).
template <class T> struct OutputView {
    T* data = nullptr;
    Block held;
    // As `data`: where the step after this one will write the same cells, or null, also where both stay in a cache. For who can have that
    // memory fetched meanwhile.
    T* next = nullptr;

    // Points at column 0 of the row, so that it is indexed by the tensor's own columns.
    T* row(int plane, int row) const { return data + first_of_row(plane, row); }
    T* next_row(int plane, int row) const { return next + first_of_row(plane, row); }

  private:
    std::ptrdiff_t first_of_row(int plane, int row) const {
        const std::ptrdiff_t n_rows = held.rows.size();
        const std::ptrdiff_t flat_row = (plane - held.planes.begin) * n_rows + (row - held.rows.begin);
        return flat_row * held.cols.size() - held.cols.begin;
    }
};

// A matrix within a view: a plane, or one of several that lie side by side in the columns of a plane.
template <class T> struct ConstMatrix {
    const T* data = nullptr;
    int rows = 0;
    int cols = 0;
    std::ptrdiff_t stride = 0; // from row to row

    const T* row(int i) const { return data + i * stride; }
};
template <class T> ConstMatrix<T> side_by_side(const ConstView<T>& view, int index, int n_side_by_side) {
    const Shape& shape = view.shape;
    if (n_side_by_side == 1) return {view.row(index, 0), shape.rows, shape.cols, shape.cols};
    const int cols = shape.cols / n_side_by_side;
    return {view.row(0, 0) + index * cols, shape.rows, cols, shape.cols};
}

template <class T> using Operands = std::span<const ConstView<T>>;

// Legal but notable: data for a view to show.
enum class Notice {
    all_keys_masked, // the row is zeros by definition
    overflow,        // e^x or its sum left the range of float32, or a score is not a number
    zero_sum,        // a row that sums to zero cannot be divided by its sum: zeros by definition
    saturated,       // one weight is 1 to four digits: the gradient of the row vanishes
    unknown_token,   // a number that is no word's: zeros by definition
};

// A step bound to what many blocks of one result share: a factor laid out for the kernel, say. The operands that it was made from stay
// where they are and of their shapes; when their cells become others, they are laid out again before it runs. Of those that are read by
// the same row only the given views count.
class Runner {
  public:
    virtual ~Runner() = default;

    // What is to be laid out before it runs: so many parts, in any order, by any thread.
    virtual int n_parts() const = 0;
    virtual void lay_out(Operands<float> operands, int part) = 0;
    void lay_out_all(Operands<float> operands) {
        for (int part = 0; part < n_parts(); ++part) lay_out(operands, part);
    }

    // Columns begin at a multiple of kRunnerColumns and end at another or at the last.
    virtual void run(Operands<float> operands, const Block& block, OutputView<float> result) const = 0;

    // The same of a product whose first operand, or whose result, lies near and is to be kept far: PackedProduct says how. Whole tensors,
    // or nothing. To be called only where it makes copies, of two operands, the first with as many planes as the result if it is copied,
    // and of whole panels of columns.
    struct Copies {
        OutputView<float> of_result, of_first;
    };
    virtual bool makes_copies() const { return false; }
    virtual void run(Operands<float>, const Block&, OutputView<float> /*result*/, const Copies&) const {
        assert(false);
    }

    // After these columns of the result came to depend on other numbers of the shared operands.
    virtual void renew(Operands<float> operands, Range planes, Range cols) = 0;

    static constexpr int kRunnerColumns = 64;
};

// A step that gives ∂y[j]/∂x[k] of every row, y being weights and x the scores that they were made of.
struct RowSlopes {
    StepPtr step;
    bool reads_result = true; // the weights; false: the scores
};

// One kind of step with its parameters: all that the lab knows about it. Operands are numbered; a view, an exporter or
// an update asks the step and never tests its kind.
//
// Operands with fewer planes than the result are shared: plane h of the result reads plane h · planes / result planes.
class Step {
  public:
    virtual ~Step() = default;

    virtual std::string_view kind() const = 0; // "matrix_product"

    // The parameters, so that two steps of one kind and key compute the same: "0.7071", "causal".
    virtual std::string key() const { return {}; }

    // The shape of the result, or why operands of these shapes do not fit. `names` are theirs, for the sentence.
    virtual Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const = 0;

    // Computes the cells of `block`. Rows and columns do not depend on how the result is cut into blocks.
    virtual void forward(Operands<float> operands, const Block& block, OutputView<float> result) const = 0;
    virtual void forward(Operands<double> operands, const Block& block, OutputView<double> result) const = 0;

    // For many blocks within these planes and columns, once it is laid out: the same bits as `forward`. None: nothing is to be
    // prepared.
    virtual std::unique_ptr<Runner> runner(Operands<float>, Range /*planes*/, Range /*cols*/) const { return nullptr; }

    // Whether row i of plane h of the result reads of this operand no more than its row i, of the plane that h shares.
    virtual bool reads_same_row(int /*operand*/) const { return false; }

    // Whether a cell costs little more to compute than to read: then a large result need not be stored.
    virtual bool is_light() const { return false; }

    // Whether a cell reads of this operand no more than the same cell, of the plane that its own shares.
    virtual bool reads_same_cell(int operand) const { return is_light() && reads_same_row(operand); }

    // Of a step whose cells are those of its one operand times a number: that number.
    virtual std::optional<float> factor() const { return std::nullopt; }

    // Of a step all of whose cells are one number, whatever the operands: that number. Its cells need not be computed to be known.
    virtual std::optional<float> constant() const { return std::nullopt; }

    // Of a step of masks: whether it forbids any keys itself, whatever its operands hold.
    virtual bool forbids_keys() const { return false; }

    // For operands of which the first is still to be multiplied by `factor`: the same bits as `forward` after a step that does it.
    // None: there is none, or not for this factor.
    virtual std::unique_ptr<Runner> runner_with_factor(float /*factor*/) const { return nullptr; }

    // Multiplications and additions (or what takes as long) of the whole result.
    virtual double n_operations(std::span<const Shape> /*operands*/, const Shape& result) const {
        return static_cast<double>(result.n_cells());
    }

    // Whether weights are made of scores (operand 0) as RowSum says, so that it can stand in for them. Then whole rows of weights
    // may be written in their scores' place.
    virtual bool has_row_sums() const { return false; }
    // Writes a whole row of such weights; the same bits as `forward` and, from the sum that is returned, `weights_in_row`.
    virtual RowSum row_with_sum(Operands<float>, int /*plane*/, int /*row*/, float* /*weights*/) const { return {}; }

    // Of a step whose row i is Σ_j a[i, j] · b[j] over the columns of operand 0: the row b[j] for a plane. Empty: another kind.
    virtual std::span<const float> term_row(Operands<float>, int /*plane*/, int /*j*/) const { return {}; }

    // Of scores, whose cell (i, j) of a plane is Σ_k a[i, k] · b[j, k]: k by k the columns a and b of its two operands. Empty: another
    // kind.
    struct FactorColumns {
        struct Column {
            int plane, col;
        };
        std::array<Column, 2> of_operand;
    };
    virtual std::vector<FactorColumns> factor_columns(std::span<const Shape> /*operands*/, int /*plane*/) const {
        return {};
    }

    // How one cell came about; sources name operand and cell.
    virtual Expression derive(Operands<float> operands, Cell cell) const = 0;

    // The cells of the result that may change when `changed` of one operand changes.
    virtual Region reach(std::span<const Shape> operands, const Shape& result, int operand,
                         const Block& changed) const = 0;

    // The same where the operands' numbers are at hand, for a step that reads by what they say (the rows of a table that tokens
    // name): those cells of `reach` that do read from `changed`.
    virtual Region reach_in(Operands<float> operands, const Shape& result, int operand, const Block& changed) const {
        std::vector<Shape> shapes;
        for (const ConstView<float>& read : operands) shapes.push_back(read.shape);
        return reach(shapes, result, operand, changed);
    }

    // "queries · keysᵀ", from the operands' names.
    virtual std::string formula(std::span<const std::string> names) const = 0;

    // The gradient's steps: see Backward.
    virtual void backward(Backward& at) const = 0;

    // Of a step whose every row comes from the same row of operand 0 alone, and that has them: all slopes of a row.
    virtual std::optional<RowSlopes> row_slopes() const { return std::nullopt; }

    // Whether something about this row of the result is worth a remark.
    virtual std::optional<Notice> notice(Operands<float>, int /*plane*/, int /*row*/) const { return std::nullopt; }
};

// Which plane of an operand the plane of a result reads: itself, its group's, or the one that all share.
inline int shared_plane(int plane, int n_operand_planes, int n_planes) {
    return n_operand_planes == n_planes ? plane : plane * n_operand_planes / n_planes;
}
// The planes of a result that read these planes of an operand.
inline Range reading_planes(Range operand_planes, int n_operand_planes, int n_planes) {
    const int per_plane = n_planes / n_operand_planes;
    return {operand_planes.begin * per_plane, operand_planes.end * per_plane};
}

// Both number types from the same lines: Kind has `template <class T> void run(Operands<T>, const Block&, OutputView<T>) const`.
template <class Kind> class StepKind : public Step {
  public:
    void forward(Operands<float> operands, const Block& block, OutputView<float> result) const final {
        static_cast<const Kind&>(*this).template run<float>(operands, block, result);
    }
    void forward(Operands<double> operands, const Block& block, OutputView<double> result) const final {
        static_cast<const Kind&>(*this).template run<double>(operands, block, result);
    }
};

// A kind that only gradients consist of: its own gradient is not modelled.
template <class Kind> class SlopeKind : public StepKind<Kind> {
  public:
    void backward(Backward&) const final { assert(false); }
};

} // namespace lab
