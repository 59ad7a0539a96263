#include <type_traits>

#include "engine/kernels/rows.h"
#include "engine/steps/cell_by_cell.h"

namespace lab {

namespace {

// y = x · factor
class Scale final : public CellByCell<Scale> {
  public:
    Scale(float factor, std::string factor_text) : factor_(factor), factor_text_(std::move(factor_text)) {}

    std::string_view kind() const override { return "scale"; }
    std::string key() const override { return digits_text(static_cast<double>(factor_), 9); }

    template <class T> T value(T x) const { return x * static_cast<T>(factor_); }

    bool is_light() const override { return true; }
    std::optional<float> factor() const override { return factor_; }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        if constexpr (std::is_same_v<T, float>) {
            const Block all = Block::all(operands[0].shape);
            if (block == all && result.held == all)
                return scale_row(operands[0].data, static_cast<int>(all.size()), factor_, result.data);
            for_each_row(block, [&](int plane, int row) {
                const float* x = operands[0].row(plane, row) + block.cols.begin;
                scale_row(x, block.cols.size(), factor_, result.row(plane, row) + block.cols.begin);
            });
        } else {
            CellByCell<Scale>::run(operands, block, result);
        }
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        return Expression::make(Expression::Kind::product, {operand_cell(operands, cell), Expression::number(factor_)});
    }

    void backward(Backward& at) const override { at.add_step(0, scale(factor_, factor_text_), {at.gradient()}); }

    std::string formula(std::span<const std::string> names) const override { return names[0] + " · " + factor_text_; }

  private:
    float factor_;
    std::string factor_text_;
};

} // namespace

StepPtr scale(float factor, std::string factor_text) { return std::make_shared<Scale>(factor, std::move(factor_text)); }

} // namespace lab
