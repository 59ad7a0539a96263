#pragma once

#include <string>

#include "app/fonts.h"
#include "app/platform.h"
#include "app/session/lab.h"

namespace lab {

// Two fingers moving together, between one frame and the next, in points.
struct PinchGesture {
    float center_x = 0, center_y = 0; // between the fingers
    float dx = 0, dy = 0;             // how far that centre moved
    float scale = 1;                  // above 1: the fingers moved apart
};

// The application without a window: draws itself with Dear ImGui, whose context must exist first.
// The order within a frame: refresh_trace, draw, (rendering), apply_commands.
class App {
  public:
    explicit App(Platform& platform);

    Lab& lab() { return lab_; } // for the page's JavaScript; call refresh_trace after a change

    void refresh_trace(); // brings everything that follows from the document up to date
    void draw();
    bool apply_commands();    // true if there were any, so that the next frame is drawn at once
    bool wants_frame() const; // while something moves by itself

    void open_bytes(const std::string& name, const std::string& bytes);
    void show_error(const std::string& sentence);
    void pinch(const PinchGesture& gesture);

  private:
    [[maybe_unused]] Platform& platform_;
    Lab lab_;
    Fonts fonts_;
    std::string message_;
};

} // namespace lab
