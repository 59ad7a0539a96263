#include <cmath>

#include "engine/steps/cell_by_cell.h"
#include "engine/steps/pair_by_pair.h"

namespace lab {

namespace {

// y = cap · tanh(x / cap)
class SoftCap final : public CellByCell<SoftCap> {
  public:
    explicit SoftCap(float cap) : cap_(cap) {}

    std::string_view kind() const override { return "soft_cap"; }
    std::string key() const override { return digits_text(static_cast<double>(cap_), 9); }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string>) const override {
        if (cap_ > 0 && std::isfinite(cap_)) return operands[0];
        return Error{"softcap is " + digits_text(static_cast<double>(cap_), 6) + " but must be a number above 0"};
    }

    template <class T> T value(T x) const {
        return static_cast<T>(cap_) * value_of(Function::tanh, x / static_cast<T>(cap_));
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Expression cap = Expression::number(cap_);
        const Expression ratio = Expression::make(Expression::Kind::quotient, {operand_cell(operands, cell), cap});
        return Expression::make(Expression::Kind::product, {cap, Expression::call(Function::tanh, ratio)});
    }

    void backward(Backward& at) const override { at.add_step(0, soft_cap_slope(cap_), {at.operand(0), at.gradient()}); }

    std::string formula(std::span<const std::string> names) const override {
        const std::string cap = digits_text(static_cast<double>(cap_), 6);
        return cap + " · tanh(" + names[0] + " / " + cap + ")";
    }

  private:
    float cap_;
};

// dx = tanh′(x / cap) · g
class SoftCapSlope final : public PairByPair<SoftCapSlope, SlopeKind<SoftCapSlope>> {
  public:
    explicit SoftCapSlope(float cap) : cap_(cap) {}

    std::string_view kind() const override { return "soft_cap_slope"; }
    std::string key() const override { return digits_text(static_cast<double>(cap_), 9); }

    template <class T> T value(T x, T g) const { return value_of(Function::tanh_slope, x / static_cast<T>(cap_)) * g; }

    Expression derive(Operands<float> operands, Cell cell) const override {
        const Expression ratio =
            Expression::make(Expression::Kind::quotient, {operand_cell(operands, 0, cell), Expression::number(cap_)});
        return Expression::make(Expression::Kind::product,
                                {Expression::call(Function::tanh_slope, ratio), operand_cell(operands, 1, cell)});
    }

    std::string formula(std::span<const std::string> names) const override {
        return "tanh′(" + names[0] + " / " + digits_text(static_cast<double>(cap_), 6) + ") × " + names[1];
    }

  private:
    float cap_;
};

} // namespace

StepPtr soft_cap(float cap) { return std::make_shared<SoftCap>(cap); }

StepPtr soft_cap_slope(float cap) { return std::make_shared<SoftCapSlope>(cap); }

} // namespace lab
