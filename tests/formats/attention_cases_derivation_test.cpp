// Of every reference session and every tensor of it, gradients too, sampled cells: how a cell came about adds up to the cell, and
// names exactly the cells that matter.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/engine/step_facets.h"
#include "tests/formats/attention_cases.h"
#include "tests/formats/case_documents.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr std::size_t kCellsPerNode = 3;
constexpr std::size_t kCellsPerOperand = 4;

bool names(const std::vector<CellRef>& refs, const CellRef& ref) {
    return std::find(refs.begin(), refs.end(), ref) != refs.end();
}

// One cell of a trace and all that can be asked about it.
class DerivedCell {
  public:
    DerivedCell(const Trace& trace, int node, Cell cell)
        : trace_(trace), program_(trace.program()), node_(program_.node(node)), cell_(cell),
          value_(trace.at(node, cell)), derivation_(trace.derive(node, cell)), sources_(sources(derivation_)) {}

    void expect_sum() const {
        EXPECT_TRUE(close(evaluate(derivation_), static_cast<double>(value_)))
            << what() << " is " << value_ << " but its derivation gives " << evaluate(derivation_) << " = "
            << expression_text(derivation_);
        for (const CellRef& source : sources_) {
            const auto& operands = node_.operands;
            EXPECT_TRUE(std::find(operands.begin(), operands.end(), source.tensor) != operands.end())
                << what() << " names " << program_.node(source.tensor).name << ", which it does not read";
        }
    }

    // Of some cells of every operand, and of some sources: a source is what reaches the cell, and what changes it when changed.
    void expect_sources(Dice& dice) const {
        std::vector<int> operands = node_.operands;
        std::sort(operands.begin(), operands.end());
        operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
        for (int operand : operands) {
            for (Cell from : sampled_cells(program_.node(operand).shape, kCellsPerOperand, dice))
                expect_source({operand, from});
        }
        for (std::size_t i = 0; i < std::min(kCellsPerOperand, sources_.size()); ++i)
            expect_source(sources_[static_cast<std::size_t>(dice.below(static_cast<int>(sources_.size())))]);
    }

  private:
    std::string what() const { return node_.name + to_text(cell_); }

    void expect_source(const CellRef& from) const {
        const bool is_source = names(sources_, from);
        const bool moves = moves_with(from);
        const auto fails = [&](const char* why) {
            ADD_FAILURE() << what() << " and " << program_.node(from.tensor).name << to_text(from.cell) << ": " << why;
        };
        if (reached_from(from).contains(cell_) != is_source) fails("reach and sources differ");
        if (moves && !is_source) fails("not a source but changes the cell");
        if (!moves && is_source && !hides(derivation_, from)) fails("a source but changes nothing");
    }

    Region reached_from(const CellRef& from) const {
        const Memory read = operands_with(from, trace_.at(from.tensor, from.cell));
        Region reached;
        for (std::size_t k = 0; k < node_.operands.size(); ++k) {
            if (node_.operands[k] != from.tensor) continue;
            reached.add(node_.step->reach_in(read.views, node_.shape, static_cast<int>(k), Block::at(from.cell)));
        }
        return reached;
    }

    // Really changes the other cell: does this one ever differ?
    bool moves_with(const CellRef& from) const {
        const float old = trace_.at(from.tensor, from.cell);
        const float others[] = {old + 1, old - 0.5f, 0.0f, 20.0f, -20.0f, 3e38f};
        return std::any_of(std::begin(others), std::end(others),
                           [&](float other) { return !alike(value_with(from, other), value_); });
    }

    // The operands with one cell of them changed.
    struct Memory {
        std::vector<std::vector<float>> cells;
        std::vector<ConstView<float>> views;
    };
    Memory operands_with(const CellRef& from, float other) const {
        Memory memory;
        for (int operand : node_.operands) {
            const Shape& shape = program_.node(operand).shape;
            Tensor tensor(shape, read_all(*trace_.source(operand)));
            if (operand == from.tensor) tensor = tensor.with(from.cell, other);
            memory.cells.push_back(tensor.values());
            memory.views.push_back({memory.cells.back().data(), shape});
        }
        return memory;
    }

    float value_with(const CellRef& from, float other) const {
        float value = 0;
        node_.step->forward(operands_with(from, other).views, Block::at(cell_), {&value, Block::at(cell_)});
        return value;
    }

    const Trace& trace_;
    const Program& program_;
    const Node& node_;
    Cell cell_;
    float value_;
    Expression derivation_;
    std::vector<CellRef> sources_;
};

TEST(AttentionCasesDerivation, EveryCaseCanBeOpened) { EXPECT_EQ(case_documents().size(), attention_cases().size()); }

TEST(AttentionCasesDerivation, AddsUpAndNamesWhatMatters) {
    Dice dice(31);
    for (const CaseDocument& one : case_documents()) {
        SCOPED_TRACE(one.name);
        const Trace trace = run(one.document);
        for (int i = 0; i < static_cast<int>(trace.program().nodes.size()); ++i) {
            const Node& node = trace.program().node(i);
            if (node.is_leaf()) continue;
            for (Cell cell : sampled_cells(node.shape, kCellsPerNode, dice)) {
                const DerivedCell derived(trace, i, cell);
                derived.expect_sum();
                derived.expect_sources(dice);
            }
        }
    }
}

} // namespace
