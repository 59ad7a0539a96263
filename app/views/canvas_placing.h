#pragma once

#include "app/views/canvas_layout.h"

namespace lab {

// How large a layout's parts may be.
struct Sizing {
    ImVec2 most;      // of a matrix's cells, in points: wider and taller ones get smaller cells
    int n_stacks = 1; // into how many columns one without branches may be split
    bool has_formulas = true;
    float least_by_hand = 0; // what is read number by number has cells of at least this share of the design's
};

// The least share of the design's pitch at which cells still hold numbers.
constexpr float kReadableCells = 0.775f;

// Everything in its place, at that sizing.
CanvasLayout placed(const LayoutRequest& request, const Sizing& sizing);

} // namespace lab
