#pragma once

#include <vector>

#include "engine/embedded_file.h"

namespace lab {

// The worked examples, two files each: NAME.session.json and NAME.expected.json, sorted by name.
const std::vector<EmbeddedFile>& embedded_presets();

} // namespace lab
