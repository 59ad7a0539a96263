// Products in relaxed multiply-add: a WebAssembly module of its own (cmake/relaxed_product.cmake), since an engine that does not
// know an instruction refuses the whole module that has it. It works on the program's memory.
#include "engine/kernels/product.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lab {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::Full128<float>;
using Vector = hn::Vec<D>;

constexpr int kLanes = 4;
constexpr int kTileRows = 6, kTileVectors = 2;

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
HWY_AFTER_NAMESPACE();

#include "engine/kernels/product_loops.h"

namespace lab {

#define LAB_EXPORT(name) extern "C" __attribute__((export_name(name)))

LAB_EXPORT("multiply_packed") void multiply_packed_relaxed(const PackedProduct& of) {
    HWY_NAMESPACE::multiply_packed(of);
}

LAB_EXPORT("multiply_unpacked") void multiply_unpacked_relaxed(const PlainProduct<float>& of) {
    HWY_NAMESPACE::multiply_unpacked(of);
}

// (1 + 2⁻¹²)² − (1 + 2⁻¹¹) is 2⁻²⁴, which a product that is rounded by itself has lost.
LAB_EXPORT("rounds_once") int relaxed_rounds_once() {
    using namespace HWY_NAMESPACE;
    const Vector x = hn::Set(D(), 1.0f + 0x1p-12f);
    return hn::GetLane(multiply_add(x, x, hn::Set(D(), -1.0f - 0x1p-11f))) == 0x1p-24f;
}

} // namespace lab
