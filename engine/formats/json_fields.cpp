#include "engine/formats/json_fields.h"

#include <cmath>
#include <limits>

#include "engine/formats/number_text.h"

namespace lab {

namespace {

bool wrong(Reading& reading, const Json& value, const std::string& path, const std::string& wanted) {
    return reading.fail(path + " is " + describe(value) + " but must be " + wanted);
}

std::optional<float> float_of_word(const Json& value) {
    const auto* word = value.get_ptr<const Json::string_t*>();
    if (word == nullptr) return std::nullopt;
    if (*word == "inf") return std::numeric_limits<float>::infinity();
    if (*word == "-inf") return -std::numeric_limits<float>::infinity();
    if (*word == "nan") return std::numeric_limits<float>::quiet_NaN();
    return std::nullopt;
}

bool read_json_number(Reading& reading, const Json& value, const std::string& path, float& out) {
    const std::optional<float> number = to_float32(value.get<double>());
    if (!number) return reading.fail(path + " is " + describe(value) + " but " + kFloat32Ends);
    out = *number;
    return true;
}

} // namespace

bool read_object(Reading& reading, const Json& value, const std::string& path) {
    return value.is_object() || wrong(reading, value, path, "an object");
}

bool read_flag(Reading& reading, const Json& value, const std::string& path, bool& out) {
    if (!value.is_boolean()) return wrong(reading, value, path, "true or false");
    out = value.get<bool>();
    return true;
}

bool read_string(Reading& reading, const Json& value, const std::string& path, std::string& out) {
    const auto* text = value.get_ptr<const Json::string_t*>();
    if (text == nullptr) return wrong(reading, value, path, "text in quotation marks");
    out = *text;
    return true;
}

bool read_strings(Reading& reading, const Json& value, const std::string& path, std::vector<std::string>& out) {
    if (!value.is_array()) return wrong(reading, value, path, "a list of texts");
    for (std::size_t i = 0; i < value.size(); ++i) {
        std::string text;
        if (!read_string(reading, value[i], path + "[" + std::to_string(i) + "]", text)) return false;
        out.push_back(std::move(text));
    }
    return true;
}

bool read_whole(Reading& reading, const Json& value, const std::string& path, WholeNumbers range, std::int64_t& out) {
    const std::string wanted =
        "a whole number from " + std::to_string(range.least) + " to " + std::to_string(range.greatest);
    if (!value.is_number()) return wrong(reading, value, path, wanted);
    const double wide = value.get<double>();
    const bool in_range = wide >= static_cast<double>(range.least) && wide <= static_cast<double>(range.greatest);
    if (!in_range || wide != std::trunc(wide)) return wrong(reading, value, path, wanted);
    out = static_cast<std::int64_t>(wide);
    return true;
}

bool read_seed(Reading& reading, const Json& value, const std::string& path, std::uint64_t& out) {
    if (value.is_number_unsigned()) {
        out = value.get<std::uint64_t>();
        return true;
    }
    return wrong(reading, value, path, "a whole number from 0 to 18446744073709551615");
}

bool read_float(Reading& reading, const Json& value, const std::string& path, float& out) {
    if (const auto word = float_of_word(value)) {
        out = *word;
        return true;
    }
    if (!value.is_number()) return wrong(reading, value, path, "a number");
    return read_json_number(reading, value, path, out);
}

bool read_finite(Reading& reading, const Json& value, const std::string& path, const char* wanted, float& out) {
    if (!value.is_number()) return wrong(reading, value, path, wanted);
    return read_json_number(reading, value, path, out);
}

} // namespace lab
