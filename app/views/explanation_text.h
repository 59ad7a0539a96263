#pragma once

#include <string>

#include "app/views/explanation.h"

namespace lab {

// The explanation as plain lines, for who cannot see the drawing: what the number means, the number and its formula,
// one line per term, where it goes.
//
//     attention_weights[journey, starts]: how much journey attends to starts
//     0.2199 = e^(1.2806 − 1.3098) / Σ = 0.9712 / 4.4173
//     Your: 0.8984, 15.0%
//     …
//     row sum 1.0000
//     feeds context_vectors[journey, d₁]: 0.2199·0.3857 + … = 0.3061, and all of row journey
std::string to_text(const Explanation& explanation, const Document& document, const Program& program);

// Of a cell that a later step makes: "attention_weights comes with step 5, \"Scores to weights\"."
std::string not_yet_text(const TensorCell& cell, const Program& program);

} // namespace lab
