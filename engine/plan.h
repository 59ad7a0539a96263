#pragma once

#include <cstdint>
#include <limits>
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

// No tensor is too large to be stored.
inline constexpr std::uint64_t kStoresAll = std::numeric_limits<std::uint64_t>::max();

// Of which size on an interactive trace leaves weights out (those of more than 362 tokens): smaller ones are run again within a frame.
inline constexpr std::uint64_t kMostStoredInteractively = 1 << 17;

// Scores and other products are stored up to so many times as many cells: weights come out of them sooner than out of queries and
// keys, while an edit of a token, which reaches all weights, reaches of scores a row and a column.
inline constexpr std::uint64_t kTimesStoredOfProducts = 4;

// Above `most_stored` cells a tensor of pairs of queries and keys is left out, where a cell of it takes few operations and is asked
// for by the row that is computed: weights of long texts, and scores above so many times as many.
Plan make_plan(const Program& program, std::uint64_t most_stored = kStoresAll);

} // namespace lab
