#pragma once

#include "app/widgets/color_scale.h"
#include "app/widgets/value_coloring.h"

namespace lab {

// The colour of any cell: a number by the scale; what is not a finite number by the palette, as no number is.
Color cell_color(float value, const ColorScale& scale, const Palette& palette);

// A masked cell in a picture: strokes that rise to the right, as those in larger cells do, here of one texel each.
Color masked_texel(int row, int col, const Palette& palette);

// Both, for the graphics card.
ValueColoring value_coloring(const ColorScale& scale, const Palette& palette);

} // namespace lab
