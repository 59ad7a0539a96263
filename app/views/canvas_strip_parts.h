#pragma once

#include <string>
#include <vector>

#include "app/views/view.h"

namespace lab {

// How the strip above the canvas shares its room. What has no room beside the others even where all are as narrow as
// can be read goes to a line of its own: no control stands on another.

enum class StripItem { sections, gradient, mask, heads, grid };

struct StripPart {
    StripItem item = StripItem::sections;
    float least = 0, most = 0; // in width
    Rect area;
};

namespace strip_metrics {
constexpr float kLine = 40, kControl = 24;
constexpr float kArrow = 24; // a chevron and its reach
constexpr float kChipGap = 4, kLabelGap = 10, kTensorGap = 8;
constexpr const char* kHeadLabel = "HEAD";
constexpr const char* kAllHeads = "All heads";
constexpr const char* kPaintMask = "Paint mask";
} // namespace strip_metrics

bool has_section_choice(const ViewContext& context);
std::string head_text(int head); // of its chip
float head_label_width(const ViewContext& context);
float head_chips_width(const ViewContext& context);

// What there is a choice of, within a strip that begins at this corner and is as wide, from line to line.
std::vector<StripPart> strip_parts(const ViewContext& context, ImVec2 corner, float width);

} // namespace lab
