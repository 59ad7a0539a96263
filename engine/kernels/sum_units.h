#pragma once

namespace lab {

// Whether the processor has units for sums beside those that multiply and add, where it has AVX-512: AMD's (Zen 4 and 5: two and
// two). Not known: no.
bool has_units_for_sums();

} // namespace lab
