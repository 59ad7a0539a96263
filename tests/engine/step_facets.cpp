#include "tests/engine/step_facets.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace lab::test {

namespace {

using Kind = Expression::Kind;

bool names(const std::vector<CellRef>& refs, const CellRef& ref) {
    return std::find(refs.begin(), refs.end(), ref) != refs.end();
}

// The same with an expression for each term of a sum.
Expression with_all_parts(const Expression& expression) {
    if (!expression.series) return expression;
    Expression sum = Expression::make(Kind::sum, {}, expression.label);
    for (std::size_t i = 0; i < expression.n_terms(); ++i) sum.parts.push_back(expression.term(i));
    return sum;
}

// Whether this operation can swallow a change of its part `index`.
bool swallows(const Expression& whole, std::size_t index) {
    const double value = evaluate(whole);
    if (!std::isfinite(value)) return true;
    switch (whole.kind) {
    case Kind::round:
    case Kind::given: return true;
    case Kind::quotient:
    case Kind::exponential: return value == 0 || value == 1;
    default: break;
    }
    for (std::size_t other = 0; other < whole.parts.size(); ++other) {
        const double partner = other == index ? 1.0 : evaluate(whole.parts[other]);
        if (!std::isfinite(partner) || (whole.kind == Kind::product && partner == 0)) return true;
    }
    return false;
}

std::vector<Tensor> with_cell(std::vector<Tensor> operands, const CellRef& ref, float value) {
    Tensor& operand = operands[static_cast<std::size_t>(ref.tensor)];
    operand = operand.with(ref.cell, value);
    return operands;
}

// Really changes one cell of an operand, to several numbers: which cells of the result ever change?
std::vector<bool> cells_changed_by(const Step& step, const std::vector<Tensor>& operands, const CellRef& ref) {
    const std::vector<float> before = run(step, operands).values();
    const float old = operands[static_cast<std::size_t>(ref.tensor)].at(ref.cell);
    std::vector<bool> changed(before.size(), false);
    for (float value : {old + 1, old - 0.5f, 0.0f, 20.0f, -20.0f, 1e4f}) {
        const std::vector<float> after = run(step, with_cell(operands, ref, value)).values();
        for (std::size_t i = 0; i < before.size(); ++i) changed[i] = changed[i] || !alike(before[i], after[i]);
    }
    return changed;
}

// One cell of a result: how it came about.
struct Derived {
    Cell cell;
    Expression expression;
    std::vector<CellRef> sources;
};

std::vector<Derived> derive_all(const Step& step, const std::vector<Tensor>& operands, const Shape& shape) {
    std::vector<Derived> all;
    for_each_cell(shape, [&](Cell cell) {
        Expression expression = derive(step, operands, cell);
        std::vector<CellRef> named = sources(expression);
        all.push_back({cell, std::move(expression), std::move(named)});
    });
    return all;
}

void check_derivation(const Step& step, const Tensor& result, const std::vector<Derived>& derivations) {
    for (const Derived& derived : derivations) {
        const float value = result.at(derived.cell);
        EXPECT_TRUE(close(evaluate(derived.expression), static_cast<double>(value)))
            << step.kind() << " cell " << to_text(derived.cell) << " is " << value << " but its derivation gives "
            << evaluate(derived.expression) << " = " << expression_text(derived.expression);
    }
}

// What the derivations say of one operand cell, what reach says, and what really happens.
void check_source(const Step& step, const std::vector<Tensor>& operands, const CellRef& ref,
                  const std::vector<Derived>& derivations) {
    const Region reached = reach(step, operands, ref.tensor, Block::at(ref.cell));
    const std::vector<bool> changed = cells_changed_by(step, operands, ref);
    for (std::size_t i = 0; i < derivations.size(); ++i) {
        const Derived& derived = derivations[i];
        const bool is_source = names(derived.sources, ref);
        const auto fails = [&](const char* why) {
            ADD_FAILURE() << step.kind() << " cell " << to_text(derived.cell) << ", operand " << ref.tensor << " cell "
                          << to_text(ref.cell) << ": " << why;
        };
        if (reached.contains(derived.cell) != is_source) fails("reach and sources differ");
        if (changed[i] && !is_source) fails("not a source but changes the cell");
        if (!changed[i] && is_source && !hides(derived.expression, ref)) fails("a source but changes nothing");
    }
}

// Any box of an operand reaches at least what its cells reach.
void check_reach_of_boxes(const Step& step, const std::vector<Tensor>& operands, int operand, const Shape& result,
                          Dice& dice) {
    const Shape& shape = operands[static_cast<std::size_t>(operand)].shape();
    const auto range = [&](int n) {
        const int begin = dice.below(n);
        return Range{begin, begin + 1 + dice.below(n - begin)};
    };
    const Block box{range(shape.planes), range(shape.rows), range(shape.cols)};
    const Region reached = reach(step, operands, operand, box);
    for_each_cell(shape, [&](Cell cell) {
        if (!box.contains(cell)) return;
        const Region of_cell = reach(step, operands, operand, Block::at(cell));
        for_each_cell(result, [&](Cell reached_cell) {
            EXPECT_TRUE(reached.contains(reached_cell) || !of_cell.contains(reached_cell))
                << step.kind() << " operand " << operand << ": a box forgets what its cell " << to_text(cell)
                << " reaches";
        });
    });
}

} // namespace

