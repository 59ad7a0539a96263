#include "tests/session/model_program.h"

#include "engine/program_layout.h"

namespace lab::test {

int ModelProgram::add(const char* name, Shape shape, Role role, std::vector<int> operands, Branch branch) {
    Node node;
    node.name = name;
    node.shape = shape;
    node.operands = std::move(operands);
    node.presentation.role = role;
    node.presentation.branch = branch;
    node.presentation.planes = shape.rank == 3 ? Axis::heads : Axis::none;
    node.section = static_cast<int>(program.sections.size()) - 1;
    node.stage = static_cast<int>(program.stages.size()) - 1;
    program.nodes.push_back(node);
    return static_cast<int>(program.nodes.size()) - 1;
}

ModelProgram::ModelProgram() {
    program.sections.push_back({"Embedding"});
    program.stages.push_back({"Embed", ""});
    const int x = add("inputs", Shape::matrix(3, 4), Role::embedding);
    program.sections.push_back({"Block 0: attention"});
    attention(x);
    program.sections.push_back({"Block 0: MLP"});
    mlp();
    lay_out(program);
}

void ModelProgram::attention(int x) {
    program.stages.push_back({"Queries, keys, values", ""});
    const int w_query = add("W_query", Shape::matrix(4, 4), Role::weight_matrix, {}, Branch::query);
    const int b_query = add("b_query", Shape::vector(4), Role::bias, {}, Branch::query);
    const int queries = add("queries", Shape::stack(4, 3, 1), Role::projection, {x, w_query, b_query}, Branch::query);
    const int w_key = add("W_key", Shape::matrix(4, 2), Role::weight_matrix, {}, Branch::key);
    const int keys = add("keys", Shape::stack(2, 3, 1), Role::projection, {x, w_key}, Branch::key);
    const int values = add("values", Shape::matrix(3, 4), Role::projection, {}, Branch::value); // given side by side
    const int rotated = add("rotated_values", Shape::matrix(3, 4), Role::projection, {values}, Branch::value);
    program.stages.push_back({"Scores", ""});
    const int scores = add("attention_scores", Shape::stack(4, 3, 3), Role::scores, {queries, keys});
    const int weights = add("attention_weights", Shape::stack(4, 3, 3), Role::weights, {scores});
    program.nodes.back().presentation.row_of_query = true;
    const int contexts = add("context_vectors", Shape::stack(4, 3, 2), Role::context, {weights, rotated});
    const int joined = add("joined_contexts", Shape::matrix(3, 8), Role::context, {contexts});
    const int w_output = add("W_output", Shape::matrix(8, 4), Role::weight_matrix);
    add("outputs", Shape::matrix(3, 4), Role::hidden, {joined, w_output});
}

void ModelProgram::mlp() {
    program.stages.push_back({"MLP", ""});
    const int w_up = add("W_up", Shape::matrix(4, 4), Role::weight_matrix);
    add("mlp_up", Shape::matrix(3, 4), Role::hidden, {find("outputs"), w_up});
    add("grad.W_up", Shape::matrix(4, 4), Role::weight_matrix, {find("outputs")});
    program.nodes.back().gradient_of = w_up;
}

} // namespace lab::test
