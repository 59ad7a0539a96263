#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/program.h"
#include "engine/program_builder.h"
#include "engine/result.h"

namespace lab {

// What gradients are taken of: the sum of some cells of a tensor, or its distance to the document's tensor `target`.
struct GradientTarget {
    enum class Kind { cells, distance } kind = Kind::cells;
    std::string tensor;
    std::vector<int>
        index; // of a cell: as many as the tensor's rank; a row's last is kWholeRow; empty: the whole tensor

    static constexpr int kWholeRow = -1;
    bool operator==(const GradientTarget&) const = default;
};

// Reads "NAME[i,j]", "NAME[h,i,:]", "sum(NAME)", "distance(NAME)" or "logprob(i,token)", the token being a word of the
// vocabulary or its number. An error names the text and what a target may be.
Result<GradientTarget> read_gradient_target(std::string_view text, const std::vector<std::string>& vocabulary);

// The program and, appended to it, its gradient: for every node NAME a node "grad.NAME" of its shape, the slope of the target
// per unit of each cell. Of tensors that the target does not depend on it is zeros. `shapes` are those of the document.
//
// An error names both facts: a tensor that is not there, an index out of range, a distance without or to an ill-shaped
// `target`, more than kMostCells.
Result<Program> with_gradients(Program program, const GradientTarget& target, const TensorShapes& shapes);

// Runs the steps backwards from the gradient with respect to `target`, a node that the builder has: what with_gradients and
// tests of single steps share.
void run_backwards(ProgramBuilder& builder, int target, int gradient_of_target);

} // namespace lab
