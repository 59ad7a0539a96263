#include "app/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/views/cell_numbers.h"
#include "app/views/matrix_cells.h"
#include "app/widgets/cell_colors.h"
#include "app/widgets/color_scale.h"

namespace lab {
namespace {

constexpr double kLeastContrast = 4.5;    // WCAG 2, level AA
constexpr double kLeastOfOtherInk = 4.25; // where numbers that are written alike would have two colours
constexpr int kSteps = 256;

double linear(std::uint8_t channel) {
    const double v = channel / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(Color color) { return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b); }

double contrast(Color a, Color b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// CIE L*, another measure than the ramps are made in.
double lightness(Color color) {
    const double y = luminance(color);
    return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

std::string text_of(Color color) {
    return "#" + std::to_string(color.r) + "," + std::to_string(color.g) + "," + std::to_string(color.b);
}

class InBothPalettes : public testing::TestWithParam<bool> {
  protected:
    const Palette& palette = GetParam() ? kDarkPalette : kLightPalette;

    std::vector<Color> all_of(bool non_negative) const {
        std::vector<Color> colors;
        for (int i = 0; i <= kSteps; ++i) {
            colors.push_back(color_ramp(palette, non_negative).at(static_cast<float>(i) / kSteps));
        }
        return colors;
    }
};

TEST_P(InBothPalettes, TextCanBeReadOnWhatItStandsOn) {
    const std::pair<const char*, Color> inks[] = {{"text", palette.text},
                                                  {"dim", palette.dim},
                                                  {"faint", palette.faint},
                                                  {"accent", palette.accent},
                                                  {"error", palette.error}};
    const std::pair<const char*, Color> grounds[] = {
        {"background", palette.background}, {"panel", palette.panel}, {"raised", palette.raised}};
    for (const auto& [ink, color] : inks) {
        for (const auto& [ground, behind] : grounds) {
            EXPECT_GE(contrast(color, behind), kLeastContrast) << ink << " on " << ground;
        }
    }
    EXPECT_GE(contrast(palette.background, palette.accent), kLeastContrast) << "the chosen word of the narrow screen";
}

// As they are drawn: with few decimals the number that is read has another colour than its cell.
TEST_P(InBothPalettes, NumbersCanBeReadInEveryCell) {
    int n_of_other_ink = 0;
    for (const bool non_negative : {false, true}) {
        for (const float greatest : {0.03f, 0.3f, 1.0f, 7.0f}) {
            const ColorScale scale = color_scale(palette, non_negative, non_negative ? 0 : -greatest, greatest);
            for (int i = non_negative ? 0 : -kSteps; i <= kSteps; ++i) {
                const float value = greatest * static_cast<float>(i) / kSteps;
                const Color fill = cell_color(value, scale, palette);
                EXPECT_GE(contrast(ink_on(fill), fill), 4.58 - 0.01) << text_of(fill);
                for (const int decimals : {kWithExponent, 0, 1, 2}) {
                    const Color ink = ink_of_number(cell_number(value, decimals), fill, scale, palette);
                    const bool is_other = ink != ink_on(fill);
                    EXPECT_GE(contrast(ink, fill), is_other ? kLeastOfOtherInk : kLeastContrast) << text_of(fill);
                    n_of_other_ink += is_other ? 1 : 0;
                }
            }
        }
    }
    EXPECT_EQ(n_of_other_ink > 0, palette.is_dark) << "on light cells all are black";
    const ColorScale scale = color_scale(palette, false, -1, 1);
    for (const float value : {NAN, INFINITY, -INFINITY}) {
        const Color fill = cell_color(value, scale, palette);
        EXPECT_GE(contrast(ink_of_number(cell_number(value, 2), fill, scale, palette), fill), kLeastContrast) << value;
    }
}

// Else equal numbers would be black here and white there.
TEST(Ink, OnLightCellsIsAlwaysBlack) {
    for (const bool non_negative : {false, true}) {
        for (int i = 0; i <= kSteps; ++i) {
            const Color fill = color_ramp(kLightPalette, non_negative).at(static_cast<float>(i) / kSteps);
            EXPECT_EQ(text_of(ink_on(fill)), text_of({0, 0, 0})) << text_of(fill);
        }
    }
}

TEST_P(InBothPalettes, WhereEitherInkIsTakenEitherCanBeRead) {
    int n_either = 0;
    for (const bool non_negative : {false, true}) {
        for (const Color fill : all_of(non_negative)) {
            if (!takes_either_ink(fill)) continue;
            ++n_either;
            EXPECT_GE(contrast({0, 0, 0}, fill), kLeastOfOtherInk) << text_of(fill);
            EXPECT_GE(contrast({255, 255, 255}, fill), kLeastOfOtherInk) << text_of(fill);
        }
    }
    EXPECT_GT(n_either, 0);
}

// From the neutral end on, every step goes the same way.
void expect_monotone(const std::vector<Color>& colors, std::size_t begin, std::size_t end) {
    const double direction = lightness(colors[end]) - lightness(colors[begin]);
    EXPECT_GT(std::fabs(direction), 20) << "too little to tell values apart";
    constexpr double kRounding = 0.45; // of 8-bit channels
    for (std::size_t i = begin + 1; i <= end; ++i) {
        const double step = lightness(colors[i]) - lightness(colors[i - 1]);
        EXPECT_GE(step * std::copysign(1.0, direction), -kRounding) << i;
    }
}

TEST_P(InBothPalettes, GreaterMagnitudesContrastMoreWithZero) {
    expect_monotone(all_of(true), 0, kSteps);
    const std::vector<Color> both = all_of(false);
    expect_monotone(both, kSteps / 2, kSteps);
    expect_monotone({both.rbegin(), both.rend()}, kSteps / 2, kSteps);
}

TEST_P(InBothPalettes, RampsRunBetweenTheirOwnColors) {
    const std::vector<Color> of_signed = all_of(false), sequence = all_of(true);
    EXPECT_EQ(of_signed.front(), palette.cold);
    EXPECT_EQ(of_signed[kSteps / 2], palette.zero);
    EXPECT_EQ(of_signed.back(), palette.hot);
    EXPECT_EQ(sequence.front(), palette.sequence_low);
    EXPECT_EQ(sequence.back(), palette.sequence_high);
}

TEST_P(InBothPalettes, WhatIsNoNumberLooksLikeNoNumber) {
    const auto differs_from_all = [&](Color color) {
        for (const bool non_negative : {false, true}) {
            for (const Color fill : all_of(non_negative)) {
                const int distance =
                    std::abs(fill.r - color.r) + std::abs(fill.g - color.g) + std::abs(fill.b - color.b);
                if (distance < 6) return false;
            }
        }
        return true;
    };
    const ColorScale scale = color_scale(palette, false, -2, 1);
    for (const float value : {NAN, INFINITY, -INFINITY}) {
        EXPECT_TRUE(differs_from_all(cell_color(value, scale, palette))) << value;
    }
    EXPECT_NE(cell_color(INFINITY, scale, palette), cell_color(-INFINITY, scale, palette));
}

// A masked weight is no 0: neither where it is hatched nor where there is no room for that.
TEST_P(InBothPalettes, WhatIsForbiddenLooksForbidden) {
    constexpr double kLeastContrastOfSigns = 3; // WCAG 2
    const Color stroke = hatch_color(palette);
    EXPECT_GE(contrast(stroke, palette.background), kLeastContrastOfSigns);
    EXPECT_GE(contrast(stroke, palette.zero), kLeastContrastOfSigns * 0.8);
    EXPECT_GE(contrast(stroke, palette.sequence_low), kLeastContrastOfSigns * 0.8);
    // The tone of small cells is calmer, but neither nothing nor a small number.
    constexpr double kSeen = 1.5;
    const Color tone = masked_color(palette);
    EXPECT_LT(contrast(tone, palette.background), contrast(stroke, palette.background));
    for (const Color other : {palette.background, palette.zero, palette.sequence_low})
        EXPECT_GE(contrast(tone, other), kSeen);
}

TEST_P(InBothPalettes, ScalesTellTheTruth) {
    const ColorScale of_signed = color_scale(palette, false, -0.5f, 2);
    EXPECT_EQ(of_signed.least, -2);
    EXPECT_EQ(of_signed.greatest, 2);
    EXPECT_EQ(of_signed.at(0), palette.zero);
    EXPECT_EQ(of_signed.at(2), palette.hot);
    EXPECT_EQ(of_signed.at(-7), palette.cold); // what lies outside is clamped
    const ColorScale sequence = color_scale(palette, true, 0.25f, 0.5f);
    EXPECT_EQ(sequence.least, 0);
    EXPECT_EQ(sequence.at(0.5f), palette.sequence_high);
    EXPECT_EQ(sequence.at(0), palette.sequence_low);
    // A tensor that should not be negative but is, is shown as signed.
    EXPECT_EQ(color_scale(palette, true, -1, 0.5f).at(0), palette.zero);
}

TEST_P(InBothPalettes, WhatIsTypicalIsSeenBesideTheGreatest) {
    const ColorScale linear = color_scale(palette, true, 0, 1);
    const ColorScale brought_out = with_typical_seen(linear, 1.0 / 1024);
    EXPECT_EQ(brought_out.greatest, 64.0f / 1024);
    EXPECT_TRUE(brought_out.is_open);
    EXPECT_NEAR(brought_out.place_of(1.0f / 1024), kTypicalPlace, 1e-6);
    EXPECT_EQ(brought_out.at(0), palette.sequence_low);
    EXPECT_EQ(brought_out.at(1), palette.sequence_high);
    EXPECT_NE(brought_out.at(1.0f / 1024), palette.sequence_low);
    EXPECT_EQ(linear.at(1.0f / 1024), palette.sequence_low);
    for (const float value : {0.0001f, 0.001f, 0.05f})
        EXPECT_NEAR(brought_out.value_at(brought_out.place_of(value)), value, 1e-5f);
    EXPECT_FALSE(with_typical_seen(linear, 1.0 / 64).is_open) << "nothing is beyond its end";
    EXPECT_FALSE(with_typical_seen(linear, 0.4).is_bent()) << "what is seen anyway";
    EXPECT_FALSE(with_typical_seen(linear, 0).is_bent()) << "of nothing typical nothing is known";
    EXPECT_FALSE(with_typical_seen(color_scale(palette, true, 0, 0), 0.001).is_bent());
}

TEST_P(InBothPalettes, WhatIsTypicalOfSignedValuesIsSeenOnBothSidesOfZero) {
    const ColorScale linear = color_scale(palette, false, -0.5f, 1);
    const ColorScale brought_out = with_typical_seen(linear, 0.02);
    EXPECT_NEAR(brought_out.place_of(0.02f), 0.5 + kTypicalPlace / 2, 1e-6);
    EXPECT_NEAR(brought_out.place_of(-0.02f), 0.5 - kTypicalPlace / 2, 1e-6);
    EXPECT_EQ(brought_out.at(0), palette.zero);
    EXPECT_EQ(brought_out.at(1), palette.hot);
    EXPECT_EQ(brought_out.at(-1), palette.cold);
    for (const float value : {-0.7f, -0.02f, 0.0f, 0.001f, 0.9f})
        EXPECT_NEAR(brought_out.value_at(brought_out.place_of(value)), value, 1e-5f);
    EXPECT_FALSE(brought_out.is_open);
    const ColorScale cut = with_typical_seen(linear, 0.001);
    EXPECT_TRUE(cut.is_open);
    EXPECT_EQ(cut.greatest, 0.064f);
    EXPECT_EQ(cut.least, -0.064f);
    EXPECT_EQ(cut.at(-1), palette.cold);
    EXPECT_NEAR(cut.place_of(0.001f), 0.5 + kTypicalPlace / 2, 1e-6);
    EXPECT_FALSE(with_typical_seen(linear, 0.4).is_bent());
}

// The greatest of many are all above 0: they are told apart, and their colours still say on which side they stand.
TEST_P(InBothPalettes, NumbersOnOneSideOfZeroHaveThatSidesColors) {
    const ColorScale above = with_one_side(color_scale(palette, false, 4, 12), 4, 12, 0);
    EXPECT_EQ(above.at(4), palette.zero);
    EXPECT_EQ(above.at(12), palette.hot);
    EXPECT_FLOAT_EQ(above.place_of(8), 0.75f);
    EXPECT_FLOAT_EQ(above.value_at(0.75f), 8);
    EXPECT_FALSE(above.has_two_sides());
    const ColorScale below = with_one_side(color_scale(palette, false, -12, -4), -12, -4, 0);
    EXPECT_EQ(below.at(-4), palette.zero);
    EXPECT_EQ(below.at(-12), palette.cold);
    const ColorScale both = with_one_side(color_scale(palette, false, -4, 12), -4, 12, 0);
    EXPECT_EQ(both.at(0), palette.zero);
    EXPECT_EQ(both.least, -12);
    EXPECT_TRUE(both.has_two_sides());
    const ColorScale beside_far = with_one_side(color_scale(palette, false, 4, 104), 4, 104, 9);
    EXPECT_NEAR(beside_far.place_of(9), 0.5 + kTypicalPlace / 2, 1e-5);
    EXPECT_NEAR(beside_far.value_at(beside_far.place_of(9)), 9, 1e-3);
    EXPECT_EQ(with_one_side(color_scale(palette, false, 4, 4), 4, 4, 0).least, -4) << "one number alone";
}

// Means of weights that hardly differ: from 0 on they would be one colour.
TEST_P(InBothPalettes, NumbersFromZeroOnThatAreNearToEachOtherAreToldApart) {
    const ColorScale from_0 = color_scale(palette, true, 6, 10), near = with_near_told_apart(from_0, 6, 10);
    EXPECT_EQ(near.at(6), palette.sequence_low);
    EXPECT_EQ(near.at(10), palette.sequence_high);
    EXPECT_FLOAT_EQ(near.place_of(8), 0.5f);
    EXPECT_FLOAT_EQ(near.value_at(0.5f), 8);
    EXPECT_EQ(with_near_told_apart(from_0, 5, 10).least, 0) << "half of the greatest is not near";
    EXPECT_EQ(with_near_told_apart(from_0, 10, 10).least, 0) << "one number alone";
    EXPECT_EQ(with_near_told_apart(color_scale(palette, false, 6, 10), 6, 10).least, -10) << "of both signs";
}

TEST_P(InBothPalettes, ScalesOfOneValueOrOfNone) {
    for (const bool non_negative : {false, true}) {
        const ColorScale of_zeros = color_scale(palette, non_negative, 0, 0);
        EXPECT_EQ(of_zeros.at(0), non_negative ? palette.sequence_low : palette.zero);
    }
    EXPECT_EQ(color_scale(palette, false, -3, -3).at(-3), palette.cold);
    const float most = std::numeric_limits<float>::max();
    const ColorScale widest = color_scale(palette, false, -most, most);
    EXPECT_EQ(widest.at(most), palette.hot);
    EXPECT_EQ(widest.at(0), palette.zero);
}

INSTANTIATE_TEST_SUITE_P(Theme, InBothPalettes, testing::Bool(),
                         [](const auto& which) { return which.param ? "Dark" : "Light"; });

} // namespace
} // namespace lab
