#pragma once

#include "app/views/explanation.h"

namespace lab {

// What a cell was made from, term by term, read off `told.derivation`: its kind, heading, terms and total, and how far the
// terms' bars reach. `told.cell` says which cell.
void write_terms(Explanation& told, const Document& document, const Program& program);

// One of these terms in words.
WrittenTerm written_term(const Document& document, const Program& program, const Explanation& told, std::size_t term);

} // namespace lab
