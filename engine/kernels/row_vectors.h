// The vectors that work on rows, for one set of instructions: at most sixteen numbers, so that partial sums are the same everywhere.
// Without a guard, since it is included once for every set; without attributes of the set, since it has no function.
#include <limits>

#include "hwy/highway.h"

namespace lab {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 16>;
using Vector = hn::Vec<D>;

constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

} // namespace
} // namespace HWY_NAMESPACE
} // namespace lab
