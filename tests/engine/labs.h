#pragma once

#include <string>
#include <vector>

#include "engine/attention.h"
#include "engine/trace.h"
#include "tests/engine/support.h"

namespace lab::test {

// A small computation to test with: tensors and settings that fit together.
struct Lab {
    std::string name; // "projections, softmax, causal"
    AttentionSettings settings;
    Tensors tensors;
};

TensorShapes shapes_of(const Tensors& tensors);
Result<Program> try_program(const Lab& lab);
Program program_of(const Lab& lab);
Result<Program> try_gradients(const Lab& lab,
                              const std::string& target); // with those of a target, as a session names it

// Brings the trace up to date with the lab.
UpdateReport update(Trace& trace, const Lab& lab);
Trace run(const Lab& lab);

// Every cell of a node, by the trace's source of it.
Tensor tensor_of(const Trace& trace, int node);
Tensor tensor_of(const Trace& trace, const std::string& name);

// 4 tokens × 3 dimensions, d_k 2, d_v 3: inputs, W_query, W_key, W_value, no settings changed.
Lab plain_lab();
Lab without_projections(Lab lab);
Lab with_biases(Lab lab);

// 4 queries × 2, 5 keys × 2, 5 values × 3, given directly.
Lab given_lab();

// Every way to get queries × normaliser × mask (own ones too, with a fully masked row), with scales and roundings in turn,
// and a few that overflow, sum to zero or hold NaN and infinities.
std::vector<Lab> many_labs();

} // namespace lab::test
