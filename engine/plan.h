#pragma once

#include <vector>

#include "engine/program.h"

namespace lab {

// How a program is run: what of it is kept in memory, and which steps go together, row block by row block, while the rows of
// the one before still lie in the cache. The results are the same bits as those of one step after another.
struct Plan {
    // Nodes in an order in which operands come before what they feed. Several together: each reads, of those before it, the
    // same row only (Step::reads_same_row), and all have the same planes and rows.
    using Pass = std::vector<int>;

    std::vector<bool> is_stored; // per node; others are computed from their operands where they are read
    std::vector<Pass> passes;    // every node is in one
};

// From this many cells on a tensor that each cell's own operands give at once (Step::is_light) is not stored, and steps go
// together. Below it there is nothing to gain.
inline constexpr std::size_t kLargeTensor = 1 << 14;

Plan make_plan(const Program& program);

} // namespace lab
