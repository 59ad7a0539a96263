#pragma once

#include "app/views/canvas_layout.h"

namespace lab {

// How large a layout's parts may be.
struct Sizing {
    ImVec2 most;             // of a matrix's cells, in points: wider and taller ones get smaller cells
    float most_between = 0;  // wide, of those between tokens, where that is more
    int n_stacks = 1;        // into how many columns one without branches may be split
    bool is_compact = false; // titles on one line, without formulas; legends on one line, too
    int n_by_hand = 0;       // so many rows or columns are read number by number:
    float least_by_hand = 0; // their cells have at least this share of the design's
    float zoom = 1;          // at which it is to be looked at
};

// The least share of the design's pitch at which cells still hold numbers.
constexpr float kReadableCells = 0.775f;

// Narrower cells hold the same numbers: this much larger a share of the width counts.
constexpr float kNarrowCellsShare = 1.1f;

// Everything in its place, at that sizing.
CanvasLayout placed(const LayoutRequest& request, const Sizing& sizing);

} // namespace lab
