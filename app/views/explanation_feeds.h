#pragma once

#include <string>
#include <vector>

#include "app/views/explanation.h"

namespace lab {

// What a cell feeds: one entry per step that reads it and is spoken of, unfolded tensors first.
std::vector<ExplanationFeed> explain_feeds(const Document& document, const Trace& trace, const CellRef& cell,
                                           Viewpoint chosen);

// "…" where it is still to be computed.
std::string cell_number_text(const Trace& trace, int node, const Cell& cell);

// The cells of a block with their numbers: "[journey] = [0.3061, 0.8210]" for a row, "column d₁ = [0.23, …]" for a
// column, "[journey, starts] = 0.2199" for a cell.
std::string block_text(const Document& document, const Trace& trace, int node, const Block& block);

} // namespace lab
