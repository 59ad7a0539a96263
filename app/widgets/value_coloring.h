#pragma once

#include <cstdint>

namespace lab {

// How textures of numbers (app/widgets/value_texture.h) become colours while they are drawn: a number by its place on a ramp,
// (value − least) · per_unit + at_least from 0 to 1, of whose distance from `zero` the power is taken on either side; −∞, and what else is no finite number,
// in colours of their own.
// Colours as Dear ImGui packs them.
struct ValueColoring {
    static constexpr int kSteps = 256;

    const std::uint32_t* ramp = nullptr; // kSteps + 1 colours; outlives the program
    double least = 0;
    double per_unit = 0;
    double at_least = 0;
    double exponent = 1;
    double zero = 0;          // a place on the ramp
    std::uint32_t masked = 0; // −∞
    std::uint32_t no_number = 0;
};

} // namespace lab
