#pragma once

#include <string>
#include <vector>

#include "app/command_line/command_line.h"

namespace lab {

// attention-lab eval: reads a session, completes it from --tensors and --set, computes it, and prints or
// writes tensors. The exit status; nothing is written unless everything before it went well.
int run_eval(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace lab
