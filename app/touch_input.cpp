#include "app/touch_input.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include <imgui.h>

namespace lab {

void TouchInput::handle(const SDL_TouchFingerEvent& event, float width_pt, float height_pt) {
    constexpr float kBetweenTaps = 24;
    float& between_clicks = ImGui::GetIO().MouseDoubleClickMaxDist;
    if (between_clicks != kBetweenTaps) between_clicks_ = std::exchange(between_clicks, kBetweenTaps);
    const Finger finger{event.fingerId, event.x * width_pt, event.y * height_pt};
    ImGui::GetIO().AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
    if (event.type == SDL_FINGERDOWN) press(finger);
    if (event.type == SDL_FINGERMOTION) move(finger);
    if (event.type == SDL_FINGERUP) lift(finger.id);
}

void TouchInput::note_mouse() {
    if (between_clicks_ > 0) ImGui::GetIO().MouseDoubleClickMaxDist = between_clicks_;
}

std::optional<PinchGesture> TouchInput::take_pinch() {
    std::optional<PinchGesture> taken = pinch_;
    pinch_.reset();
    return taken;
}

void TouchInput::press(const Finger& finger) {
    std::erase_if(fingers_, [&](const Finger& other) { return other.id == finger.id; });
    fingers_.push_back(finger);
    ImGuiIO& io = ImGui::GetIO();
    if (fingers_.size() == 1) {
        mouse_is_finger_ = true;
        io.AddMousePosEvent(finger.x_pt, finger.y_pt);
        io.AddMouseButtonEvent(0, true);
    } else if (mouse_is_finger_) {
        // The first finger turns out to be half of a pinch: let go where nothing is, so that it is no click.
        mouse_is_finger_ = false;
        io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
        io.AddMouseButtonEvent(0, false);
    }
}

void TouchInput::move(const Finger& finger) {
    const auto moved =
        std::find_if(fingers_.begin(), fingers_.end(), [&](const Finger& other) { return other.id == finger.id; });
    if (moved == fingers_.end()) return;
    if (mouse_is_finger_) ImGui::GetIO().AddMousePosEvent(finger.x_pt, finger.y_pt);
    if (fingers_.size() == 2) {
        const Finger& still = fingers_[moved == fingers_.begin() ? 1 : 0];
        const float before = std::hypot(moved->x_pt - still.x_pt, moved->y_pt - still.y_pt);
        const float after = std::hypot(finger.x_pt - still.x_pt, finger.y_pt - still.y_pt);
        PinchGesture pinch = pinch_.value_or(PinchGesture{});
        pinch.center_x = (finger.x_pt + still.x_pt) / 2;
        pinch.center_y = (finger.y_pt + still.y_pt) / 2;
        pinch.dx += (finger.x_pt - moved->x_pt) / 2;
        pinch.dy += (finger.y_pt - moved->y_pt) / 2;
        if (before > 1 && after > 1) pinch.scale *= after / before;
        pinch_ = pinch;
    }
    *moved = finger;
}

void TouchInput::lift(SDL_FingerID id) {
    std::erase_if(fingers_, [&](const Finger& other) { return other.id == id; });
    if (!mouse_is_finger_ || !fingers_.empty()) return;
    mouse_is_finger_ = false;
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseButtonEvent(0, false);
    // Where a drag ended nothing is pointed at. After a tap what was tapped is.
    if (io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold)
        io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

} // namespace lab
