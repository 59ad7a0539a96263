#pragma once

#include <optional>
#include <string>

#include "app/views/view.h"

namespace lab {

// What takes longer than a moment, so that one knows what to wait for.
struct Ongoing {
    std::string text; // "computing, 42 %", "drawing, 42 %"
    double part = 0;  // 0 to 1, of what is computed or read
};

// Absent at rest, and while pictures need no more than the usual frame or two.
std::optional<Ongoing> ongoing(const ViewContext& context);

// Whether a node's cells are still those of before an edit, for longer than a moment. Asked in every frame in which they are shown.
bool stays_as_before(ViewContext& context, int node);

} // namespace lab
