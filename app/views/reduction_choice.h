#pragma once

#include <optional>
#include <string>

#include "app/views/matrix_cells.h"
#include "app/views/texel_source.h"

namespace lab {

// Where a point of the screen stands for several cells: what it says of them, and the choice of that.

// What points say of this tensor's cells: their mean where that is chosen, else the greatest; of signed numbers the one farthest
// from 0, since the greatest would leave out all that is below 0. Of scores it is the greatest still, as of the weights that they
// become.
Reduction reduction_of(const ViewContext& context, const Node& node);

// "greatest", "strongest", "mean"
std::string reduction_name(Reduction reduction);

// "32 × 32 cells": what a point stands for
std::string cells_text(const PictureLevel& level);

// Of the point where a cell is seen: the number that is its colour, and where it stands among the point's cells. Absent where
// the point is that cell's alone.
struct Point {
    std::optional<float> value = {}; // absent while it is still being computed
    Cell cell = {};                  // that has this number; of a mean the one that was asked for
    std::string place;               // "rows 33–64 × columns 1–32"
    std::string what;                // "greatest of the 32 × 32 cells here"
};
std::optional<Point> point_of(const ViewContext& context, const MatrixGeometry& matrix, Cell cell);

// "extremes of up to 4 × 2 cells": what is drawn in this frame; empty where each cell has points of its own.
std::string reduction_said(const ViewContext& context);

// The same, which is not empty, to be clicked for the other choice, ending here.
void draw_reduction_choice(ViewContext& context, ImVec2 end, const std::string& said);

void choose_reduction(ViewContext& context, Reduction reduction);

} // namespace lab
