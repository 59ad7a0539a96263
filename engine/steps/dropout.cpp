#include <mutex>
#include <vector>

#include "engine/random.h"
#include "engine/steps/steps.h"

namespace lab {

namespace {

// y = x · 1 / (1 − p) where the cell is kept, else 0; kept where u < 1 − p, u being the cell's uniform number.
class Dropout final : public StepKind<Dropout>, public std::enable_shared_from_this<Dropout> {
  public:
    Dropout(const DropoutForm& form, const Shape& shape)
        : form_(form), shape_(shape), factor_(1.0f / static_cast<float>(1 - p())) {
        assert(form.p >= 0 && form.p < 1);
    }

    std::string_view kind() const override { return "dropout"; }
    std::string key() const override {
        return digits_text(p(), 9) + " seed " + std::to_string(form_.seed) + " after " +
               std::to_string(form_.n_cells_before) + " of " + shape_.to_text();
    }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        if (operands[0] == shape_) return shape_;
        return Error{names[0] + " is " + operands[0].to_text() + " but what to drop was drawn for " + shape_.to_text()};
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        const std::vector<bool>& kept = kept_cells();
        for_each_row(block, [&](int plane, int i) {
            const T* x = operands[0].row(plane, i);
            T* y = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j)
                y[j] = kept[number_of({plane, i, j})] ? x[j] * static_cast<T>(factor_) : T(0);
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        if (!is_kept(cell)) return Expression::given(0, "dropped", {});
        return Expression::make(Expression::Kind::product, {Expression::cell({0, cell}, operands[0].at(cell)),
                                                            Expression::number(static_cast<double>(factor_))});
    }

    // What is dropped reaches nothing; a larger box is not searched for it.
    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override {
        const Cell first = changed.first();
        return changed.size() == 1 && !is_kept(first) ? Region() : Region(changed);
    }

    void backward(Backward& at) const override { at.add_step(0, shared_from_this(), {at.gradient()}); }

    std::string formula(std::span<const std::string> names) const override {
        char text[32];
        std::snprintf(text, sizeof text, "%g", static_cast<double>(form_.p));
        return names[0] + " / (1 − " + text + "), or 0 with probability " + text;
    }

  private:
    double p() const { return static_cast<double>(form_.p); }
    std::size_t number_of(Cell cell) const {
        return (static_cast<std::size_t>(cell.plane) * shape_.rows + cell.row) * shape_.cols + cell.col;
    }
    bool is_kept(Cell cell) const { return kept_cells()[number_of(cell)]; }

    // Drawn when first asked for: a program is also built to see whether it fits, and of shapes that memory cannot hold.
    const std::vector<bool>& kept_cells() const {
        std::call_once(drawn_, [&] {
            Generator generator(form_.seed);
            generator.skip(2 * form_.n_cells_before);
            is_kept_.resize(shape_.size());
            for (std::size_t cell = 0; cell < is_kept_.size(); ++cell)
                is_kept_[cell] = generator.uniform_double() < 1 - p();
        });
        return is_kept_;
    }

    DropoutForm form_;
    Shape shape_;
    float factor_;
    mutable std::once_flag drawn_;
    mutable std::vector<bool> is_kept_; // per cell
};

} // namespace

StepPtr dropout(const DropoutForm& form, const Shape& shape) { return std::make_shared<Dropout>(form, shape); }

} // namespace lab
