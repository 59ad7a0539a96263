#include "engine/kernels/sum_units.h"

namespace lab {

bool has_units_for_sums() { return __builtin_cpu_is("amd"); }

} // namespace lab
