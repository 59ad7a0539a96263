#pragma once

#include <imgui.h>

namespace lab {

// A rectangle in points of the window.
struct Rect {
    float left = 0, top = 0, right = 0, bottom = 0;

    bool operator==(const Rect&) const = default;

    static Rect at(ImVec2 corner, ImVec2 size) { return {corner.x, corner.y, corner.x + size.x, corner.y + size.y}; }
    float width() const { return right - left; }
    float height() const { return bottom - top; }
    ImVec2 min() const { return {left, top}; }
    ImVec2 max() const { return {right, bottom}; }
    ImVec2 size() const { return {width(), height()}; }
    ImVec2 center() const { return {(left + right) / 2, (top + bottom) / 2}; }
    bool contains(ImVec2 point) const {
        return point.x >= left && point.x < right && point.y >= top && point.y < bottom;
    }
    bool overlaps(const Rect& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    Rect intersection(const Rect& other) const {
        return {left > other.left ? left : other.left, top > other.top ? top : other.top,
                right < other.right ? right : other.right, bottom < other.bottom ? bottom : other.bottom};
    }
    Rect joined(const Rect& other) const {
        return {left < other.left ? left : other.left, top < other.top ? top : other.top,
                right > other.right ? right : other.right, bottom > other.bottom ? bottom : other.bottom};
    }
    Rect grown(float by) const { return {left - by, top - by, right + by, bottom + by}; }
};

} // namespace lab
