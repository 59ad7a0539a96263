#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/attention.h"
#include "engine/formats/json_fields.h"

namespace lab {

// How values of one type are read from JSON and written as JSON text.
template <class T> struct SettingKind {
    std::function<bool(Reading&, const Json&, const std::string& path, T& out)> read;
    std::function<std::string(const T&)> write;
};

SettingKind<bool> flag();
SettingKind<float> number();
SettingKind<std::uint64_t> seed();
SettingKind<std::optional<float>> number_or(const Json& none); // `none`: the word, or null, that stands for no number
SettingKind<int> whole(int least);
SettingKind<std::optional<int>> whole_or_null(int least, int greatest = std::numeric_limits<int>::max());
SettingKind<std::vector<int>> counts_or_null(); // null: an empty list

bool read_word(Reading& reading, const Json& value, const std::string& path, const std::vector<const char*>& words,
               std::size_t& out);

// The words of an enum, in its order.
template <class Enum> SettingKind<Enum> word_of(const std::vector<const char*>& words) {
    return {[words](Reading& reading, const Json& value, const std::string& path, Enum& out) {
                std::size_t place = 0;
                if (!read_word(reading, value, path, words, place)) return false;
                out = static_cast<Enum>(place);
                return true;
            },
            [words](const Enum& value) { return json_string(words[static_cast<std::size_t>(value)]); }};
}

// One key of `attention`.
struct SettingKey {
    std::string key;
    std::function<bool(Reading&, const Json&, const std::string& path, AttentionSettings&)> read;
    std::function<std::string(const AttentionSettings&)> write;
    std::function<bool(const AttentionSettings&)> is_default;
};

// `place` finds the setting's value, within settings or const settings.
template <class T, class Place> SettingKey setting_at(const char* key, Place place, const SettingKind<T>& kind) {
    return {key,
            [place, kind](Reading& reading, const Json& value, const std::string& path, AttentionSettings& settings) {
                return kind.read(reading, value, path, place(settings));
            },
            [place, kind](const AttentionSettings& settings) { return kind.write(place(settings)); },
            [place](const AttentionSettings& settings) { return place(settings) == place(AttentionSettings()); }};
}

template <class T> SettingKey setting(const char* key, T AttentionSettings::*member, const SettingKind<T>& kind) {
    return setting_at(
        key, [member](auto&& settings) -> auto& { return settings.*member; }, kind);
}

// The same for a member of a part, such as `rope`.
template <class T, class Part>
SettingKey setting(const char* key, Part AttentionSettings::*part, T Part::*member, const SettingKind<T>& kind) {
    return setting_at(
        key, [ part, member ](auto&& settings) -> auto& { return settings.*part.*member; }, kind);
}

} // namespace lab
