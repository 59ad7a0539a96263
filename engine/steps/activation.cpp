#include "engine/steps/cell_by_cell.h"
#include "engine/steps/pair_by_pair.h"

namespace lab {

namespace {

// y = f(x)
class Activation final : public CellByCell<Activation> {
  public:
    explicit Activation(Function function) : function_(function) {}

    std::string_view kind() const override { return "activation"; }
    std::string key() const override { return name_of(function_); }

    template <class T> T value(T x) const { return value_of(function_, x); }

    Expression derive(Operands<float> operands, Cell cell) const override {
        return Expression::call(function_, operand_cell(operands, cell));
    }

    void backward(Backward& at) const override {
        at.add_step(0, activation_slope(function_), {at.operand(0), at.gradient()});
    }

    std::string formula(std::span<const std::string> names) const override {
        return name_of(function_) + ("(" + names[0] + ")");
    }

  private:
    Function function_;
};

// dx = f′(x) · g
class ActivationSlope final : public PairByPair<ActivationSlope, SlopeKind<ActivationSlope>> {
  public:
    explicit ActivationSlope(Function slope) : slope_(slope) {}

    std::string_view kind() const override { return "activation_slope"; }
    std::string key() const override { return name_of(slope_); }

    template <class T> T value(T x, T g) const { return value_of(slope_, x) * g; }

    Expression derive(Operands<float> operands, Cell cell) const override {
        return Expression::make(Expression::Kind::product, {Expression::call(slope_, operand_cell(operands, 0, cell)),
                                                            operand_cell(operands, 1, cell)});
    }

    std::string formula(std::span<const std::string> names) const override {
        return name_of(slope_) + ("(" + names[0] + ") × " + names[1]);
    }

  private:
    Function slope_;
};

} // namespace

StepPtr activation(Function function) { return std::make_shared<Activation>(function); }

StepPtr activation_slope(Function function) { return std::make_shared<ActivationSlope>(slope_of(function)); }

} // namespace lab
