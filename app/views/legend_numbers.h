#pragma once

#include <string>

#include "app/widgets/color_scale.h"

namespace lab {

enum class Figures { three, two };

// The numbers of a colour scale, as its legend writes them, all in one form: up to three figures and four decimals, or fewer where
// there is little room; of very large and very small ones two figures and the exponent. Ends that are near to each other have as many
// as tell numbers between them apart.
struct LegendNumbers {
    std::string least, middle, greatest; // no middle: empty

    LegendNumbers(const ColorScale& colors, Figures figures);
    int n_bars() const { return middle.empty() ? 1 : 2; }
};

// Of a bent scale on both sides of 0, where what the middle number says is marked.
bool has_ticks(const ColorScale& colors);

// What colours mean that do not simply run from 0, or from one end to its opposite. Else empty.
std::string legend_sentence(const ColorScale& colors);

} // namespace lab
