// What the window draws by itself rather than by Dear ImGui: round corners, icons, ramps of colours.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <imgui_internal.h>

#include "app/widgets/icons.h"
#include "app/widgets/rounded.h"
#include "tests/views/headless.h"

namespace lab {
namespace {

constexpr ImU32 kColor = IM_COL32(10, 20, 30, 255);

// What is drawn in a window of its own, without what the window itself draws.
template <class Draw> std::vector<ImDrawVert> drawn(Draw draw) {
    std::vector<ImDrawVert> vertices;
    HeadlessViews views([&](ViewContext& context) {
        ImDrawList& list = *ImGui::GetForegroundDrawList();
        const int n_before = list.VtxBuffer.Size;
        draw(context, list);
        vertices.assign(list.VtxBuffer.begin() + n_before, list.VtxBuffer.end());
        for (ImDrawIdx index : list.IdxBuffer) EXPECT_LT(static_cast<int>(index), list.VtxBuffer.Size);
    });
    views.frame();
    return vertices;
}

// Of the triangles between points that are not faded.
double filled_area(const ImDrawList& list, int first_index) {
    double sum = 0;
    for (int i = first_index; i + 2 < list.IdxBuffer.Size; i += 3) {
        const auto corner = [&](int k) { return list.VtxBuffer[static_cast<int>(list.IdxBuffer[i + k])]; };
        const ImVec2 a = corner(0).pos, b = corner(1).pos, c = corner(2).pos;
        const bool is_inside = corner(0).col == kColor && corner(1).col == kColor && corner(2).col == kColor;
        if (is_inside) sum += std::fabs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
    }
    return sum;
}

TEST(RoundedRectangle, CoversWhatDearImGuisDoes) {
    drawn([&](ViewContext&, ImDrawList& list) {
        for (const Rect& area : {Rect{10, 20, 90, 50}, Rect{0, 0, 11, 11}, Rect{5, 5, 6, 40}}) {
            for (float radius : {0.0f, 2.0f, 3.0f, 5.0f, 8.0f, 14.0f}) {
                const int first = list.IdxBuffer.Size;
                fill_rounded(list, area, kColor, radius);
                const int second = list.IdxBuffer.Size;
                list.AddRectFilled(area.min(), area.max(), kColor, radius);
                const double theirs = filled_area(list, second);
                const double ours = filled_area(list, first) - theirs;
                // An edge may be half a point nearer in all; nothing of a corner is left out.
                EXPECT_NEAR(ours, theirs, 0.04 * theirs + 1.5) << area.width() << ", " << radius;
            }
        }
    });
}

TEST(RoundedRectangle, StaysWithinHalfAPixelOfItsEdges) {
    const Rect area{10, 20, 90, 50};
    for (float radius : {3.0f, 6.0f}) {
        const std::vector<ImDrawVert> vertices =
            drawn([&](ViewContext&, ImDrawList& list) { fill_rounded(list, area, kColor, radius); });
        ASSERT_FALSE(vertices.empty());
        Rect around{1e9f, 1e9f, -1e9f, -1e9f};
        for (const ImDrawVert& vertex : vertices)
            around = around.joined({vertex.pos.x, vertex.pos.y, vertex.pos.x, vertex.pos.y});
        EXPECT_EQ(around, area.grown(0.5f)) << radius;
    }
    const auto invisible =
        drawn([&](ViewContext&, ImDrawList& list) { fill_rounded(list, area, kColor & ~IM_COL32_A_MASK, 3); });
    EXPECT_TRUE(invisible.empty());
}

TEST(Icons, AreGlyphsOfWhichNoTwoAreAlike) {
    std::set<std::vector<float>> places;
    drawn([&](ViewContext& context, ImDrawList&) {
        places.clear();
        ImFontBaked& baked = *context.theme.fonts.icons->GetFontBaked(kIconGrid, 2);
        for (int i = 0; i <= static_cast<int>(Icon::chevron_down); ++i) {
            ASSERT_FALSE(icon_strokes(static_cast<Icon>(i)).empty()) << i;
            const ImFontGlyph& glyph = *baked.FindGlyph(icon_character(static_cast<Icon>(i)));
            EXPECT_EQ(glyph.Codepoint, icon_character(static_cast<Icon>(i)));
            EXPECT_EQ(glyph.X1 - glyph.X0, kIconGrid + 0.5f) << "in points, with a pixel to move in";
            EXPECT_EQ(glyph.AdvanceX, kIconGrid);
            places.insert({glyph.U0, glyph.V0});
        }
    });
    EXPECT_EQ(places.size(), static_cast<std::size_t>(Icon::chevron_down) + 1);
}

// The middle of "minus" is covered, what is above it is not; half a pixel further down its stroke fills a row of pixels.
TEST(Icons, HaveTheirStrokesWhereTheyAreDrawn) {
    drawn([&](ViewContext& context, ImDrawList&) {
        ImFontBaked& baked = *context.theme.fonts.icons->GetFontBaked(kIconGrid, 1);
        const auto alpha = [&](IconPhase phase, int x, int y) {
            const ImFontGlyph& glyph = *baked.FindGlyph(icon_character(Icon::minus, phase));
            ImTextureData& atlas = *ImGui::GetIO().Fonts->TexData;
            const int left = static_cast<int>(std::lround(glyph.U0 * static_cast<float>(atlas.Width)));
            const int top = static_cast<int>(std::lround(glyph.V0 * static_cast<float>(atlas.Height)));
            const auto* texel = static_cast<const unsigned char*>(atlas.GetPixelsAt(left + x, top + y));
            return int{texel[atlas.BytesPerPixel - 1]};
        };
        EXPECT_NEAR(alpha({}, 9, 8), 191, 1) << "1.5 points in two pixels";
        EXPECT_NEAR(alpha({}, 9, 9), 191, 1);
        EXPECT_EQ(alpha({}, 9, 6), 0);
        EXPECT_EQ(alpha({}, 1, 8), 0);
        EXPECT_EQ(alpha({}, 16, 9), 0);
        EXPECT_EQ(alpha({.half_y = true}, 9, 9), 255);
        EXPECT_NEAR(alpha({.half_y = true}, 9, 8), 64, 1);
        EXPECT_EQ(alpha({.half_x = true}, 3, 9), alpha({.half_x = true}, 15, 9)) << "both ends";
    });
}

TEST(Icons, StandOnHalfPixelsAroundTheirMiddle) {
    const std::vector<ImDrawVert> vertices = drawn([&](ViewContext& context, ImDrawList& list) {
        draw_icon(context.theme, list, Icon::plus, {100.3f, 50.2f}, context.theme.palette.text, 12);
    });
    ASSERT_EQ(vertices.size(), 4u);
    EXPECT_EQ(vertices[0].pos.x, 94);
    EXPECT_EQ(vertices[0].pos.y, 44);
    EXPECT_EQ(vertices[2].pos.x, 107);
    EXPECT_EQ(vertices[2].pos.y, 57);
}

} // namespace
} // namespace lab
