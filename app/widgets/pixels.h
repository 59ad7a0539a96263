#pragma once

#include <algorithm>
#include <cmath>

#include <imgui.h>

namespace lab {

// Of the screen; at least 1.
inline float pixels_per_point() { return std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x); }

// Of two that are as near to the lower right, so that what moves evenly stays together.
inline float snapped_to_pixel(float point) {
    const float density = pixels_per_point();
    return std::floor(point * density + 0.5f) / density;
}

} // namespace lab
