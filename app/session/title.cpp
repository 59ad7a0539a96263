#include "app/session/title.h"

#include <algorithm>

#include "engine/formats/presets.h"

namespace lab {

namespace {

constexpr std::size_t kLongest = 36; // bytes, about as many letters as the top bar has room for

// Of a word that is longer than all that there is room for, at a letter's end.
std::string cut(const std::string& word) {
    std::size_t end = std::min(word.size(), kLongest);
    while (end < word.size() && end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) --end;
    return word.substr(0, end);
}

} // namespace

std::string title_of_sentence(const std::vector<std::string>& words) {
    if (words.empty()) return kUntitled;
    std::string title = cut(words.front());
    if (title != words.front()) return title + "…";
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (title.size() + 1 + words[i].size() > kLongest) return title + " …";
        title += " " + words[i];
    }
    return title;
}

bool has_given_title(const Document& document) {
    const std::string& title = document.title;
    if (title.empty() || title == kUntitled || title == title_of_sentence(document.tokens)) return false;
    const auto& all = presets();
    return std::none_of(all.begin(), all.end(), [&](const PresetInfo& preset) { return preset.title == title; });
}

} // namespace lab
