// Products in relaxed multiply-add: a WebAssembly module of its own (cmake/relaxed_kernels.cmake), since an engine that does not
// know an instruction refuses the whole module that has it. It works on the program's memory.
#include "engine/kernels/product.h"
#include "hwy/highway.h"

namespace lab {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::Full128<float>;
using Vector = hn::Vec<D>;

constexpr int kLanes = 4;
constexpr int kTileRows = 6, kTileVectors = 2;

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab

#include "engine/kernels/relaxed_multiply_add.h"

#include "engine/kernels/product_loops.h"

namespace lab {

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
