#include "engine/formats/json_attention.h"

#include <limits>

#include "engine/formats/attention_settings.h"
#include "engine/formats/number_text.h"

namespace lab {

namespace {

constexpr WholeNumbers kCounts{1, std::numeric_limits<int>::max()};
constexpr WholeNumbers kDecimals{0, kMostDecimals};

constexpr const char* kKeys =
    "projections, scale, normalization, mask, window, round_weights, n_heads, n_kv_heads, softcap and position";

// The words of a setting, in the order of its enum: the first is the default.
template <std::size_t n> using Words = const char* const (&)[n];
constexpr const char* kNormalizations[] = {"softmax", "naive_softmax", "sum"};
constexpr const char* kMasks[] = {"none", "causal", "sliding_window", "tensor"};
constexpr const char* kPositions[] = {"none", "sinusoidal", "rope", "alibi"};

template <class Enum, std::size_t n>
bool read_word(Reading& reading, const Json& value, const std::string& path, Words<n> words, Enum& out) {
    std::string wanted;
    for (std::size_t i = 0; i < n; ++i) {
        if (value == words[i]) {
            out = static_cast<Enum>(i);
            return true;
        }
        wanted += (i == 0 ? "\"" : i + 1 == n ? "\" or \"" : "\", \"") + std::string(words[i]);
    }
    return reading.fail(path + " is " + describe(value) + " but must be " + wanted + "\"");
}

template <class Enum, std::size_t n> std::string word(Enum value, Words<n> words) {
    return '"' + std::string(words[static_cast<std::size_t>(value)]) + '"';
}

bool read_optional_whole(Reading& reading, const Json& value, const std::string& path, WholeNumbers range,
                         std::optional<int>& out) {
    std::int64_t whole = 0;
    out.reset();
    if (value.is_null()) return true;
    if (!read_whole(reading, value, path, range, whole)) return false;
    out = static_cast<int>(whole);
    return true;
}

bool read_n_heads(Reading& reading, const Json& value, const std::string& path, int& out) {
    std::int64_t whole = 0;
    if (!read_whole(reading, value, path, kCounts, whole)) return false;
    out = static_cast<int>(whole);
    return true;
}

// A number, or the word (or null) that stands for none.
bool read_optional_float(Reading& reading, const Json& value, const std::string& path, const Json& none,
                         std::optional<float>& out) {
    float number = 0.0f;
    out.reset();
    if (value == none) return true;
    const std::string wanted = none.dump() + " or a number";
    if (!read_finite(reading, value, path, wanted.c_str(), number)) return false;
    out = number;
    return true;
}

} // namespace

bool read_attention_key(Reading& reading, const std::string& key, const Json& value, AttentionSettings& settings) {
    const std::string path = path_of("attention", key);
    if (key == "projections") return read_flag(reading, value, path, settings.projections);
    if (key == "scale") return read_optional_float(reading, value, path, "rsqrt_d_k", settings.scale);
    if (key == "normalization") return read_word(reading, value, path, kNormalizations, settings.normalization);
    if (key == "mask") return read_word(reading, value, path, kMasks, settings.mask);
    if (key == "window") return read_optional_whole(reading, value, path, kCounts, settings.window);
    if (key == "round_weights") return read_optional_whole(reading, value, path, kDecimals, settings.round_weights);
    if (key == "n_heads") return read_n_heads(reading, value, path, settings.n_heads);
    if (key == "n_kv_heads") return read_optional_whole(reading, value, path, kCounts, settings.n_kv_heads);
    if (key == "softcap") return read_optional_float(reading, value, path, nullptr, settings.softcap);
    if (key == "position") return read_word(reading, value, path, kPositions, settings.position);
    return false;
}

std::vector<std::pair<std::string, std::string>> attention_fields(const AttentionSettings& settings) {
    std::vector<std::pair<std::string, std::string>> fields;
    fields.emplace_back("projections", settings.projections ? "true" : "false");
    fields.emplace_back("scale", settings.scale ? json_number(*settings.scale) : "\"rsqrt_d_k\"");
    fields.emplace_back("normalization", word(settings.normalization, kNormalizations));
    fields.emplace_back("mask", word(settings.mask, kMasks));
    if (settings.window) fields.emplace_back("window", std::to_string(*settings.window));
    if (settings.round_weights) fields.emplace_back("round_weights", std::to_string(*settings.round_weights));
    if (settings.n_heads != 1) fields.emplace_back("n_heads", std::to_string(settings.n_heads));
    if (settings.n_kv_heads) fields.emplace_back("n_kv_heads", std::to_string(*settings.n_kv_heads));
    if (settings.softcap) fields.emplace_back("softcap", json_number(*settings.softcap));
    if (settings.position != Position::none) fields.emplace_back("position", word(settings.position, kPositions));
    return fields;
}

Result<Done> set_attention_key(AttentionSettings& settings, const std::string& key, std::string_view value) {
    const Result<Json> parsed = parse_json(value);
    const Json json = parsed ? *parsed : Json(std::string(value));
    Reading reading;
    AttentionSettings changed = settings;
    if (!read_attention_key(reading, key, json, changed)) {
        if (reading.error) return *reading.error;
        return Error{path_of("attention", key) + " is no setting but " + kKeys + " are"};
    }
    settings = changed;
    return Done{};
}

} // namespace lab
