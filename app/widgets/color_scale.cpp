#include "app/widgets/color_scale.h"

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

struct OkLab {
    float lightness, a, b;
};

float to_linear(std::uint8_t channel) {
    const float v = static_cast<float>(channel) / 255.0f;
    return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

std::uint8_t from_linear(float v) {
    const float encoded = v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f;
    return static_cast<std::uint8_t>(std::clamp(encoded, 0.0f, 1.0f) * 255.0f + 0.5f);
}

OkLab to_oklab(Color color) {
    const float r = to_linear(color.r), g = to_linear(color.g), b = to_linear(color.b);
    const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

Color to_color(const OkLab& lab) {
    const auto cube = [](float v) { return v * v * v; };
    const float l = cube(lab.lightness + 0.3963377774f * lab.a + 0.2158037573f * lab.b);
    const float m = cube(lab.lightness - 0.1055613458f * lab.a - 0.0638541728f * lab.b);
    const float s = cube(lab.lightness - 0.0894841775f * lab.a - 1.2914855480f * lab.b);
    return {from_linear(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
            from_linear(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
            from_linear(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s)};
}

Color mix_in_oklab(const OkLab& a, const OkLab& b, float t) {
    return to_color({a.lightness + (b.lightness - a.lightness) * t, a.a + (b.a - a.a) * t, a.b + (b.b - a.b) * t});
}

// Of a place from 0 to 1 the power of how far it is from zero's, on either side.
double with_power(double place, double zero, double exponent) {
    const double side = place < zero ? -zero : 1 - zero;
    return zero + side * std::pow((place - zero) / side, exponent);
}

} // namespace

ColorRamp::ColorRamp(Color low, Color middle, Color high) {
    const OkLab ends[] = {to_oklab(low), to_oklab(middle), to_oklab(high)};
    for (int i = 0; i <= kSteps; ++i) {
        const float t = 2.0f * static_cast<float>(i) / kSteps;
        const Color color = t < 1.0f ? mix_in_oklab(ends[0], ends[1], t) : mix_in_oklab(ends[1], ends[2], t - 1.0f);
        colors_[static_cast<std::size_t>(i)] = color;
        packed_[static_cast<std::size_t>(i)] = color.u32();
    }
}

const ColorRamp& color_ramp(const Palette& palette, bool non_negative) {
    const auto signed_ramp = [](const Palette& p) { return ColorRamp(p.cold, p.zero, p.hot); };
    const auto sequence_ramp = [](const Palette& p) {
        return ColorRamp(p.sequence_low, mix_in_oklab(to_oklab(p.sequence_low), to_oklab(p.sequence_high), 0.5f),
                         p.sequence_high);
    };
    static const ColorRamp kRamps[] = {signed_ramp(kLightPalette), signed_ramp(kDarkPalette),
                                       sequence_ramp(kLightPalette), sequence_ramp(kDarkPalette)};
    return kRamps[(non_negative ? 2 : 0) + (palette.is_dark ? 1 : 0)];
}

float ColorScale::place_of(float value) const {
    const double place = (static_cast<double>(value) - static_cast<double>(least)) * per_unit + at_least;
    return static_cast<float>(is_bent() ? with_power(std::clamp(place, 0.0, 1.0), zero(), exponent) : place);
}

float ColorScale::value_at(float place) const {
    if (per_unit == 0) return least;
    const double linear = with_power(static_cast<double>(place), zero(), 1 / exponent);
    return static_cast<float>((linear - at_least) / per_unit + static_cast<double>(least));
}

// In float64, since the distance of two numbers may be more than a float32 holds.
ColorScale color_scale(const Palette& palette, bool non_negative, float least, float greatest) {
    if (non_negative && least >= 0) {
        const double per_unit = greatest > 0 ? 1 / static_cast<double>(greatest) : 0;
        return {color_ramp(palette, true), 0, greatest, per_unit, 0};
    }
    const float limit = std::max(std::fabs(least), std::fabs(greatest));
    if (limit == 0) return {color_ramp(palette, false), 0, 0, 0, 0.5};
    return {color_ramp(palette, false), -limit, limit, 0.5 / static_cast<double>(limit), 0};
}

ColorScale with_typical_seen(ColorScale scale, double typical) {
    if (scale.per_unit == 0 || typical <= 0) return scale;
    const double to_end = 1 - scale.zero(), end = kMostTypical * typical;
    if (end < static_cast<double>(scale.greatest)) {
        scale.greatest = static_cast<float>(end);
        if (scale.is_signed()) scale.least = -scale.greatest;
        scale.per_unit = to_end / end;
        scale.is_open = true;
    }
    const double part = typical * scale.per_unit / to_end;
    if (part < kTypicalPlace) scale.exponent = std::log(kTypicalPlace) / std::log(part);
    return scale;
}

ColorScale with_one_side(const ColorScale& scale, float least, float greatest, double typical) {
    if (!scale.is_signed() || least == greatest || (least <= 0 && greatest >= 0)) return scale;
    const double range = static_cast<double>(greatest) - static_cast<double>(least);
    ColorScale side{scale.ramp, least, greatest, 0.5 / range, least > 0 ? 0.5 : 0};
    const double nearest = static_cast<double>(std::min(std::fabs(least), std::fabs(greatest)));
    const double part = (typical - nearest) / range;
    if (part > 0 && part < kTypicalPlace) side.exponent = std::log(kTypicalPlace) / std::log(part);
    return side;
}

ColorScale with_usual_side(const ColorScale& scale, float usual_least, float usual_greatest) {
    const bool is_one_side = usual_least > 0 || usual_greatest < 0;
    if (!is_one_side || usual_least >= usual_greatest) return scale;
    ColorScale side = with_one_side(scale, usual_least, usual_greatest, 0);
    side.is_open = side.is_signed();
    return side;
}

ColorScale with_near_told_apart(const ColorScale& scale, float least, float greatest) {
    constexpr float kLeastSpread = 1e-5f; // of the greatest: below it stands their rounding
    const bool are_near = least > greatest / 2 && greatest - least > kLeastSpread * greatest;
    if (scale.is_signed() || !are_near) return scale;
    return {scale.ramp, least, greatest, 1 / (static_cast<double>(greatest) - static_cast<double>(least)), 0};
}

} // namespace lab
