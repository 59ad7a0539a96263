#include "engine/steps/steps.h"

namespace lab {

namespace {

// y = a + b + …, added in the order of the operands.
class Sum final : public StepKind<Sum> {
  public:
    std::string_view kind() const override { return "sum"; }

    Result<Shape> shape(std::span<const Shape> operands, std::span<const std::string> names) const override {
        for (std::size_t i = 1; i < operands.size(); ++i) {
            if (operands[i] == operands[0]) continue;
            return Error{names[0] + " is " + operands[0].to_text() + " but " + names[i] + " is " +
                         operands[i].to_text() + ", and they are to be added"};
        }
        return operands[0];
    }

    template <class T> void run(Operands<T> operands, const Block& block, OutputView<T> result) const {
        for_each_row(block, [&](int plane, int i) {
            T* y = result.row(plane, i);
            for (int j = block.cols.begin; j < block.cols.end; ++j) {
                y[j] = operands[0].row(plane, i)[j];
                for (std::size_t k = 1; k < operands.size(); ++k) y[j] += operands[k].row(plane, i)[j];
            }
        });
    }

    Expression derive(Operands<float> operands, Cell cell) const override {
        Expression total = Expression::make(Expression::Kind::sum, {});
        for (std::size_t k = 0; k < operands.size(); ++k)
            total.parts.push_back(Expression::cell({static_cast<int>(k), cell}, operands[k].at(cell)));
        return total.parts.size() == 1 ? total.parts[0] : total;
    }

    Region reach(std::span<const Shape>, const Shape&, int, const Block& changed) const override { return changed; }

    void backward(Backward& at) const override {
        for (int k = 0; k < at.n_operands(); ++k) at.add(k, at.gradient());
    }

    std::string formula(std::span<const std::string> names) const override {
        std::string text;
        for (const std::string& name : names) text += (text.empty() ? "" : " + ") + name;
        return text;
    }
};

} // namespace

StepPtr sum() { return std::make_shared<Sum>(); }

} // namespace lab
