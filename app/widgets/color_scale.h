#pragma once

#include <array>

#include "app/theme.h"

namespace lab {

// Colours from the least to the greatest value in even perceptual steps (straight lines in OKLab, Ottosson 2020).
class ColorRamp {
  public:
    ColorRamp(Color low, Color middle, Color high);

    // t in [0, 1]; what lies outside is clamped.
    Color at(float t) const;

  private:
    static constexpr int kSteps = 256;
    std::array<Color, kSteps + 1> colors_;
};

// The ramp of a palette: signed values run cold – zero – hot, non-negative ones low – high.
const ColorRamp& color_ramp(const Palette& palette, bool non_negative);

// How values become colours. Signed scales are symmetric: 0 is always the middle.
struct ColorScale {
    const ColorRamp& ramp;
    float least = 0;
    float greatest = 0;
    bool is_signed = false;

    Color at(float value) const;
};

ColorScale color_scale(const Palette& palette, bool non_negative, float least, float greatest);

} // namespace lab
