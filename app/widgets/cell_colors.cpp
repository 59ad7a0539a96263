#include "app/widgets/cell_colors.h"

#include <cmath>

namespace lab {

namespace {

Color no_number_color(const Palette& palette) { return mix(palette.panel, palette.error, 0.45f); }

} // namespace

Color cell_color(float value, const ColorScale& scale, const Palette& palette) {
    if (std::isfinite(value)) return scale.at(value);
    return std::isnan(value) || value > 0 ? no_number_color(palette) : masked_color(palette);
}

Color masked_color(const Palette& palette) { return mix(palette.background, hatch_color(palette), 0.52f); }

ValueColoring value_coloring(const ColorScale& scale, const Palette& palette) {
    return {.ramp = scale.ramp.packed(),
            .least = static_cast<double>(scale.least),
            .per_unit = scale.per_unit,
            .at_least = scale.at_least,
            .exponent = scale.exponent,
            .zero = scale.zero(),
            .masked = masked_color(palette).u32(),
            .no_number = no_number_color(palette).u32()};
}

} // namespace lab
