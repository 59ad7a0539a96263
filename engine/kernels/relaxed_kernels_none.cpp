// For native builds: what the processor has is Highway's to choose.
#include "engine/kernels/relaxed_kernels.h"

namespace lab {

const RelaxedKernels* relaxed_kernels() { return nullptr; }

void use_relaxed_kernels(bool) {}

} // namespace lab
