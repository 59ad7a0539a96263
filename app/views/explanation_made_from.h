#pragma once

#include "app/views/explanation.h"

namespace lab {

// What a cell was made from, term by term, read off `told.derivation`: its kind, heading, terms and total, and how far the
// terms' bars reach. `told.cell` says which cell. Returns which terms of contexts, a sum over a row of weights, are 0 since their keys
// are masked; empty for other expressions, and where none is or all are.
std::vector<bool> write_terms(Explanation& told, const Document& document, const Trace& trace);

// One of these terms in words.
WrittenTerm written_term(const Document& document, const Program& program, const Explanation& told, std::size_t term);

} // namespace lab
