#include "engine/program_builder.h"

#include <cstdint>
#include <map>
#include <utility>

#include "engine/attention.h"

namespace lab {

namespace {

// The letter of the literature for a tensor, or empty.
std::string symbol_of(const std::string& name) {
    static const std::map<std::string, std::string> kSymbols = {{"inputs", "X"},
                                                                {"queries", "Q"},
                                                                {"keys", "K"},
                                                                {"values", "V"},
                                                                {"mask", "M"},
                                                                {"attention_scores", "S"},
                                                                {"attention_weights", "P"},
                                                                {"rounded_weights", "P′"}};
    const auto found = kSymbols.find(name);
    return found == kSymbols.end() ? std::string() : found->second;
}

} // namespace

Presentation presentation(Role role, Axis rows, Axis cols, std::string meaning) {
    Presentation shown;
    shown.role = role;
    shown.rows = rows;
    shown.cols = cols;
    shown.meaning = std::move(meaning);
    return shown;
}

Presentation between_tokens(Role role, std::string meaning) {
    Presentation shown = presentation(role, Axis::queries, Axis::keys, std::move(meaning));
    shown.column = 3;
    shown.row_of_query = true;
    return shown;
}

void ProgramBuilder::stage(std::string title, std::string sentence) {
    program_.stages.push_back({std::move(title), std::move(sentence)});
}

int ProgramBuilder::leaf(const std::string& name, const std::string& needed_because, Presentation presentation) {
    const auto given = shapes_.find(name);
    if (given == shapes_.end()) {
        fail("the tensor " + name + " is missing but " + needed_because);
        return -1;
    }
    if (given->second.rank != 2 && presentation.role != Role::bias) {
        fail(name + " is " + given->second.to_text() + " but one head takes a matrix");
        return -1;
    }
    return append({name, nullptr, {}, given->second, std::move(presentation), true, 0});
}

int ProgramBuilder::step(const std::string& name, StepPtr step, std::vector<int> operands, Presentation presentation) {
    if (error_) return -1;
    Node node{name, std::move(step), std::move(operands), {}, std::move(presentation), true, 0};
    const int index = append(node);
    const Result<Shape> shape = node.step->shape(program_.operand_shapes(index), program_.operand_names(index));
    if (!shape) {
        fail(shape.error());
        return -1;
    }
    program_.nodes.back().shape = *shape;
    return index;
}

void ProgramBuilder::fail(std::string message) {
    if (!error_) error_ = Error{std::move(message)};
}

// In 64 bits, and given up at the first tensor too many: neither a product nor the sum wraps round.
void ProgramBuilder::reject_what_memory_cannot_hold() {
    std::uint64_t n_cells = 0;
    const auto add = [&](const std::string& name, const Shape& shape) {
        n_cells += shape.n_cells();
        if (n_cells <= kMostCells) return true;
        fail(name + " is " + shape.to_text() + ", which brings the tensors to " + std::to_string(n_cells) +
             " numbers, but " + std::to_string(kMostCells) + " is the most");
        return false;
    };
    for (const Node& node : program_.nodes) {
        if (node.stored && !add(node.name, node.shape)) return;
    }
    for (const auto& [name, shape] : shapes_) {
        if (program_.find(name) < 0 && !add(name, shape)) return;
    }
}

Result<Program> ProgramBuilder::finish() && {
    if (!error_) reject_what_memory_cannot_hold();
    if (error_) return *std::move(error_);
    return std::move(program_);
}

int ProgramBuilder::append(Node node) {
    if (error_) return -1;
    node.stage = static_cast<int>(program_.stages.size()) - 1;
    node.presentation.symbol = symbol_of(node.name);
    program_.nodes.push_back(std::move(node));
    return static_cast<int>(program_.nodes.size()) - 1;
}

} // namespace lab
