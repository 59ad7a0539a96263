#pragma once

#include "tests/engine/labs.h"

namespace lab::test {

// Labs so large that scores and weights are not stored, above so many cells.
inline constexpr int kLength = 420;
// Scores have from 176,400 to 352,800 cells, queries at most 40,320.
inline constexpr MostStored kMostStored{44000, 176000}, kMostStoredWithScores{100000, 400000};

inline constexpr int kWidth = 48; // of a head: so wide that weighted values are too many to show

Tensor scaled_down(const Tensor& tensor, float by);

// Of n tokens, with scores of a few units, so that no key takes all of a row's weight.
Lab of_length(int n, int n_heads, MaskKind mask);

// With keys and values of one head for all queries' heads: those of of_length with one.
Lab with_one_group(Lab lab);

// Queries, keys and values as they are given: a query reaches a row, a key a column.
Lab given_of_length(int n);

Trace run_storing(const Lab& lab, const MostStored& most, ThreadPool* threads = nullptr);

// Clears rounding away, and expects none to be left.
void tidy_up(Trace& trace);

// Of every node.
void expect_equal_bits(const Trace& trace, const Trace& expected, const std::string& what);

} // namespace lab::test
