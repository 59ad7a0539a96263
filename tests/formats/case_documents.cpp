#include "tests/formats/case_documents.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/formats/session.h"
#include "tests/formats/attention_cases.h"

namespace lab::test {

namespace {

std::vector<CaseDocument> open_cases() {
    std::vector<CaseDocument> all;
    for (const AttentionCase& one : attention_cases()) {
        const Result<SessionFile> file = read_session(one.session.dump());
        if (file)
            all.push_back({one.theme + ": " + one.name, file->document});
        else
            ADD_FAILURE() << one.theme << ": " << one.name << ": " << file.error();
    }
    return all;
}

} // namespace

const std::vector<CaseDocument>& case_documents() {
    static const std::vector<CaseDocument> all = open_cases();
    return all;
}

Program program_of(const Document& document) {
    const Result<Program> program = build_program(document);
    if (program) return *program;
    ADD_FAILURE() << program.error();
    return {};
}

Trace run(const Document& document) {
    Trace trace;
    trace.update(program_of(document), document.tensors);
    return trace;
}

Cells64 leaves_of(const Program& program, const Tensors& tensors) {
    Cells64 cells(program.nodes.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!program.nodes[i].is_leaf()) continue;
        const std::vector<float> values = tensors.at(program.nodes[i].name).values();
        cells[i].assign(values.begin(), values.end());
    }
    return cells;
}

void run_float64(const Program& program, int last, Cells64& cells) {
    for (int i = 0; i <= last; ++i) {
        const Node& node = program.node(i);
        if (node.is_leaf()) continue;
        std::vector<ConstView<double>> operands;
        for (int operand : node.operands)
            operands.push_back({cells[static_cast<std::size_t>(operand)].data(), program.node(operand).shape});
        std::vector<double>& result = cells[static_cast<std::size_t>(i)];
        result.resize(node.shape.size());
        node.step->forward(operands, Block::all(node.shape), {result.data(), Block::all(node.shape)});
    }
}

std::vector<Cell> sampled_cells(const Shape& shape, std::size_t n_most, Dice& dice) {
    std::vector<Cell> cells;
    for_each_cell(shape, [&](Cell cell) { cells.push_back(cell); });
    for (std::size_t i = 0; i < std::min(n_most, cells.size()); ++i)
        std::swap(cells[i], cells[i + static_cast<std::size_t>(dice.below(static_cast<int>(cells.size() - i)))]);
    cells.resize(std::min(n_most, cells.size()));
    return cells;
}

} // namespace lab::test
