#include "app/views/camera.h"

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

constexpr float kMarginX = 16, kMarginY = 10; // around what is fitted, in points

float zoom_of_fit(const Camera& camera, const Rect& bounds) {
    return std::max(fitting_zoom(bounds.size(), camera.area.size()), camera.least_fitted_zoom);
}

} // namespace

float wheel_zoom(float notches) {
    constexpr float kPerNotch = 1.1275f;
    return std::pow(kPerNotch, notches);
}

float Camera::text_scale() const { return std::min(zoom, 1.3f); }

ImVec2 Camera::to_screen(ImVec2 world) const {
    return {area.left + (world.x - origin.x) * zoom, area.top + (world.y - origin.y) * zoom};
}

Rect Camera::to_screen(const Rect& world) const {
    const ImVec2 min = to_screen(world.min()), max = to_screen(world.max());
    return {min.x, min.y, max.x, max.y};
}

ImVec2 Camera::to_world(ImVec2 point) const {
    return {origin.x + (point.x - area.left) / zoom, origin.y + (point.y - area.top) / zoom};
}

void zoom_about(Camera& camera, ImVec2 point, float factor) {
    const ImVec2 still = camera.to_world(point);
    const float least = std::min(camera.least_zoom, camera.zoom);
    camera.zoom = std::clamp(camera.zoom * factor, least, std::max(camera.greatest_zoom, camera.zoom));
    camera.origin.x = still.x - (point.x - camera.area.left) / camera.zoom;
    camera.origin.y = still.y - (point.y - camera.area.top) / camera.zoom;
    camera.is_fitted = false;
}

void pan(Camera& camera, ImVec2 by) {
    camera.origin.x -= by.x / camera.zoom;
    camera.origin.y -= by.y / camera.zoom;
    camera.is_fitted = false;
}

void fit(Camera& camera, const Rect& bounds) {
    camera.zoom = zoom_of_fit(camera, bounds);
    const ImVec2 middle = bounds.center();
    const float most = greatest_scroll(camera, bounds);
    camera.scrolled = std::clamp(camera.scrolled, 0.0f, most);
    const float top = most > 0 ? bounds.top * camera.zoom - kMarginY + camera.scrolled
                               : middle.y * camera.zoom - camera.area.height() / 2;
    // Whole points keep text and cells crisp.
    camera.origin = {std::round(middle.x * camera.zoom - camera.area.width() / 2) / camera.zoom,
                     std::round(top) / camera.zoom};
    camera.is_fitted = true;
}

float greatest_scroll(const Camera& camera, const Rect& bounds) {
    constexpr float kRounding = 1;
    const float beyond = bounds.height() * zoom_of_fit(camera, bounds) - fitted_area(camera.area.size()).y;
    return beyond < kRounding ? 0 : beyond;
}

void reveal(Camera& camera, const Rect& bounds, const Rect& box) {
    const float zoom = zoom_of_fit(camera, bounds), room = fitted_area(camera.area.size()).y;
    const float top = (box.top - bounds.top) * zoom, bottom = (box.bottom - bounds.top) * zoom;
    if (bottom > camera.scrolled + room) camera.scrolled = bottom - room;
    if (top < camera.scrolled) camera.scrolled = top;
}

ImVec2 fitted_area(ImVec2 area_size) {
    return {std::max(1.0f, area_size.x - 2 * kMarginX), std::max(1.0f, area_size.y - 2 * kMarginY)};
}

float fitting_zoom(ImVec2 world_size, ImVec2 area_size) {
    const ImVec2 room = fitted_area(area_size);
    const float zoom = std::min(room.x / std::max(1.0f, world_size.x), room.y / std::max(1.0f, world_size.y));
    return std::min(zoom, kGreatestFittedZoom);
}

} // namespace lab
