#pragma once

#include <vector>

#include "engine/series.h"

namespace lab {

// The same cells as boxes that are to be framed: lines that overlap, or follow one another along an axis, are one as far as they stand
// close to each other in the order, which is by tensor and place, and none lies within another. A row and a column may cross.
std::vector<BlockRef> joined_lines(std::vector<BlockRef> lines);

} // namespace lab
