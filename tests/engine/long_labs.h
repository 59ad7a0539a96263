#pragma once

#include "tests/engine/labs.h"

namespace lab::test {

// Labs so large that scores and weights are not stored, above so many cells.
inline constexpr int kLength = 420;
inline constexpr std::uint64_t kMostStored =
    11000; // scores have 176,400 cells and more, of which kTimesStored times as many are stored
inline constexpr std::uint64_t kMostStoredWithScores = 25000; // scores have at most 352,800

inline constexpr int kWidth = 48; // of a head: so wide that weighted values are too many to show

Tensor scaled_down(const Tensor& tensor, float by);

// Of n tokens, with scores of a few units, so that no key takes all of a row's weight.
Lab of_length(int n, int n_heads, MaskKind mask);

Trace run_storing(const Lab& lab, std::uint64_t most);

// Of every node.
void expect_equal_bits(const Trace& trace, const Trace& expected, const std::string& what);

} // namespace lab::test
