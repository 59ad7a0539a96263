#include "engine/formats/json_setting.h"

#include "engine/formats/number_text.h"

namespace lab {

SettingKind<bool> flag() {
    return {read_flag, [](bool value) { return std::string(value ? "true" : "false"); }};
}

SettingKind<float> number() {
    return {[](Reading& reading, const Json& value, const std::string& path, float& out) {
                return read_finite(reading, value, path, "a number", out);
            },
            json_number};
}

SettingKind<std::uint64_t> seed() {
    return {read_seed, [](std::uint64_t value) { return std::to_string(value); }};
}

SettingKind<std::optional<float>> number_or(const Json& none) {
    return {[none](Reading& reading, const Json& value, const std::string& path, std::optional<float>& out) {
                float number = 0.0f;
                out.reset();
                if (value == none) return true;
                const std::string wanted = none.dump() + " or a number";
                if (!read_finite(reading, value, path, wanted.c_str(), number)) return false;
                out = number;
                return true;
            },
            [none](const std::optional<float>& value) { return value ? json_number(*value) : none.dump(); }};
}

SettingKind<int> whole(int least) {
    const WholeNumbers range{least, std::numeric_limits<int>::max()};
    return {[range](Reading& reading, const Json& value, const std::string& path, int& out) {
                std::int64_t wide = 0;
                if (!read_whole(reading, value, path, range, wide)) return false;
                out = static_cast<int>(wide);
                return true;
            },
            [](int value) { return std::to_string(value); }};
}

SettingKind<std::optional<int>> whole_or_null(int least, int greatest) {
    const WholeNumbers range{least, greatest};
    return {[range](Reading& reading, const Json& value, const std::string& path, std::optional<int>& out) {
                std::int64_t wide = 0;
                out.reset();
                if (value.is_null()) return true;
                if (!read_whole(reading, value, path, range, wide)) return false;
                out = static_cast<int>(wide);
                return true;
            },
            [](const std::optional<int>& value) { return value ? std::to_string(*value) : "null"; }};
}

SettingKind<std::vector<int>> counts_or_null() {
    return {[](Reading& reading, const Json& value, const std::string& path, std::vector<int>& out) {
                out.clear();
                if (value.is_null()) return true;
                if (!value.is_array() || value.empty()) {
                    const std::string given = value.is_array() ? "an empty list" : describe(value);
                    return reading.fail(path + " is " + given + " but must be null or a list of whole numbers");
                }
                const SettingKind<int> count = whole(1);
                for (std::size_t i = 0; i < value.size(); ++i) {
                    out.push_back(0);
                    if (!count.read(reading, value[i], path + "[" + std::to_string(i) + "]", out.back())) return false;
                }
                return true;
            },
            [](const std::vector<int>& counts) {
                std::string text;
                for (int count : counts) text += (text.empty() ? "[" : ", ") + std::to_string(count);
                return counts.empty() ? "null" : text + "]";
            }};
}

bool read_word(Reading& reading, const Json& value, const std::string& path, const std::vector<const char*>& words,
               std::size_t& out) {
    std::string wanted;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (value == words[i]) {
            out = i;
            return true;
        }
        wanted += (i == 0 ? "\"" : i + 1 == words.size() ? "\" or \"" : "\", \"") + std::string(words[i]);
    }
    return reading.fail(path + " is " + describe(value) + " but must be " + wanted + "\"");
}

} // namespace lab
