#pragma once

#include <imgui.h>

namespace lab {

// Makes one list of a frame's draw lists, in their order: the longest, to which the others' vertices are copied. Each list is uploaded
// by calls of its own, which cost a page more than the copy here. Indices are wide enough for all vertices (imgui_config.h), so that no
// command of Dear ImGui's counts its vertices from another than the first. `commands` is memory that is used again by every frame.
void join_draw_lists(ImDrawData& frame, ImVector<ImDrawCmd>& commands);

} // namespace lab
