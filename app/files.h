#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/result.h"

namespace lab {

// The bytes of a file. An error names the file and why it cannot be read.
Result<std::string> read_file(const std::string& path);

struct WriteFailure {
    std::string message;     // names the file and why it cannot be written
    bool could_open = false; // false: the path is wrong; true: the disk is full or the like
};

// The whole file or none: writes beside it and renames, so that a failure leaves what was there before. A
// symbolic link stays one; what is no ordinary file (/dev/stdout) is written directly. Nothing is returned
// where all went well.
std::optional<WriteFailure> write_file(const std::string& path, std::string_view bytes);

} // namespace lab
