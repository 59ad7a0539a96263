#pragma once

#include "engine/attention.h"
#include "engine/program_builder.h"

namespace lab {

// What one attention reads and gives: nodes of the program; −1 where something did not fit or is not there.
struct AttentionReads {
    int inputs = -1;         // what queries are made from; −1: queries, keys and values are given directly
    int context_inputs = -1; // what keys and values are made from; −1: the inputs too
    int block = 0;           // how many attentions stand before this one
};

// The last tensor of one attention: `outputs` where there is W_output, else the context vectors, with `joins_heads` side by
// side where there are several heads. Writes everything between down, under the builder's present names.
//
// inputs          [n_queries × d_in]
// context_inputs  [n_keys × d_in]
// result          [n_queries × d_model]; context vectors [n_heads × n_queries × d_v]
int build_one_attention(ProgramBuilder& builder, const AttentionSettings& settings, const AttentionReads& reads,
                        bool joins_heads);

} // namespace lab
