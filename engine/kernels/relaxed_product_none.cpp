// For native builds: what the processor has is Highway's to choose.
#include "engine/kernels/relaxed_product.h"

namespace lab {

const RelaxedProducts* relaxed_products() { return nullptr; }

void use_relaxed_products(bool) {}

} // namespace lab
