#pragma once

#include <imgui.h>

namespace lab {

// A window whose picture stays from one frame to the next where nothing can have made it another: frames that an edit of a number
// asked for, or something that is being computed, need not draw it then. What it shows its owner compares; here it is seen whether a
// hand was at it.
class KeptWindow {
  public:
    // Before ImGui::Begin of that window. If what it shows `is_as_drawn`, and there was no input but moves of the mouse elsewhere in
    // this frame and those before, Dear ImGui keeps its picture: then is_kept() is true until ImGui::End, and nothing is to be drawn.
    void begin(const char* name, bool is_as_drawn);
    static bool is_kept();

    // At the end of a drawn one; `wants_frame`: it is to be drawn again, since it has something that moves by itself.
    void note_drawn(bool wants_frame) { n_calm_ = wants_frame ? 0 : n_calm_; }

  private:
    int n_calm_ = 0; // frames since what it shows became other, or since a hand was at it
};

} // namespace lab
