#include "engine/program.h"

#include <algorithm>

namespace lab {

int Program::find(std::string_view name) const {
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.name == name; });
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

std::vector<std::string> Program::operand_names(int node) const {
    std::vector<std::string> names;
    for (int operand : nodes[static_cast<std::size_t>(node)].operands) {
        names.push_back(nodes[static_cast<std::size_t>(operand)].name);
    }
    return names;
}

std::vector<Shape> Program::operand_shapes(int node) const {
    std::vector<Shape> shapes;
    for (int operand : nodes[static_cast<std::size_t>(node)].operands) {
        shapes.push_back(nodes[static_cast<std::size_t>(operand)].shape);
    }
    return shapes;
}

std::string Program::formula(int node) const {
    const Node& subject = nodes[static_cast<std::size_t>(node)];
    return subject.is_leaf() ? subject.presentation.label : subject.step->formula(operand_names(node));
}

std::string Program::short_formula(int node) const {
    const Node& subject = nodes[static_cast<std::size_t>(node)];
    if (subject.is_leaf()) return subject.presentation.label;
    std::vector<std::string> symbols;
    for (int operand : subject.operands) {
        const Node& read = nodes[static_cast<std::size_t>(operand)];
        symbols.push_back(read.presentation.symbol.empty() ? read.name : read.presentation.symbol);
    }
    return subject.step->formula(symbols);
}

std::vector<int> Program::consumers(int node) const {
    std::vector<int> found;
    for (int candidate = node + 1; candidate < static_cast<int>(nodes.size()); ++candidate) {
        const auto& operands = nodes[static_cast<std::size_t>(candidate)].operands;
        if (std::find(operands.begin(), operands.end(), node) != operands.end()) found.push_back(candidate);
    }
    return found;
}

int Program::n_parameters() const {
    std::size_t count = 0;
    for (const Node& node : nodes) {
        const Role role = node.presentation.role;
        if (role == Role::weight_matrix || role == Role::bias) count += node.shape.size();
    }
    return static_cast<int>(count);
}

} // namespace lab
