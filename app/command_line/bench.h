#pragma once

#include <string>
#include <vector>

#include "app/command_line/command_line.h"

namespace lab {

// attention-lab bench: times a forward pass. The exit status.
int run_bench(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace lab