bool hides(const Expression& expression, const CellRef& source) {
    if (expression.kind == Kind::cell) return !(expression.source == source);
    const Expression whole = with_all_parts(expression);
    for (std::size_t i = 0; i < whole.parts.size(); ++i) {
        if (!hides(whole.parts[i], source) && !swallows(whole, i)) return false;
    }
    return true;
}

void check_blocks(const Step& step, const std::vector<Tensor>& operands) {
    const Tensor whole = run(step, operands);
    const Shape& shape = whole.shape();
    if (shape.size() == 0) return;
    std::vector<std::vector<float>> cells;
    std::vector<ConstView<float>> views;
    for (const Tensor& operand : operands) cells.push_back(operand.values());
    for (std::size_t i = 0; i < operands.size(); ++i) views.push_back({cells[i].data(), operands[i].shape()});
    Dice dice(7);
    for (int round = 0; round < 20; ++round) {
        const auto range = [&](int n) {
            const int begin = dice.below(n);
            return Range{begin, begin + 1 + dice.below(n - begin)};
        };
        const Block block{range(shape.planes), range(shape.rows), range(shape.cols)};
        std::vector<float> part(block.size(), kNaN);
        step.forward(views, block, {part.data(), block});
        std::size_t i = 0;
        for_each_cell(shape, [&](Cell cell) {
            if (!block.contains(cell)) return;
            EXPECT_TRUE(alike(part[i], whole.at(cell))) << step.kind() << " cell " << to_text(cell) << " alone is "
                                                        << part[i] << " but " << whole.at(cell) << " in the whole";
            ++i;
        });
    }
}

void check_float64_twin(const Step& step, const std::vector<Tensor>& operands) {
    const std::vector<float> actual = run(step, operands).values();
    const std::vector<double> expected = run_float64(step, operands);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_TRUE(close(static_cast<double>(actual[i]), expected[i]))
            << step.kind() << " cell " << i << ": " << actual[i] << " but " << expected[i] << " in float64";
    }
}

void check_facets(const Step& step, const std::vector<Tensor>& operands) {
    check_blocks(step, operands);
    const Tensor result = run(step, operands);
    const std::vector<Derived> derivations = derive_all(step, operands, result.shape());
    check_derivation(step, result, derivations);
    if (const std::optional<float> everywhere = step.constant()) {
        for_each_cell(result.shape(), [&](Cell cell) { EXPECT_EQ(result.at(cell), *everywhere) << step.kind(); });
    }
    Dice dice(11);
    for (int operand = 0; operand < static_cast<int>(operands.size()); ++operand) {
        const Shape& shape = operands[static_cast<std::size_t>(operand)].shape();
        for_each_cell(shape, [&](Cell cell) { check_source(step, operands, {operand, cell}, derivations); });
        for (int round = 0; round < 5; ++round) check_reach_of_boxes(step, operands, operand, result.shape(), dice);
    }
}

} // namespace lab::test
