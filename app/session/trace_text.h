#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/kernels/elementary.h"
#include "engine/trace.h"

namespace lab {

// What narration reads off a trace.

// Whether nothing overflowed: every number is finite, or masked.
bool is_all_numbers(const std::vector<float>& row);

std::vector<float> row_of(const Trace& trace, int node, int plane, int row);

// The same of weights, but masked keys, whose weight is 0 by definition, count as −∞ as they do in the scores.
std::vector<float> row_without_masked(const Trace& trace, int node, int plane, int row);

// The same of a block that was read: cells of masked keys become −∞. Of what are no weights nothing changes. Scores
// are read only of a block that has a weight of 0, or one that is not a number.
void mark_masked(const Trace& trace, int node, const Block& block, std::span<float> cells);

// The same of texels, each for a square of cells: those become −∞ whose keys are all masked.
struct TexelBlock {
    Block texels; // of one plane
    int level = 0;
    bool is_sampled = false; // as Seen has it
};
void mark_masked_texels(const Trace& trace, int node, const TexelBlock& block, float* texels);

// The scores that weights were made from, also through rounding; −1 for a node that is no weights.
int scores_behind(const Program& program, int i);

// Whether keys may be masked in it: in a mask that is given or forbids some, in scores to which such a mask was added, in weights that
// were made from these. Not in a position bias, nor in gradients.
bool may_have_masked_keys(const Program& program, int i);

// Places of the greatest and least number of a row, the first where several are equal. What is masked (−∞) or not a
// number does not count; −1 where nothing counts.
struct Extremes {
    int highest = -1;
    int lowest = -1;
};
Extremes extremes(const std::vector<float>& row);

// Places of the `n` greatest numbers, greatest first; of equal ones the first comes first.
std::vector<int> greatest_places(const std::vector<float>& row, int n);

struct Sums {
    std::vector<double> of_rows;
    std::vector<double> of_cols;
};
// Of one plane.
Sums sums(const Trace& trace, int node, int plane);

// "[0.3061, 0.8210]"; of a longer row the first `most` and "…".
std::string row_text(const std::vector<float>& row, int most = 8);

} // namespace lab
