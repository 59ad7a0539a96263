#pragma once

#include <imgui.h>

namespace lab {

// Of a window that only holds what is drawn in it: it is nobody's to move.
constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

// Beside others of the kind, and below all else.
constexpr ImGuiWindowFlags kSideBySide = kFixed | ImGuiWindowFlags_NoBringToFrontOnFocus;

// On top of another.
constexpr ImGuiWindowFlags kFloating = kFixed | ImGuiWindowFlags_NoFocusOnAppearing;

} // namespace lab
