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

// Above so many cells an interactive trace leaves weights out (of more than 181 tokens, with 12 heads of 52), and above
// kTimesStored times as many whatever else holds pairs of queries and keys (of more than 724 tokens, with 12 heads of 209): what is smaller
// is run again within a frame. Weights come out of scores sooner than scores out of queries and keys, while an edit of a token, which
// reaches all weights, reaches of scores a row and a column.
inline constexpr std::uint64_t kMostStoredInteractively = 1 << 15;
inline constexpr std::uint64_t kTimesStored = 16;

// Whether a node reads of these, if anything, the row that it computes and no other.
bool reads_same_rows(const Program& program, int node, const Plan::Pass& of);

// Above `most_stored` cells, or as said so many times as many, a tensor of pairs of queries and keys is left out, where a cell of it
// takes few operations and is asked for by the row that is computed: scores and weights of long texts.
Plan make_plan(const Program& program, std::uint64_t most_stored = kStoresAll);

} // namespace lab
