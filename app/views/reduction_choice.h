#pragma once

#include <string>

#include "app/views/matrix_cells.h"
#include "app/views/texel_source.h"

namespace lab {

// Where a point of the screen stands for several cells: what it says of them, and the choice of that.

// "greatest", "mean"
std::string reduction_name(Reduction reduction);

// "greatest of 32 × 32 cells"
std::string reduction_text(Reduction reduction, const PictureLevel& level);

// "this point: the greatest of rows 33–64 × columns 1–32": of the point where a cell is seen; empty where it
// is that cell's alone.
std::string point_text(const ViewContext& context, const MatrixGeometry& matrix, Cell cell);

// "greatest of up to 4 × 2 cells": what is drawn in this frame; empty where each cell has points of its own.
std::string reduction_said(const ViewContext& context);

// The same to be clicked for the other choice, ending here; returns its width.
float draw_reduction_choice(ViewContext& context, ImVec2 end);

void choose_reduction(ViewContext& context, Reduction reduction);

} // namespace lab
