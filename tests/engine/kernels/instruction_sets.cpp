#include "tests/engine/kernels/instruction_sets.h"

#include "engine/kernels/product.h"
#include "engine/kernels/relaxed_kernels.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace lab::test {

void for_each_instruction_set(const std::function<void(const char* name)>& f) {
    if (relaxed_kernels()) f(instruction_set());
    use_relaxed_kernels(false);
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        f(hwy::TargetName(target));
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    use_relaxed_kernels(true);
}

} // namespace lab::test
