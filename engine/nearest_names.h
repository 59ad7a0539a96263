#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

// What a sentence lists of what there is, where something asked for is not: those that are written alike (at most half of what
// was asked for is changed), the nearest first, at most six, then how many others there are: "a, b and 12 more". The first
// three where none is alike. All of them, in their own order, where there are no more than seven.
std::string nearest_names_text(std::string_view wanted, const std::vector<std::string>& names);

} // namespace lab
