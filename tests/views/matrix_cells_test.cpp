#include "app/views/matrix_cells.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/theme.h"
#include "app/views/matrix_masked.h"
#include "app/widgets/cell_colors.h"
#include "tests/views/canvas_support.h"

namespace lab {
namespace {

using test::Canvas;

// The scale on whose colours black and white change places at a negative number.
ColorScale scale_with_change_at(float number) {
    float greatest = 0;
    for (int i = 1; i <= 1000; ++i) {
        const ColorScale scale = color_scale(kDarkPalette, false, -1, 1);
        const float part = static_cast<float>(i) / 1000;
        if (greatest == 0 && ink_on(scale.at(-part)) == Color{0, 0, 0}) greatest = -number / part;
    }
    return color_scale(kDarkPalette, false, -greatest, greatest);
}

// "−3e−4", where "−2.9e−4" and "−3.2e−4" have no room: the number that is read decides, not one that is not there.
TEST(NumbersInCells, WrittenAlikeForWantOfRoomHaveOneColor) {
    constexpr float kChange = -3.05e-4f;
    const ColorScale scale = scale_with_change_at(kChange);
    Canvas canvas;
    Document document = test::document_of({.n_tokens = 4, .d_in = 3});
    std::vector<float> cells(12, -scale.greatest);
    for (std::size_t i = 0; i + 3 < cells.size(); ++i) cells[i] = -2.9e-4f - 0.03e-4f * static_cast<float>(i);
    document.tensors["inputs"] = Tensor(Shape::matrix(4, 3), cells);
    canvas.open(document);
    const Color ink = ink_on(scale.at(-3e-4f));
    int n_other = 0; // by their own colours
    for (int i = 0; i < 9; ++i) {
        const float value = cells[static_cast<std::size_t>(i)];
        ASSERT_TRUE(takes_either_ink(scale.at(value))) << value;
        n_other += ink_on(scale.at(value)) == ink ? 0 : 1;
        const ImVec2 middle = canvas.middle_of({"inputs", {0, i / 3, i % 3}});
        const ImVec2 pitch = canvas.placed("inputs").pitch;
        const float width = pitch.x * canvas.views.ui.camera.zoom / 2;
        int n_letters = 0;
        for (const test::Letter& letter : test::letters("")) {
            if (!Rect{middle.x - width, middle.y - 10, middle.x + width, middle.y + 10}.contains(letter.box.center()))
                continue;
            ++n_letters;
            EXPECT_EQ(letter.color, ink.u32()) << value;
        }
        EXPECT_EQ(n_letters, 5) << value;
    }
    EXPECT_GT(n_other, 0);
}

// 1e30 beside longer ones: some digits of a number say more than a sign for it.
TEST(NumbersInCells, LargeOnesAreWrittenShortWhereTheyHaveNoRoom) {
    Canvas canvas;
    Document document = test::document_of({.n_tokens = 3, .d_in = 8});
    std::vector<float> cells(24, 0.5f);
    cells[0] = 1e30f;
    cells[9] = -2.5e36f;
    document.tensors["inputs"] = Tensor(Shape::matrix(3, 8), cells);
    canvas.open(document);
    Camera& camera = canvas.views.ui.camera;
    const auto letters_of = [&](int row, int col) {
        const ImVec2 middle = canvas.middle_of({"inputs", {0, row, col}});
        const PlacedNode& placed = canvas.placed("inputs");
        const ImVec2 half{placed.pitch.x * camera.zoom / 2, placed.pitch.y * camera.zoom / 2};
        const Rect cell{middle.x - half.x, middle.y - half.y, middle.x + half.x, middle.y + half.y};
        return test::n_letters("", cell);
    };
    EXPECT_GE(letters_of(0, 0), 4) << "1e30";
    EXPECT_GE(letters_of(1, 1), 5) << "−3e36";
    EXPECT_EQ(letters_of(2, 2), 4) << "0.50";
}

// In cells of a dozen points the strokes of one do not go on in the next: they were checks.
TEST(MaskedCells, WithoutRoomForHatchingAreOfOneTone) {
    Canvas canvas;
    const auto n_corners = [&](int n, Color color) {
        canvas.open(test::document_of({.n_tokens = n, .mask = MaskKind::causal}));
        canvas.views.frame(2);
        return test::n_vertices({0, 0, 812, 724}, color.u32());
    };
    EXPECT_GT(n_corners(6, hatch_color(kDarkPalette)), 0);
    EXPECT_EQ(n_corners(6, masked_color(kDarkPalette)), 0);
    constexpr int kMany = 16;
    EXPECT_EQ(n_corners(kMany, hatch_color(kDarkPalette)), 0);
    EXPECT_GE(n_corners(kMany, masked_color(kDarkPalette)), 4 * kMany * (kMany - 1) / 2);
}

TEST(MaskedCells, AreHatchedFromSixteenPointsOn) {
    const auto has_room = [](float width, float height) { return has_room_for_hatching(ImVec2{width, height}); };
    EXPECT_TRUE(has_room(16, 16));
    EXPECT_FALSE(has_room(15.9f, 15.9f));
    EXPECT_FALSE(has_room(15.9f, 40)) << "the shorter side decides";
    EXPECT_FALSE(has_room(40, 15.9f));

    constexpr float kOfPitch = 0.92f; // the rest is between cells
    Canvas canvas;
    canvas.open(test::document_of({.n_tokens = 8, .mask = MaskKind::causal}));
    const auto n_corners_at = [&](float points, Color color) {
        Camera& camera = canvas.views.ui.camera;
        const PlacedNode weights = canvas.placed("attention_weights"); // a copy: frames place anew
        camera.is_fitted = false;
        camera.zoom = points / (kOfPitch * std::min(weights.pitch.x, weights.pitch.y));
        const float margin = 200 / camera.zoom; // for names
        camera.origin = {weights.cells.left - margin, weights.cells.top - margin};
        canvas.views.frame(2);
        return test::n_vertices(camera.to_screen(weights.cells), color.u32());
    };
    EXPECT_EQ(n_corners_at(16.1f, masked_color(kDarkPalette)), 0);
    EXPECT_GT(n_corners_at(16.1f, hatch_color(kDarkPalette)), 0);
    EXPECT_EQ(n_corners_at(15.9f, hatch_color(kDarkPalette)), 0);
    EXPECT_GT(n_corners_at(15.9f, masked_color(kDarkPalette)), 0);
}

} // namespace
} // namespace lab
