#pragma once

#include <optional>
#include <vector>

#include <SDL.h>

#include "app/app.h"

namespace lab {

// Fingers to what the application knows: one finger is the mouse (tap = click, drag = drag), two are a pinch.
class TouchInput {
  public:
    // Feeds a finger event to Dear ImGui. `width_pt` and `height_pt`: the window's size in points.
    void handle(const SDL_TouchFingerEvent& event, float width_pt, float height_pt);

    // A button of a mouse was pressed: it hits the same point twice, which a finger does not.
    void note_mouse();

    // What two fingers did since the last call.
    std::optional<PinchGesture> take_pinch();

  private:
    struct Finger {
        SDL_FingerID id;
        float x_pt, y_pt;
    };

    void press(const Finger& finger);
    void move(const Finger& finger);
    void lift(SDL_FingerID id);

    std::vector<Finger> fingers_;
    std::optional<PinchGesture> pinch_;
    bool mouse_is_finger_ = false;
    float between_clicks_ = 0; // of a mouse's double click, in points, once there was a finger
};

} // namespace lab
