#pragma once

#include <iosfwd>
#include <string>

#include "engine/result.h"

namespace lab {

// SESSION on the command line: a file, - for standard input, or preset:NAME.

// Its text; an error says what cannot be read.
Result<std::string> session_text(const std::string& session, std::istream& in);

// NAME of preset:NAME, or empty.
std::string preset_name_of(const std::string& session);

// What stands before a sentence on what is wrong in a session: "FILE: "; nothing where it is no file.
std::string where_in(const std::string& session);

} // namespace lab
