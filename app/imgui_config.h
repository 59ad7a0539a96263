// Compile-time settings of Dear ImGui, included by imgui.h everywhere.
#pragma once

// Tokens may hold any character, emoji included.
#define IMGUI_USE_WCHAR32

// WebGL 2 cannot offset vertices, so a draw list with more than 65,536 of them (a large matrix) needs wider indices.
#define ImDrawIdx unsigned int

// The old names, the demonstration and the debugging windows would be a fifth of the download.
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT
