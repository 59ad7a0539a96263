#pragma once

#include <string>
#include <vector>

#include "engine/document.h"

namespace lab {

// A sentence for each of the `attention` keys, and for a given mask, that this document's other settings leave without effect:
// "mlp has no effect, since n_blocks is 0".
std::vector<std::string> unused_settings(const Document& document, const std::vector<std::string>& keys);

} // namespace lab
