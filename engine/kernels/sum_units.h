#pragma once

namespace lab {

// The units that a processor has for sums beside those that multiply and add, where it has AVX-512: AMD's have as many for the one as for
// the other, which take a vector in two halves (Zen 4) or at once (Zen 5). Not known: none.
enum class SumUnits { none, of_half_vectors, of_vectors };
SumUnits sum_units();

} // namespace lab
