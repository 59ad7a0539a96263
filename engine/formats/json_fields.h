#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/json_text.h"

namespace lab {

// What reading a session gathers beside the document: notes, the keys that nobody knows, and the first thing
// wrong.
struct Reading {
    std::vector<std::string> notes;
    Json unknown = Json::object(); // shaped like the file
    std::optional<Error> error;

    // Keeps the first error. False, for `return reading.fail(…)`.
    bool fail(std::string message) {
        if (!error) error = Error{std::move(message)};
        return false;
    }
};

// Each reads one value of one type into `out`; false, with an error that names the path, where it is another
// type.
bool read_object(Reading& reading, const Json& value, const std::string& path);
bool read_flag(Reading& reading, const Json& value, const std::string& path, bool& out);
bool read_string(Reading& reading, const Json& value, const std::string& path, std::string& out);
bool read_strings(Reading& reading, const Json& value, const std::string& path, std::vector<std::string>& out);

// A whole number in [least, greatest]; 1.0 counts as whole.
struct WholeNumbers {
    std::int64_t least;
    std::int64_t greatest;
};
bool read_whole(Reading& reading, const Json& value, const std::string& path, WholeNumbers range, std::int64_t& out);
bool read_seed(Reading& reading, const Json& value, const std::string& path, std::uint64_t& out);

// A number that float32 can hold, or one of "inf", "-inf", "nan".
bool read_float(Reading& reading, const Json& value, const std::string& path, float& out);

// A number that float32 can hold. `wanted` is what the error says there must be: "a number", or what else could stand there.
bool read_finite(Reading& reading, const Json& value, const std::string& path, const char* wanted, float& out);

} // namespace lab
