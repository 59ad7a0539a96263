#pragma once

#include <imgui.h>

namespace lab {

// Makes one list of a frame's draw lists, in their order, in `joined`, which must live until the frame is drawn. Each list is
// uploaded by calls of its own, which cost a page more than the copy here. Indices are wide enough for all vertices (imgui_config.h), so that
// no command of Dear ImGui's counts its vertices from another than the first.
void join_draw_lists(ImDrawData& frame, ImDrawList& joined);

} // namespace lab
