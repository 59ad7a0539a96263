#pragma once

#include "app/views/legend_numbers.h"
#include "app/views/matrix_cells.h"
#include "app/widgets/text.h"

namespace lab {

// A legend's bar of colours with its numbers, beside it or below it.

// Below the cells, at their left end. Shorter below narrow cells, but never so short that its numbers touch; a compact one has them
// beside the bar.
Rect legend_area(const Rect& cells, float text_scale, bool is_compact);

TextStyle legend_style(const MatrixFrame& frame, Align align);
float legend_baseline(const MatrixFrame& frame, const Rect& area); // of numbers below the bar

// Lines between matrices pass behind a legend.
void draw_legend_backing(const MatrixFrame& frame, ImDrawList& draw_list, const Rect& around);

// Numbers and bars on one line.
struct LegendLine {
    LegendNumbers numbers;
    float of_text = 0;     // its width
    float least_width = 0; // with bars that are just long enough
};

// As much as there is room for: with fewer figures, then without the number in the middle, of which the tip tells. Its least width is
// more than the room where that is too narrow even so.
LegendLine legend_line_within(const MatrixFrame& frame, const ColorScale& colors, float room);

// The numbers beside the bar, the one in the middle between its halves; returns where they end.
float draw_legend_line(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors, const Rect& area,
                       const LegendLine& line);

// The numbers below it.
float draw_legend_on_two_lines(const MatrixFrame& frame, ImDrawList& draw_list, const ColorScale& colors,
                               const Rect& area);

} // namespace lab
