#pragma once

#include <string>
#include <vector>

#include "engine/trace.h"

namespace lab {

// Several heads of a tensor as one matrix: cell by cell their average or the greatest of them.
struct HeadCombination {
    std::vector<int> heads; // in ascending order, at least one
    bool is_maximum = false;

    std::string title() const; // "average over heads 1, 3–5"
};

// The cells of a node with a plane per head, row after row. A weight that is masked in every head reads −∞.
std::vector<float> read_combined(const Trace& trace, int node, const HeadCombination& combination, Range rows,
                                 Range cols);

} // namespace lab
