#pragma once

#include "engine/attention.h"
#include "engine/one_attention.h"
#include "engine/program_builder.h"

namespace lab {

// A tensor of several heads: a plane for each, or, given as a matrix, side by side in its columns.
struct ByHead {
    int node = -1;
    int n_beside = 1;
};

// Queries, keys and values as scores and contexts read them.
struct Projections {
    ByHead queries; // n_heads × n_queries × d_k
    ByHead keys;    // n_kv_heads × (n_past + n_keys) × d_k
    ByHead values;  // n_kv_heads × (n_past + n_keys) × d_v
    int column = 2; // the last in which something of them stands
};

// Rows of keys and values that stand before the new ones.
int n_past(const ProgramBuilder& builder);

// Writes queries, keys and values down: given, computed from inputs, or the inputs themselves; rotated by their places, and
// joined with the past, where the settings and the document say so.
Projections build_projections(ProgramBuilder& builder, const AttentionSettings& settings, const AttentionReads& reads);

} // namespace lab
