#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/program.h"
#include "engine/result.h"
#include "engine/steps/steps.h"

namespace lab {

// How a tensor presents itself, with what every tensor has; the rest is set where it differs.
Presentation presentation(Role role, Axis rows, Axis cols, std::string meaning);

// The same for a tensor [n_queries × n_keys], which stands between all branches.
Presentation between_tokens(Role role, std::string meaning);

// Cells of a tensor that is there for show and computed where it is looked at: weighted values (the contract's bound), and the
// softmax' Jacobian, which is shown like them.
constexpr std::uint64_t kMostShownCells = 1000000;

// Cells of the one-hot rows by which tokens are looked up; where there would be more, rows of the table are taken instead.
constexpr std::uint64_t kMostOneHotCells = 100000;

// Writes a program down, node by node, each under the stage begun last. A node is known by its index; the first thing that
// does not fit becomes the program's error, and everything after it is left out (its index is −1), so that who builds need
// not look at every step.
class ProgramBuilder {
  public:
    // `shapes`: of the tensors that the document gives. `program`: what is there already, to be gone on with.
    explicit ProgramBuilder(const TensorShapes& shapes, Program program = {})
        : shapes_(shapes), program_(std::move(program)) {}

    // What stands before the names of a block from now on: "blocks.0.", or nothing. Tensors that a document has but once keep
    // their names.
    void begin_names(std::string prefix) { prefix_ = std::move(prefix); }

    // Whether the document gives the tensor (of the present block).
    bool has(const std::string& name) const { return shapes_.count(full_name(name)) > 0; }
    const Shape& given_shape(const std::string& name) const { return shapes_.at(full_name(name)); }

    int find(const std::string& name) const { return program_.find(name); } // by its full name

    // Begins what stands on one canvas.
    void section(std::string title);

    // Begins a step of the explanation.
    void stage(std::string title, std::string sentence);

    // A tensor that the document gives, appended when first asked for; `needed_because` is the other fact where it does not.
    int leaf(const std::string& name, const std::string& needed_because, Presentation presentation);

    // The result of a step.
    int step(const std::string& name, StepPtr step, std::vector<int> operands, Presentation presentation);

    void fail(std::string message); // only the first counts
    bool failed() const { return error_.has_value(); }

    // Of a node that is there: ask failed() first.
    Shape shape(int node) const { return program_.node(node).shape; }
    int n_nodes() const { return static_cast<int>(program_.nodes.size()); }
    Node& node(int index) { return program_.nodes[static_cast<std::size_t>(index)]; }

    // Numbers of all tensors that memory is to hold. Shapes that fit by themselves, so that the sum does not wrap round.
    std::uint64_t n_cells_held() const;
    // The same of a text of so many tokens instead of this one, taken for what has as many rows or columns as this has tokens.
    std::uint64_t n_cells_held(int n_tokens, int instead_of) const;

    // The program; an error where memory could not hold it (kMostCells).
    Result<Program> finish() &&;

  private:
    std::string full_name(const std::string& name) const;
    int append(Node node);
    template <class Function> void for_each_tensor(const Program& program, Function f) const;
    std::uint64_t n_cells_held(const Program& program) const;
    void reject_what_memory_cannot_hold();

    const TensorShapes& shapes_;
    Program program_;
    std::string prefix_;
    std::optional<Error> error_;
};

} // namespace lab
