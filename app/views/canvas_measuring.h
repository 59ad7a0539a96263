#pragma once

#include <vector>

#include "app/views/canvas_layout.h"

namespace lab {

// How large what stands on the canvas is, however it is placed.

struct SeenAt {
    float texel = 1; // of the screen, in points
    float zoom = 1;  // points for a world unit
};

// A node with its size and the room that it takes, at the origin, and without words beside its rows.
PlacedNode measured(const LayoutItem& item, ImVec2 pitch, bool is_compact, SeenAt seen);
void add_row_labels(PlacedNode& placed, const LayoutRequest& request);

// Only so far from square that a long thin matrix is still a band that one can see and point at; cells of weights that are a picture
// only until that is twice as long as wide. No cells are longer than 5 : 1: of more than ten times as many rows as columns, or the
// other way round, it stays longer (64 × 1024: 3.2 times).
ImVec2 not_too_thin(ImVec2 pitch, const LayoutItem& item);

// Between tokens cells are a little narrower in the design.
constexpr float kNarrowerBetweenTokens = 40.0f / 44.0f;

// All of it, titles and labels included.
Rect bounds_of(const std::vector<PlacedNode>& placed);

} // namespace lab
