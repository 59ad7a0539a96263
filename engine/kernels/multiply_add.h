// Multiply-add for one set of instructions, and whether it rounds once: included by who has said which vectors there are. Without a guard,
// since it is included once for every set. In WebAssembly's relaxed instructions: engine/kernels/relaxed_multiply_add.h.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

constexpr bool kRoundsOnce = HWY_TARGET <= HWY_AVX2;
HWY_INLINE Vector multiply_add(Vector a, Vector b, Vector c) { return hn::MulAdd(a, b, c); }

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
HWY_AFTER_NAMESPACE();
