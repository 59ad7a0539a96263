#pragma once

#include "app/widgets/color_scale.h"
#include "app/widgets/value_coloring.h"

namespace lab {

// The colour of any cell: a number by the scale; what is not a finite number by the palette, as no number is.
Color cell_color(float value, const ColorScale& scale, const Palette& palette);

// A masked cell that is too small for strokes to be read as hatching: one tone about as dark as hatching is from afar, which no
// small number has.
Color masked_color(const Palette& palette);

// Both, for the graphics card.
ValueColoring value_coloring(const ColorScale& scale, const Palette& palette);

} // namespace lab
