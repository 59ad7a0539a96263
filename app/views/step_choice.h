#pragma once

#include <optional>

#include "app/views/view.h"

namespace lab {

// Shows what is computed up to this step, and pins a number that the step makes, so that its sum is explained; absent:
// everything, and the pinned number stays.
void choose_step(ViewContext& context, std::optional<int> stage);

// A number that the step makes: the pinned one if it is, else one of the step's main tensor, of the chosen query and of
// the key or dimension that was looked at last. Absent where the step has none.
std::optional<TensorCell> cell_of_step(const Program& program, const Selection& selection, int stage);

} // namespace lab
