#pragma once

#include <string>
#include <vector>

#include "app/session/selection.h"
#include "engine/document.h"
#include "engine/trace.h"

namespace lab {

class Lab;

// What a stage of the program shows for the chosen query and head, in plain words: one string per line.
//
//   scores       "Highest: journey 1.8524, itself." "Lowest: one 0.5577."
//   weights      "Every row sums to 1. The columns do not: Your 0.93, journey 1.25, …"
//   projections  "18 numbers are learned: 3 × 2 in W_query, 3 × 2 in W_key, 3 × 2 in W_value."
//   context      "Made mostly of journey (22.6 %), starts (22.0 %) and step (18.2 %)."
//
// and, where there is one, a sentence on what is notable: an overflow, a row without keys, a saturated row. Only of nodes that are
// shown (Viewpoint::tells_of).
// trace  up to date with the document; stage, query and head must exist, otherwise there is no line
std::vector<std::string> answers(const Document& document, const Trace& trace, int stage, Viewpoint chosen);
std::vector<std::string> answers(const Lab& lab, int stage, Viewpoint chosen);

// One plain sentence. whose: "journey"
std::string notice_sentence(Notice notice, const std::string& whose);

} // namespace lab
