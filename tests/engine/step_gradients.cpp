#include "tests/engine/step_gradients.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/gradient.h"
#include "engine/trace.h"
#include "tests/engine/step_facets.h"

namespace lab::test {

namespace {

std::string operand_name(std::size_t i) { return "operand" + std::to_string(i); }

// The step on its operands, and run backwards from a random gradient of its result.
struct Backwards {
    Program program;
    Tensors tensors;
};

Backwards run_step_backwards(const StepPtr& step, const std::vector<Tensor>& operands) {
    Backwards made;
    std::vector<Shape> shapes;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        made.tensors[operand_name(i)] = operands[i];
        names.push_back(operand_name(i));
        shapes.push_back(operands[i].shape());
    }
    const Result<Shape> shape = step->shape(shapes, names);
    EXPECT_TRUE(shape) << shape.error();
    Dice dice(23);
    made.tensors["slope"] = dice.tensor(*shape);
    TensorShapes given;
    for (const auto& [name, tensor] : made.tensors) given[name] = tensor.shape();
    ProgramBuilder builder(given);
    std::vector<int> nodes;
    for (const std::string& name : names) nodes.push_back(builder.leaf(name, "", {}));
    const int slope = builder.leaf("slope", "", {});
    const int result = builder.step("result", step, nodes, {});
    run_backwards(builder, result, slope);
    Result<Program> program = std::move(builder).finish();
    EXPECT_TRUE(program) << program.error();
    made.program = *program;
    return made;
}

// Σ g · y in float64, of the step's operands with one cell moved by `by`.
double weighted_sum(const Step& step, const std::vector<std::vector<double>>& cells,
                    const std::vector<Tensor>& operands, const Tensor& slope) {
    std::vector<ConstView<double>> views;
    for (std::size_t i = 0; i < operands.size(); ++i) views.push_back({cells[i].data(), operands[i].shape()});
    std::vector<double> result(slope.shape().size());
    step.forward(views, Block::all(slope.shape()), {result.data(), Block::all(slope.shape())});
    const std::vector<float> g = slope.values();
    double sum = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const bool is_counted = result[i] != 0 && !std::isinf(result[i]); // −∞ by definition has no slope
        sum += is_counted ? static_cast<double>(g[i]) * result[i] : 0;
    }
    return sum;
}

} // namespace

void check_backward(const StepPtr& step, const std::vector<Tensor>& operands, const std::vector<int>& without_slope) {
    const Backwards made = run_step_backwards(step, operands);
    const std::vector<std::vector<double>> reference = run_reference(made.program, made.tensors);
    std::vector<std::vector<double>> cells;
    for (const Tensor& operand : operands) {
        const std::vector<float> values = operand.values();
        cells.emplace_back(values.begin(), values.end());
    }
    for (std::size_t operand = 0; operand < operands.size(); ++operand) {
        const int node = made.program.find("grad." + operand_name(operand));
        ASSERT_GE(node, 0) << step->kind() << " adds nothing for operand " << operand;
        ASSERT_EQ(made.program.node(node).shape, operands[operand].shape()) << step->kind() << " operand " << operand;
        const bool is_flat = std::count(without_slope.begin(), without_slope.end(), static_cast<int>(operand)) > 0;
        for (std::size_t i = 0; i < cells[operand].size(); ++i) {
            constexpr double kStep = 1e-6;
            double& cell = cells[operand][i];
            const double old = cell;
            if (!std::isfinite(old)) continue;
            cell = old + kStep;
            const double above = weighted_sum(*step, cells, operands, made.tensors.at("slope"));
            cell = old - kStep;
            const double below = weighted_sum(*step, cells, operands, made.tensors.at("slope"));
            cell = old;
            const double expected = is_flat ? 0 : (above - below) / (2 * kStep);
            const double actual = reference[static_cast<std::size_t>(node)][i];
            EXPECT_LE(std::fabs(actual - expected), 1e-6 * (1 + std::fabs(expected)))
                << step->kind() << " operand " << operand << " cell " << i << ": " << actual << " but " << expected
                << " by differences";
        }
    }
    Trace trace;
    trace.update(made.program, made.tensors);
    for (int i = 0; i < static_cast<int>(made.program.nodes.size()); ++i) {
        const Node& node = made.program.node(i);
        if (node.is_leaf() || node.name == "result") continue;
        std::vector<Tensor> read;
        for (int read_node : node.operands)
            read.emplace_back(made.program.node(read_node).shape, read_all(*trace.source(read_node)));
        check_facets(*node.step, read);
    }
}

} // namespace lab::test
