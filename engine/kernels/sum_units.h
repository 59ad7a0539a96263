#pragma once

namespace lab {

// AMD's processors with AVX-512 have as many units for sums as for multiply-adds. Zen 4's take a vector in two halves, Zen 5's at once
// (but for its mobile kinds, which are not told apart), and what comes after them is taken for the like. Others, and what is not known:
// none. Without AVX-512 it says nothing.
enum class SumUnits { none, of_half_vectors, of_vectors };
SumUnits sum_units();

} // namespace lab
