#include "engine/trace.h"

namespace lab {

std::vector<std::vector<double>> run_reference(const Program& program, const Tensors& tensors) {
    std::vector<std::vector<double>> cells;
    for (const Node& node : program.nodes) {
        if (node.is_leaf()) {
            const std::vector<float> values = tensors.at(node.name).values();
            cells.emplace_back(values.begin(), values.end());
            continue;
        }
        std::vector<ConstView<double>> operands;
        for (int operand : node.operands) {
            operands.push_back({cells[static_cast<std::size_t>(operand)].data(), program.node(operand).shape});
        }
        std::vector<double> result(node.shape.size());
        node.step->forward(operands, Block::all(node.shape), {result.data(), Block::all(node.shape)});
        cells.push_back(std::move(result));
    }
    return cells;
}

} // namespace lab
