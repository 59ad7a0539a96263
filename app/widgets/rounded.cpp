#include "app/widgets/rounded.h"

#include <algorithm>
#include <array>

#include "app/widgets/pixels.h"

namespace lab {

namespace {

constexpr int kPerCorner = 4, kPoints = 4 * kPerCorner;
constexpr float kNear = 0.8660254f, kFar = 0.5f; // of 30 and 60 degrees

// Around the upper left corner's middle, clockwise.
constexpr ImVec2 kQuarter[kPerCorner] = {{-1, 0}, {-kNear, -kFar}, {-kFar, -kNear}, {0, -1}};

// A point inside and one outside for each of the edge, between which the color fades: triangles of the inside, then of the edge.
constexpr int kIndices = 3 * (kPoints - 2) + 6 * kPoints;
constexpr std::array<ImDrawIdx, kIndices> triangles() {
    std::array<ImDrawIdx, kIndices> indices{};
    std::size_t n = 0;
    const auto add = [&](int a, int b, int c) {
        for (int point : {a, b, c}) indices[n++] = static_cast<ImDrawIdx>(point);
    };
    for (int i = 2; i < kPoints; ++i) add(0, 2 * (i - 1), 2 * i);
    for (int i = 0; i < kPoints; ++i) {
        const int inside = 2 * i, next = 2 * ((i + 1) % kPoints);
        add(next, inside, inside + 1);
        add(inside + 1, next + 1, next);
    }
    return indices;
}

} // namespace

void fill_rounded(ImDrawList& draw_list, const Rect& area, ImU32 color, float radius) {
    constexpr float kMost = 8; // a line between two of its points is a fourth of a point away from the arc
    const float r = std::min(radius, std::min(area.width(), area.height()) / 2 - 1);
    if (r < 0.5f || r > kMost || (color & IM_COL32_A_MASK) == 0) {
        draw_list.AddRectFilled(area.min(), area.max(), color, radius);
        return;
    }
    static constexpr std::array<ImDrawIdx, kIndices> kTriangles = triangles();
    draw_list.PrimReserve(kIndices, 2 * kPoints);
    const unsigned first = draw_list._VtxCurrentIdx;
    for (ImDrawIdx index : kTriangles) draw_list.PrimWriteIdx(static_cast<ImDrawIdx>(first + index));
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    const ImU32 nothing = color & ~IM_COL32_A_MASK;
    const float fade = 0.5f / pixels_per_point(); // to either side
    const float inside = r - fade, outside = r + fade;
    const auto add = [&](ImVec2 middle, ImVec2 way) {
        draw_list.PrimWriteVtx({middle.x + inside * way.x, middle.y + inside * way.y}, white, color);
        draw_list.PrimWriteVtx({middle.x + outside * way.x, middle.y + outside * way.y}, white, nothing);
    };
    const float left = area.left + r, top = area.top + r, right = area.right - r, bottom = area.bottom - r;
    for (ImVec2 way : kQuarter) add({left, top}, way);
    for (ImVec2 way : kQuarter) add({right, top}, {-way.y, way.x});
    for (ImVec2 way : kQuarter) add({right, bottom}, {-way.x, -way.y});
    for (ImVec2 way : kQuarter) add({left, bottom}, {way.y, -way.x});
}

} // namespace lab
