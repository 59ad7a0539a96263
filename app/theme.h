#pragma once

#include <cstdint>

#include <imgui.h>

#include "app/fonts.h"

namespace lab {

// A colour as 8-bit channels, mixed in sRGB as the design's pictures are.
struct Color {
    std::uint8_t r = 0, g = 0, b = 0;

    constexpr ImU32 u32(float alpha = 1.0f) const { return IM_COL32(r, g, b, static_cast<int>(alpha * 255.0f + 0.5f)); }
    bool operator==(const Color&) const = default;
};

Color mix(Color a, Color b, float t);

// Black or white, whichever contrasts more (WCAG; at worst 4.58 : 1).
Color ink_on(Color background);

// Whether the other is read there nearly as well: at 4.25 : 1 or better. From 4.5 on these would be so few colours that 0.19 is
// black here and white there wherever the greatest number is below 0.5.
bool takes_either_ink(Color background);

struct Palette;

// The strokes of what is forbidden: at least 3 : 1 on the background, as WCAG asks of signs.
Color hatch_color(const Palette& palette);

// Every colour of the interface. One accent, for what is chosen or hovered only.
struct Palette {
    Color background, panel, raised, line;
    Color text, dim, faint; // each at least 4.5 : 1 on what it stands on
    Color accent;
    Color cold, zero, hot;             // signed values
    Color sequence_low, sequence_high; // non-negative values
    Color error;
    bool is_dark = true;
};

extern const Palette kDarkPalette;
extern const Palette kLightPalette;

// Type sizes in points; nothing is smaller than kCaption.
namespace type_size {
constexpr float kName = 16;       // the product's name
constexpr float kText = 13;       // titles and running text
constexpr float kList = 12.5f;    // lists
constexpr float kControl = 11.5f; // what stands in a control
constexpr float kCell = 11;       // numbers in cells, formulas
constexpr float kCaption = 10.5f; // section labels in capitals, shapes
constexpr float kLabel = 10.5f;   // words beside rows and above columns: of seven letters one stands above a cell
constexpr float kNumber = 32;     // the one number being explained
} // namespace type_size

// Lengths in points, on a grid of 4.
namespace spacing {
constexpr float kGrid = 4;
constexpr float kPanel = 20; // padding of panels
constexpr float kTopBar = 48;
constexpr float kStatusBar = 28;
constexpr float kLeftPanel = 196;
constexpr float kInspector = 272;
constexpr float kFoldedPanel = 28; // what is left of a panel that is folded away
} // namespace spacing

// What every view draws with.
struct Theme {
    const Palette& palette;
    const Fonts& fonts;
};

// Dear ImGui's own widgets (popups, tooltips, text fields, scroll bars) in the theme's colours.
void apply_to_imgui_style(const Theme& theme);

} // namespace lab
