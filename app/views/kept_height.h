#pragma once

#include <string>

namespace lab {

// How tall the tallest of some texts is, all of one style, broken into lines of this width.
struct KeptHeight {
    std::string texts; // one behind the other
    float width = 0, pixels_per_point = 0;
    float height = 0; // all lengths in points
};

} // namespace lab
