#pragma once

#include <vector>

#include "engine/series.h"

namespace lab {

// The same cells as boxes that are to be framed: lines that overlap, or follow one another along an axis, are one, and none lies within
// another. By tensor and place.
std::vector<BlockRef> joined_lines(std::vector<BlockRef> lines);

} // namespace lab
