#pragma once

#include <algorithm>
#include <cmath>

#include <imgui.h>

namespace lab {

// Of the screen; at least 1.
inline float pixels_per_point() { return std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x); }

// To the nearest even one where two are as near, which processors round to in one instruction.
inline float snapped_to_pixel(float point) {
    const float density = pixels_per_point();
    return std::nearbyint(point * density) / density;
}

} // namespace lab
