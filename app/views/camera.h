#pragma once

#include <imgui.h>

#include "app/widgets/geometry.h"

namespace lab {

// Where the canvas is looked at from: point = (world − origin) · zoom + corner of the area. A world unit is a point at
// zoom 1.
struct Camera {
    float zoom = 1;
    ImVec2 origin{0, 0};
    Rect area;             // of the window that the canvas fills, in points; empty where no canvas is drawn
    bool is_fitted = true; // follows the layout until a person pans or zooms
    float least_zoom = 0.02f, greatest_zoom = 8; // where a person's zoom ends
    float least_fitted_zoom = 0; // a fit shows no less: what is longer than the area is scrolled through
    float scrolled = 0;          // of a fit: how far down, in points

    float text_scale() const; // titles do not grow without end when zooming in
    ImVec2 to_screen(ImVec2 world) const;
    Rect to_screen(const Rect& world) const;
    ImVec2 to_world(ImVec2 point) const;
};

constexpr float kGreatestFittedZoom = 1.6f;
constexpr float kLargestCell = 120; // in points: one can zoom in so far that every number can be read

// Of so many notches of the wheel.
float wheel_zoom(float notches);

// What lies under the point stays there.
void zoom_about(Camera& camera, ImVec2 point, float factor);

// What lies under the mouse moves with it, by so many points.
void pan(Camera& camera, ImVec2 by);

// Shows all of `bounds`, in the middle of the area and with a margin, at no more than kGreatestFittedZoom. What is longer
// than the area at the least fitted zoom is shown from `scrolled` on, which ends where the bounds do.
void fit(Camera& camera, const Rect& bounds);

// How far down a fit of `bounds` can be scrolled, in points: 0 where all of it is shown.
float greatest_scroll(const Camera& camera, const Rect& bounds);

// Scrolls a fit by so little that a box of the world is shown, its beginning first.
void reveal(Camera& camera, const Rect& bounds, const Rect& box);

// What is left of an area without the margin of a fit.
ImVec2 fitted_area(ImVec2 area_size);

// The zoom of a fit: what has this size in the world, seen in an area of that size.
float fitting_zoom(ImVec2 world_size, ImVec2 area_size);

} // namespace lab
