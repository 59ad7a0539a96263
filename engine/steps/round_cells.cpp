#include "engine/kernels/elementary.h"
#include "engine/steps/cell_by_cell.h"

namespace lab {

namespace {

// y = x to so many decimals, ties to even, as torch.round
class RoundCells final : public CellByCell<RoundCells> {
  public:
    explicit RoundCells(int decimals) : decimals_(decimals) {}

    std::string_view kind() const override { return "round_cells"; }
    std::string key() const override { return std::to_string(decimals_); }

    template <class T> T value(T x) const { return round_to_decimals(x, decimals_); }

    Expression derive(Operands<float> operands, Cell cell) const override {
        return Expression::make(Expression::Kind::round,
                                {operand_cell(operands, cell), Expression::number(decimals_)});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "round(" + names[0] + ", " + std::to_string(decimals_) + ")";
    }

  private:
    int decimals_;
};

} // namespace

StepPtr round_cells(int decimals) {
    return std::make_shared<RoundCells>(decimals);
}

} // namespace lab
