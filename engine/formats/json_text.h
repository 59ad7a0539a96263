#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "engine/result.h"

namespace lab {

using Json = nlohmann::json;

// The value that a JSON text stands for. Anything may come in; nothing crashes and nothing is thrown.
//
// An error names line and column (of the first character that cannot be, counted from 1 in Unicode
// characters), or, for what is well formed but not accepted, the path: brackets nested deeper than 64, a key
// that stands twice in one object, a number that float64 cannot hold. −0 keeps its sign.
Result<Json> parse_json(std::string_view text);

// `parent.key`; a key that is no plain word stands in quotation marks, shortened where it is long.
std::string path_of(const std::string& parent, const std::string& key);

// What a value is, for an error: "a list", "an object", or the value itself, shortened where it is long.
std::string describe(const Json& value);

// Text in quotation marks, as JSON writes it; bytes that are not UTF-8 become replacement characters.
std::string json_string(const std::string& text);

} // namespace lab
