#include "app/views/canvas_strip_parts.h"

#include <algorithm>
#include <span>

#include "app/session/heads.h"
#include "app/session/sections.h"
#include "app/views/gradient_choice.h"
#include "app/views/head_choice.h"
#include "app/views/mask_painting.h"
#include "app/widgets/controls.h"

namespace lab {

namespace {

using namespace strip_metrics;

constexpr float kStripPadding = 16, kBetweenParts = 24, kLeastBetweenParts = 12;

StripPart fixed_part(StripItem item, float width) { return {item, width, width, {}}; }

float sum_of(std::span<const StripPart> parts, float StripPart::*width, float between) {
    float sum = between * static_cast<float>(parts.size()) - between;
    for (const StripPart& part : parts) sum += part.*width;
    return sum;
}

// All the chips where there is room for them beside the others, else a list of them.
StripPart heads_part(const ViewContext& context) {
    constexpr float kList = 104, kLeastList = 72;
    const float label = head_label_width(context), chips = head_chips_width(context);
    return {StripItem::heads,
            label + std::min(chips, kLeastList + 2 * kArrow),
            label + std::min(chips, kList + 2 * kArrow),
            {}};
}

StripPart grid_part(const ViewContext& context) {
    constexpr float kTensor = 156, kLeastTensor = 96;
    const float chip = chip_width(context.theme, kAllHeads, 200);
    if (!context.ui.head_grid.is_open) return fixed_part(StripItem::grid, chip);
    return {StripItem::grid, chip + kTensorGap + kLeastTensor, chip + kTensorGap + kTensor, {}};
}

std::vector<StripPart> measured_parts(const ViewContext& context, float width) {
    constexpr float kSections = 228, kLeastSections = 136, kOfStrip = 0.4f, kLeastTarget = 110;
    std::vector<StripPart> parts;
    if (has_section_choice(context)) {
        const float most = std::max(kLeastSections, std::min(kSections, kOfStrip * width));
        parts.push_back({StripItem::sections, kLeastSections, most, {}});
    }
    if (has_gradient_choice(context)) {
        const float most = gradient_choice_width(context);
        parts.push_back({StripItem::gradient, most - kGradientTarget + kLeastTarget, most, {}});
    }
    if (has_mask_painting(context))
        parts.push_back(fixed_part(StripItem::mask, chip_width(context.theme, kPaintMask, 200)));
    if (!has_head_choice(context)) return parts;
    parts.push_back(heads_part(context));
    parts.push_back(grid_part(context));
    return parts;
}

void widen_heads(std::span<StripPart> line, float room, float with_chips) {
    for (StripPart& part : line) {
        if (part.item != StripItem::heads) continue;
        const float others = sum_of(line, &StripPart::most, kBetweenParts) - part.most;
        if (others + with_chips <= room) part.least = part.most = with_chips;
    }
}

// From left to right, the grid's choice at the right end; where room is short all give way alike.
void place_line(std::span<StripPart> line, ImVec2 corner, float room) {
    const float most = sum_of(line, &StripPart::most, kBetweenParts);
    const float least = sum_of(line, &StripPart::least, kLeastBetweenParts);
    const float share = most <= room ? 0 : most <= least ? 1 : std::min(1.0f, (most - room) / (most - least));
    const float top = corner.y + (kLine - 1 - kControl) / 2;
    float left = corner.x;
    for (StripPart& part : line) {
        const float width = part.most - share * (part.most - part.least);
        if (part.item == StripItem::grid) left = std::max(left, corner.x + room - width);
        const float reach = part.item == StripItem::sections ? kArrow / 3 : 0; // its chevrons' stands beyond
        part.area = {left - reach, top, left + width - reach, top + kControl};
        left += width + kBetweenParts - share * (kBetweenParts - kLeastBetweenParts) - 2 * reach;
    }
}

} // namespace

bool has_section_choice(const ViewContext& context) { return n_sections(context.lab.program()) > 1; }

std::string head_text(int head) { return std::to_string(head + 1); }

float head_label_width(const ViewContext& context) {
    return text_width(semibold_text(context.theme, type_size::kCaption, {}), kHeadLabel) + kLabelGap;
}

float head_chips_width(const ViewContext& context) {
    const int n = n_heads(context.lab.program());
    float width = -kChipGap;
    for (int head = 0; head < n; ++head) width += chip_width(context.theme, head_text(head), kControl * 2) + kChipGap;
    return width;
}

std::vector<StripPart> strip_parts(const ViewContext& context, ImVec2 corner, float width) {
    const float room = width - 2 * kStripPadding, with_chips = head_label_width(context) + head_chips_width(context);
    std::vector<StripPart> parts = measured_parts(context, width);
    ImVec2 at{corner.x + kStripPadding, corner.y};
    for (std::size_t begin = 0; begin < parts.size();) {
        std::size_t n = 1;
        const auto line_of = [&](std::size_t n_parts) { return std::span(parts).subspan(begin, n_parts); };
        while (begin + n < parts.size() && sum_of(line_of(n + 1), &StripPart::least, kLeastBetweenParts) <= room) ++n;
        widen_heads(line_of(n), room, with_chips);
        place_line(line_of(n), at, room);
        begin += n;
        at.y += kLine;
    }
    return parts;
}

} // namespace lab
