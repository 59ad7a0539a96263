#pragma once

namespace lab {

// Whether the processor has units for sums beside those that multiply and add: AMD's, Zen from the first on (two and two). Not
// known: no.
bool has_units_for_sums();

} // namespace lab
