#pragma once

#include <cstddef>

namespace lab {

// A file compiled into the program; `data` has `size` bytes and, after them, a zero. Lives as long as the program.
struct EmbeddedFile {
    const char* name; // without folder: "trainable.session.json"
    const char* data;
    size_t size;
};

} // namespace lab
