// Relaxed multiply-add for the kernels of engine/kernels/relaxed_kernels.h: included by who has said which vectors there are. Without a guard
// or attributes of a set of instructions, since there is one set.
#include "hwy/highway.h"

namespace lab {
namespace HWY_NAMESPACE {
namespace {

constexpr bool kRoundsOnce = true; // else the module is not used

// f32x4.relaxed_madd byte by byte, since compilers of 2022 know it only as it was drafted.
HWY_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
    __v128_u result;
    __asm__("local.get %1\n local.get %2\n local.get %3\n .byte 0xfd, 0x85, 0x02\n local.set %0"
            : "=r"(result)
            : "r"(a.raw), "r"(b.raw), "r"(c.raw));
    return Vector{result};
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab

#define LAB_EXPORT(name) extern "C" __attribute__((export_name(name)))
