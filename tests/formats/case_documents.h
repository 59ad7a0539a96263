#pragma once

#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/trace.h"
#include "tests/engine/support.h"

namespace lab::test {

// A reference case as the lab has it open.
struct CaseDocument {
    std::string name; // "past: past, one head, causal"
    Document document;
};

// All cases of attention_cases() that can be opened, which is every one: see attention_cases_derivation_test.cpp.
const std::vector<CaseDocument>& case_documents();

// What the document computes; a test failure if nothing.
Program program_of(const Document& document);
Trace run(const Document& document);

// A program's tensors in float64, of leaves in float64: per node all cells, up to `last`. `leaves` by their node.
using Cells64 = std::vector<std::vector<double>>;
Cells64 leaves_of(const Program& program, const Tensors& tensors);
void run_float64(const Program& program, int last, Cells64& cells);

// So many cells of the shape drawn by chance, each once; all if there are no more.
std::vector<Cell> sampled_cells(const Shape& shape, std::size_t n_most, Dice& dice);

} // namespace lab::test
