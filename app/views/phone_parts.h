#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/views/view.h"

namespace lab {

// The explanation from below (or, lying, at the right): meaning, number, formula, what it is made from, what it feeds.
// cell: absent when nothing is chosen. Everything stands within `area`; a strip that is too long scrolls by drag.
void draw_phone_sheet(ViewContext& context, const Rect& area, const std::optional<TensorCell>& cell);

// How tall the sheet must be for this cell at this width.
float phone_sheet_height(ViewContext& context, float width, const std::optional<TensorCell>& cell);

// Whether a drag goes on that began in the current window; and scrolls the window by it, as a finger does.
bool is_dragged_here();
void scroll_by_drag();

// A rounded button with a word, as wide whether it is chosen or not; returns its right end. Chosen ones are set in the accent.
struct Pill {
    bool clicked = false;
    float right = 0;
};
Pill draw_pill(ViewContext& context, ImVec2 corner, std::string_view text, std::string_view id, bool is_chosen = false);

float pill_width(const Theme& theme, std::string_view text);

// A strip of pills that scrolls sideways; begin returns where the first one stands, end is told where the last one ends.
constexpr float kPillGap = 5, kBeforePills = 16;
ImVec2 begin_pills(const char* id, const Rect& area);
void end_pills(const ViewContext& context, const Rect& area, float right);

// The tokens, of which one is the chosen query; the heads, and all of them side by side.
void draw_token_chips(ViewContext& context, const Rect& area);
void draw_head_pills(ViewContext& context, const Rect& area);

// Signs at the ends of the current window, a strip that scrolls sideways, where there is more than the padding, which is as wide
// before what it holds as behind. Places on the screen.
// area: of the strip. whole_until: what ends there does not lie beneath the sign if all of it is to be seen
constexpr float kScrollSign = 44; // width
struct ScrollSigns {
    std::optional<Rect> before, after;
};
ScrollSigns scroll_signs(const Rect& area, float padding, float whole_until = 0);

// A tap on one of them shows more of the strip. To be called before what lies beneath is made, so that it is not pressed.
void scroll_by_signs(const Rect& area, const ScrollSigns& signs);

// The strip fades out beneath a chevron. To be called after all else.
void draw_scroll_signs(const Theme& theme, const ScrollSigns& signs, Color background);

// "Self-attention with trainable weights" → "Trainable weights", for where the whole does not fit. A name of code stays as it is, "nn.Linear
// projections", and what begins with its subject: "Rotary positions: queries and keys turn with their place".
std::string short_title(const std::string& title);

} // namespace lab
