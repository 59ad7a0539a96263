#pragma once

#include <imgui.h>

namespace lab {

// A window whose picture stays from one frame to the next where nothing can have made it another: frames that an edit of a number
// asked for, or something that is being computed, need not draw it then. What it shows its owner compares; here it is seen whether a
// hand was at it.
//
// It rests on SetNextWindowRefreshPolicy, which Dear ImGui calls experimental: it keeps the draw lists of the window and of its child
// windows, which are drawn on without being begun.
class KeptWindow {
  public:
    // In the place of ImGui::Begin; ImGui::End follows in any case. Whether its content is to be drawn: not if what it shows
    // `is_as_drawn`, and there was no input but moves of the mouse elsewhere in this frame and those before.
    bool begin(const char* name, ImGuiWindowFlags flags, bool is_as_drawn);

    // Its content is to be drawn in the next frame, too: something in it moves by itself.
    void draw_again() { n_calm_ = 0; }

  private:
    int n_calm_ = 0; // frames since what it shows became other, or since a hand was at it
};

} // namespace lab
