#include "engine/steps/pair_by_pair.h"

namespace lab {

namespace {

// y = a · b, cell by cell.
class Multiply final : public PairByPair<Multiply, StepKind<Multiply>> {
  public:
    std::string_view kind() const override { return "multiply"; }

    template <class T> T value(T a, T b) const { return a * b; }

    Expression derive(Operands<float> operands, Cell cell) const override {
        return Expression::make(Expression::Kind::product,
                                {operand_cell(operands, 0, cell), operand_cell(operands, 1, cell)});
    }

    void backward(Backward& at) const override {
        at.add_step(0, multiply(), {at.gradient(), at.operand(1)});
        at.add_step(1, multiply(), {at.gradient(), at.operand(0)});
    }

    std::string formula(std::span<const std::string> names) const override { return names[0] + " × " + names[1]; }
};

} // namespace

StepPtr multiply() { return std::make_shared<Multiply>(); }

} // namespace lab
