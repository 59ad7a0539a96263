#pragma once

#include <optional>
#include <vector>

#include "app/views/matrix_view.h"

namespace lab {

// Fingers on the matrices of a narrow screen; a mouse does the same there.

// Whether the press ends here without having moved anything.
bool is_tap();

// What the press on a given number comes to, once it moves: sideways it changes the number, else it moves the page. Inside the window of
// the matrices, before the page is moved.
void settle_touch(ViewContext& context);

// The cell that is dragged, or under the pointer. Fingers do not hover, and they drag the page; only a drag that begins on the
// chosen number, or goes sideways from a given one where the page does not, changes it. A tap chooses; a second one edits or, where
// numbers are too small to be read, zooms in on them.
std::optional<TensorCell> touch_matrices(ViewContext& context, Camera& camera, const std::vector<MatrixView>& views);

} // namespace lab
