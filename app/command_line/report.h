#pragma once

#include <ostream>
#include <string>

#include "app/command_line/command_line.h"

namespace lab {

// One line on standard error, whatever the message holds; returns `status`.
inline int report(const Streams& streams, int status, std::string message) {
    for (char& c : message) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    streams.err << "attention-lab: " << message << '\n';
    return status;
}

} // namespace lab
