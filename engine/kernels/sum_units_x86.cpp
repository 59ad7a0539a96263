#include "engine/kernels/sum_units.h"

namespace lab {

SumUnits sum_units() {
    if (!__builtin_cpu_is("amd")) return SumUnits::none;
    return __builtin_cpu_is("amdfam19h") ? SumUnits::of_half_vectors : SumUnits::of_vectors;
}

} // namespace lab
