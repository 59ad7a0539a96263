// In place of pair_loops.h, for a set of instructions for which there are none: `has_pairs` says so. Without a guard, since it is included
// once for every set.
#include <cassert>

#include "engine/kernels/product.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

bool has_pairs() { return false; }
void multiply_by_pairs(const PackedProduct&, Spread) { assert(false); }
void pair_columns(float*, int, Range, float*) { assert(false); }

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
