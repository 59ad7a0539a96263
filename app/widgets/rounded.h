#pragma once

#include "app/widgets/geometry.h"

namespace lab {

// As ImDrawList::AddRectFilled with a rounding, which it leaves large corners to: small ones cost a fourth, since there are dozens in a
// frame, and have edges as sharp as the screen is.
void fill_rounded(ImDrawList& draw_list, const Rect& area, ImU32 color, float radius);

} // namespace lab
