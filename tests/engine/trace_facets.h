#pragma once

#include <set>
#include <string>

#include "engine/trace.h"
#include "tests/engine/support.h"

// What must hold of every trace, whatever the program. One gtest failure per cell that lies.
namespace lab::test {

// Every cell's derivation evaluates to the cell, and its sources are earlier nodes' cells with their values.
void check_derivations(const Trace& trace);

// check_facets of every step on the operands that it has in this trace.
void check_steps(const Trace& trace);

// A cell feeds another exactly if it is one of its sources.
void check_feeds(const Trace& trace);

// The names of the leaves that one reaches from a cell by following sources.
std::set<std::string> leaves_below(const Trace& trace, const CellRef& start);

} // namespace lab::test
