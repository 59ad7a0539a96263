#include "app/widgets/rounded.h"

#include <algorithm>
#include <array>

#include "app/widgets/pixels.h"

namespace lab {

namespace {

// Around the upper left corner's middle, clockwise: as many points as leave no line a third of a pixel away from the arc.
constexpr float kHalf = 0.5f, kOfThirty = 0.8660254f, kOfFortyFive = 0.70710678f;
constexpr std::array<ImVec2, 3> kThreePoints = {{{-1, 0}, {-kOfFortyFive, -kOfFortyFive}, {0, -1}}};
constexpr std::array<ImVec2, 4> kFourPoints = {{{-1, 0}, {-kOfThirty, -kHalf}, {-kHalf, -kOfThirty}, {0, -1}}};
constexpr float kMostOfThree = 4, kMostOfFour = 8; // radii, in pixels

// A point inside and one outside for each of the edge, between which the color fades: triangles of the inside, then of the edge.
template <std::size_t kPerCorner> constexpr auto triangles() {
    constexpr int kPoints = 4 * kPerCorner;
    std::array<ImDrawIdx, 3 * (kPoints - 2) + 6 * kPoints> indices{};
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

template <std::size_t kPerCorner>
void fill(ImDrawList& draw_list, const Rect& area, ImU32 color, float r, const std::array<ImVec2, kPerCorner>& corner) {
    static constexpr auto kTriangles = triangles<kPerCorner>();
    draw_list.PrimReserve(static_cast<int>(kTriangles.size()), 8 * static_cast<int>(kPerCorner));
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
    for (ImVec2 way : corner) add({left, top}, way);
    for (ImVec2 way : corner) add({right, top}, {-way.y, way.x});
    for (ImVec2 way : corner) add({right, bottom}, {-way.x, -way.y});
    for (ImVec2 way : corner) add({left, bottom}, {way.y, -way.x});
}

} // namespace

void fill_rounded(ImDrawList& draw_list, const Rect& area, ImU32 color, float radius) {
    const float r = std::min(radius, std::min(area.width(), area.height()) / 2 - 1);
    const float r_px = r * pixels_per_point();
    if (r < 0.5f || r_px > kMostOfFour || (color & IM_COL32_A_MASK) == 0)
        draw_list.AddRectFilled(area.min(), area.max(), color, radius);
    else if (r_px <= kMostOfThree)
        fill(draw_list, area, color, r, kThreePoints);
    else
        fill(draw_list, area, color, r, kFourPoints);
}

} // namespace lab
