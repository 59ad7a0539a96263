#pragma once

#include "engine/formats/embedded.h"

namespace lab {

// The fonts of cmake/fonts.cmake, cut down to the characters of cmake/fonts.txt: "Inter-Regular.otf", …
const std::vector<EmbeddedFile>& embedded_fonts();

} // namespace lab
