#pragma once

#include <cstddef>
#include <vector>

namespace lab {

// A file compiled into the program; `data` has `size` bytes and, after them, a zero. Lives as long as the program.
struct EmbeddedFile {
    const char* name; // without folder: "trainable.session.json"
    const char* data;
    size_t size;
};

// The worked examples, two files each: NAME.session.json and NAME.expected.json, sorted by name.
const std::vector<EmbeddedFile>& embedded_presets();

} // namespace lab
