#pragma once

#include <string>

#include "engine/attention.h"
#include "engine/program_builder.h"

namespace lab {

// A tensor of queries × keys for every head.
Presentation between_queries_and_keys(Role role, std::string meaning, int column, bool folded = true);

// What a mask is made for.
struct MaskReads {
    Shape scores;
    int column = 0; // of the picture
};

// What is added to scores: the rule of the settings, the document's own mask and what the distance says, together as
// `combined_mask`; −1 where there is none of them, or something did not fit.
//
// result  [n_queries × n_keys], with several heads [n_heads × n_queries × n_keys]
int build_mask(ProgramBuilder& builder, const AttentionSettings& settings, const MaskReads& reads);

} // namespace lab
