#pragma once

#include <string_view>
#include <vector>

#include "app/views/explanation.h"
#include "app/views/view.h"
#include "app/widgets/controls.h"

// The pieces that the inspector and the phone's sheet are put together from.
namespace lab {

// A column of Dear ImGui's current window that is filled from the top down.
struct Column {
    ViewContext& context;
    ImDrawList& draw_list;
    float left = 0, right = 0; // in points of the window
    float y = 0;               // where the next piece begins

    float width() const { return right - left; }
    const Palette& palette() const { return context.theme.palette; }
};

// The explanation of a cell, made again only where document, cell or what the selection shows is another than in the frame before.
const Explanation& explanation_of(ViewContext& context, const TensorCell& cell);

// Whether what is shown goes as far as the cell's stage: what is not computed yet is not explained.
bool is_reached(const ViewContext& context, const TensorCell& cell);

// The mouse button went up after a drag, which scrolls and clicks nothing.
bool ends_drag();

// Whether the current window tells of another cell than in the frame before: time to scroll to where it begins.
bool tells_of_another_cell(const Explanation& told);

// A place that can be clicked; lit while the pointer is on it. id: unique within the window.
struct Link {
    bool hovered = false;
    bool clicked = false;
};
Link link(ViewContext& context, const Rect& area, std::string_view id);

// Lights the cell while the link is hovered, steps to it when it is clicked.
void lead_to(ViewContext& context, const Link& link, const TensorCell& cell);

// A sentence whose labels are set in the accent, broken into lines; a label wider than the column is cut with "…".
void draw_meaning(Column& column, const std::vector<TextPart>& parts, float size);
float meaning_height(const Theme& theme, const std::vector<TextPart>& parts, float size, float width);

// Text broken at spaces only, so that a number stays whole; a word wider than the column is cut with "…".
void draw_wrapped(Column& column, const TextStyle& style, std::string_view text, float line_height);
float wrapped_height(const TextStyle& style, std::string_view text, float line_height, float width);

// The terms of an explanation, one line each; only those in sight are drawn.
void draw_terms(Column& column, const Explanation& told);

// Where the columns of a list of shares stand, in points from its left end: "starts   1.2806   ▬▬▬▬   22.0%". Numbers end at
// value_end, before them is room for labels; bars become shorter for longer labels and numbers, down to a least length.
struct ShareWidths {
    float label = 0, value = 0, part = 0; // of the widest in sight
};
struct ShareColumns {
    float value_end = 0, bar_begin = 0, bar_end = 0;
};
ShareColumns share_columns(const ShareWidths& widths, float width);

// "[1.27, 1.85, 1.81]" → "[1.27, 1.85, …]": as many numbers as fit into the width.
std::string fitting_numbers(const TextStyle& style, std::string numbers, float width);

// What the number feeds.
void draw_feeds(Column& column, const Explanation& told);

// Sentences on a raised card.
void draw_card(Column& column, const std::vector<std::string>& lines);

void draw_divider(Column& column);
// "feeds"; what is too wide is broken behind a colon, "from this row of masked scores:", "the 1,024 greatest, …".
void draw_heading(Column& column, std::string_view text);

// Where a term's bar stands within `track`; from right to left for a negative part where others are positive.
Rect bar_of(const Explanation& told, double part, const Rect& track);
Color bar_color(const Palette& palette, const Explanation& told, const ExplanationTerm& term);

} // namespace lab
