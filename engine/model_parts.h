#pragma once

#include <string>

#include "engine/attention.h"
#include "engine/program_builder.h"

namespace lab {

// What blocks and the prediction share.

// Rows of the residual stream and what is made of them, one per query.
Presentation of_rows(Role role, Axis cols, std::string meaning, int column);

Presentation of_parameter(Role role, Axis rows, Axis cols, std::string meaning, int column);

// norm(x) of the settings' kind, with the document's NAME_gain and, where it has one, NAME_bias.
// x, result [n_tokens × d_model]
struct NormPlace {
    std::string name; // "attention_norm"
    int column = 0;
};
int build_norm(ProgramBuilder& builder, const AttentionSettings& settings, const NormPlace& place, int x);

} // namespace lab
