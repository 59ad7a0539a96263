#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

// What a sentence lists of what there is, where something asked for is not: the six that are written most alike, then
// how many others there are: "a, b, c, d, e, f and 12 more". All of them, in their own order, where there are no more than seven.
std::string nearest_names_text(std::string_view wanted, const std::vector<std::string>& names);

} // namespace lab
