#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "app/theme.h"
#include "app/widgets/value_coloring.h"

namespace lab {

// Colours from the least to the greatest value in even perceptual steps (straight lines in OKLab, Ottosson 2020).
class ColorRamp {
  public:
    ColorRamp(Color low, Color middle, Color high);

    // t in [0, 1]; what lies outside is clamped.
    Color at(float t) const { return colors_[step(t)]; }
    const ImU32* packed() const { return packed_.data(); } // all of them, for pictures of many cells

  private:
    static constexpr int kSteps = ValueColoring::kSteps;
    static std::size_t step(float t) { return static_cast<std::size_t>((std::clamp(t, 0.0f, 1.0f) * kSteps) + 0.5f); }

    std::array<Color, kSteps + 1> colors_;
    std::array<ImU32, kSteps + 1> packed_;
};

// The ramp of a palette: signed values run cold – zero – hot, non-negative ones low – high.
const ColorRamp& color_ramp(const Palette& palette, bool non_negative);

// How values become colours. Signed scales are symmetric: 0 is always the middle.
struct ColorScale {
    const ColorRamp& ramp;
    float least = 0;
    float greatest = 0;
    double per_unit = 0;  // of the ramp; 0 where there is one value only
    double at_least = 0;  // where on the ramp `least` stands
    double exponent = 1;  // below 1: of how far it stands from `zero` this power, so that small values are told apart
    bool is_open = false; // there are values beyond its ends, in their colours

    bool is_all_0() const { return least == 0 && greatest == 0; }
    bool is_signed() const { return least < 0 || at_least != 0; }
    bool is_bent() const { return exponent != 1; }
    double zero() const { return is_signed() ? 0.5 : 0; } // its place on the ramp
    // The part of the ramp that its values have: all of it, or what stands for one side of 0.
    float first_place() const { return per_unit == 0 ? 0 : place_of(least); }
    float last_place() const { return per_unit == 0 ? 1 : place_of(greatest); }
    bool has_two_sides() const { return is_signed() && least <= 0 && greatest >= 0; }
    bool begins_above_0() const { return !is_signed() && least > 0; }
    float place_of(float value) const;
    float value_at(float place) const; // the other way round
    Color at(float value) const { return ramp.at(place_of(value)); }
};

ColorScale color_scale(const Palette& palette, bool non_negative, float least, float greatest);

// The same so that what is typical (a magnitude, of which there are values) is seen beside the greatest. The scale ends at
// kMostTypical times what is typical, and where that would stand nearer to 0 than kTypicalPlace of the way to an end, it is
// brought there by a power.
inline constexpr double kTypicalPlace = 0.3;
inline constexpr double kMostTypical = 64;
ColorScale with_typical_seen(ColorScale scale, double typical);

// The same of numbers that all stand on one side of 0, as the greatest of many cells do: from the palest colour of that side for the
// one nearest to 0 to its strongest, so that they are told apart. `typical` as above, beside numbers much farther from 0; 0: none.
ColorScale with_one_side(const ColorScale& scale, float least, float greatest, double typical);

// The same of numbers of which nearly all stand on one side of 0: between what is usually the least and the greatest, where both are
// on that side. What lies beyond has the colours of the ends.
ColorScale with_usual_side(const ColorScale& scale, float usual_least, float usual_greatest);

// The same of numbers from 0 on that are all near to each other, the least more than half of the greatest: from 0 on they would have
// one colour.
ColorScale with_near_told_apart(const ColorScale& scale, float least, float greatest);

} // namespace lab
