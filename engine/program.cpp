#include "engine/program.h"

#include <algorithm>

#include "engine/tensor_name.h"

namespace lab {

int Program::find(std::string_view name) const {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const Node& candidate) { return candidate.name == name; });
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

std::vector<std::string> Program::operand_names(int index) const {
    std::vector<std::string> names;
    for (int operand : node(index).operands) names.push_back(node(operand).name);
    return names;
}

std::vector<Shape> Program::operand_shapes(int index) const {
    std::vector<Shape> shapes;
    for (int operand : node(index).operands) shapes.push_back(node(operand).shape);
    return shapes;
}

std::string Program::formula(int index) const {
    const Node& subject = node(index);
    if (subject.is_leaf()) return subject.presentation.label;
    std::vector<std::string> names; // a block's own stand without its prefix
    for (const std::string& name : operand_names(index)) names.emplace_back(name_in_block(name));
    return subject.step->formula(names);
}

std::string Program::short_formula(int index) const {
    const Node& subject = node(index);
    if (subject.is_leaf()) return subject.presentation.label;
    std::vector<std::string> symbols;
    for (int operand : subject.operands) {
        const Node& read = node(operand);
        symbols.push_back(read.presentation.symbol.empty() ? std::string(name_in_block(read.name))
                                                           : read.presentation.symbol);
    }
    return subject.step->formula(symbols);
}

std::vector<int> Program::consumers(int index) const {
    std::vector<int> found;
    for (int candidate = index + 1; candidate < static_cast<int>(nodes.size()); ++candidate) {
        const auto& operands = node(candidate).operands;
        if (std::find(operands.begin(), operands.end(), index) != operands.end()) found.push_back(candidate);
    }
    return found;
}

int Program::gradient(int index) const { return target < 0 ? -1 : find(gradient_name(node(index).name)); }

int Program::n_parameters() const {
    std::size_t count = 0;
    for (const Node& given : nodes) {
        const Role role = given.presentation.role;
        if (role == Role::weight_matrix || role == Role::bias) count += given.shape.size();
    }
    return static_cast<int>(count);
}

} // namespace lab
