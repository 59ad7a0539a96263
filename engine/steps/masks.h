#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "engine/step.h"

// Kinds of step between scores and weights: which keys a query may attend to, and what distance adds. Shapes as in steps.h.
namespace lab {

constexpr int kAllBefore = std::numeric_limits<int>::max();

// Which keys a query may attend to. Query i stands at place i + n_past, key j at place j.
struct MaskRule {
    // Of the keys up to its own, this one included, a query sees the last so many: from 1 (a window) to kAllBefore (causal).
    // Absent: every key, also those that come after it.
    std::optional<int> n_seen = std::nullopt;
    int n_queries = 0;
    int n_keys = 0;
    int n_past = 0;
    int prefix = 0;                         // keys below it are seen by every query, whatever n_seen says
    std::vector<int> document_lengths = {}; // documents one after the other; query and key must lie in the same one
    std::optional<int> nonpad_keys = {};    // keys from here on are padding, which no query sees
    int n_heads = 1;                        // that have the same rule
};
// What is added to scores: −∞ where query i may not attend to key j: where j > i + n_past or j ≤ i + n_past − n_seen unless
// j < prefix; in another document; in the padding. Elsewhere the sum of the operands, 0 without one.
//
// operands  none, one or two (the document's own mask, a position bias), each [n_q × n_k] or [planes × n_q × n_k]
// result    [n_q × n_k]; [planes × n_q × n_k] with more heads than one, or where an operand is so
// error     an operand of other rows and columns or of other planes than heads or the other operand have, document lengths that do
//           not add up to n_k
StepPtr combined_mask(const MaskRule& rule);

// y = g where the rule lets the query see the key, else 0: its gradient.
//
// g, result  [n_q × n_k] or [planes × n_q × n_k]
StepPtr seen_cells(const MaskRule& rule);

// y[h, i, j] = −slope[h] · |i + n_past − j|: a key counts the less the further away it is, in every head at its own rate
// (ALiBi, Press et al. 2022). Slopes as in the paper's code: of n heads, a power of two, slope[h] = 2^(−8(h+1)/n); otherwise those
// of the next lower power of two and then every second one, from the first, of the next higher.
//
// result  [n_heads × n_q × n_k]; one head: [n_q × n_k]
StepPtr alibi(int n_heads, int n_queries, int n_keys, int n_past);

// y[h, i, j] = table[h, clip(j − i − n_past, −r, r) + r]: a number for every distance, further ones as the furthest
// (Shaw et al. 2018, as T5 adds it to scores).
//
// table   [heads × (2r + 1)]
// result  [heads × n_q × n_k]; one head: [n_q × n_k]
// error   a table with an even number of columns
StepPtr relative_bias(int n_queries, int n_keys, int n_past);

// Its gradient: y[h, c] = Σ g[h, i, j] over queries and keys that stand as far apart as column c says.
//
// g       [heads × n_q × n_k] or [n_q × n_k]
// result  [heads × n_distances]
StepPtr relative_bias_slope(const Shape& table, int n_past);

// y[h, i, j] = scores[h, i, j] + mask[h, i, j].
//
// scores, result  [planes × n_q × n_k]
// mask            the same, or [n_q × n_k] for all planes
// error           another shape
StepPtr add_mask();
} // namespace lab
