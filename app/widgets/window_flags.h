#pragma once

#include <imgui.h>

namespace lab {

// Of a window on top of another that only holds what is drawn in it: it is nobody's to move.
constexpr ImGuiWindowFlags kFloating = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing;

} // namespace lab
