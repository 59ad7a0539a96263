#pragma once

#include <imgui.h>

namespace lab {

// Makes one list of a frame's draw lists, in their order: the longest, to which the others' vertices are copied. Each list is uploaded
// by calls of its own, which cost a page more than the copy here. Indices are wide enough for all vertices (imgui_config.h), so that no
// command of Dear ImGui's counts its vertices from another than the first.
class JoinedDrawLists {
  public:
    void join(ImDrawData& frame);
    // Once the frame is drawn: the longest list is its window's own again, which may keep it for the next frame (KeptWindow).
    void part();

  private:
    ImDrawList* joined_ = nullptr;
    int n_vertices_ = 0, n_indices_ = 0; // of its own
    ImVector<ImDrawCmd> commands_;       // while it is joined, its own; memory that is used again by every frame
};

} // namespace lab
