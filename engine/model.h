#pragma once

#include "engine/attention.h"
#include "engine/program_builder.h"

namespace lab {

// What stands around attention, written down node by node; a node is −1 where something did not fit.

// The rows that the first attention reads: `inputs`, given or looked up in a table by token, cut to the context length and with
// positions added.  result [n_tokens × d_in]
int build_inputs(ProgramBuilder& builder, const AttentionSettings& settings);

// Blocks of norm, attention, residual, norm, MLP, residual, one after the other.
// x, result [n_tokens × d_model]
int build_blocks(ProgramBuilder& builder, const AttentionSettings& settings, int x);

// What the last rows predict: final norm, logits, their log-probabilities and probabilities, as far as the settings ask for
// them.
// x [n_tokens × d_model], logits [n_tokens × n_vocabulary]
void build_prediction(ProgramBuilder& builder, const AttentionSettings& settings, int x);

} // namespace lab
