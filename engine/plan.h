#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/attention.h"
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

// How many cells a tensor of pairs of queries and keys may have to be stored. Weights come out of scores sooner than scores out of queries
// and keys, while an edit of a token, which reaches all weights, reaches of scores a row and a column, and an edit of a matrix of
// weights adds to them what is made sooner than they are.
struct MostStored {
    std::uint64_t weights; // those whose scores are stored, a factor and a mask between them
    std::uint64_t pairs;   // whatever else holds pairs of queries and keys
    std::uint64_t scores =
        0; // of one head's scores (Step::factor_columns), where that is more; of n heads together an nth
    bool operator==(const MostStored&) const = default;
};
inline constexpr MostStored kStoresAll{std::numeric_limits<std::uint64_t>::max(),
                                       std::numeric_limits<std::uint64_t>::max()};
// Weights of 181 tokens, with 12 heads of 52; scores of 1,448 tokens, with two heads of 724, with 12 of 209; of two attentions of 1,024, of
// more of them of 836 and less, but at least as many as 724 tokens have. Weights that `weighted_values` are made of, which are read column by column, are stored as
// long as those are there.
inline constexpr MostStored kMostStoredInteractively{1 << 15, 1 << 19, 1 << 21};
// For who runs a program and shows nothing of it.
inline constexpr MostStored kMostStoredInARun{kMostCells, 4 * kMostCells};

// Whether a node reads of these, if anything, the row that it computes and no other.
bool reads_same_rows(const Program& program, int node, const Plan::Pass& of);

// Whether a node holds scores that are kept up to date where few columns of queries or keys change (RunningScores), if they are stored.
// They have more cells than `weights` says, but not too many for a frame, and are run without what follows from them.
bool are_scores_to_follow(const Program& program, int node, const MostStored& most_stored);

// Beyond `most_stored` a tensor of pairs of queries and keys is left out, where a cell of it takes few operations and is asked for by the
// row that is computed: scores and weights of long texts.
Plan make_plan(const Program& program, const MostStored& most_stored = kStoresAll);

} // namespace lab
