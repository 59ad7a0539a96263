#include "engine/program_builder.h"

#include <map>
#include <utility>

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

Result<Program> ProgramBuilder::finish() && {
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
