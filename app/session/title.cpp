#include "app/session/title.h"

#include <algorithm>

#include "engine/formats/presets.h"

namespace lab {

namespace {

constexpr std::size_t kLongest =
    36; // bytes: of most languages as many letters as the top bar has room for, of others fewer

// What there is room for of a longer word, at a letter's end.
std::string cut(const std::string& word, std::size_t room) {
    std::size_t end = std::min(word.size(), room);
    while (end < word.size() && end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) --end;
    return word.substr(0, end);
}

} // namespace

std::string title_of_sentence(const std::vector<std::string>& words) {
    if (words.empty()) return kUntitled;
    std::string title;
    for (const std::string& word : words) {
        const std::size_t room = kLongest - std::min(kLongest, title.size());
        if (word.size() > room) {
            const bool has_room = room > kLongest / 2;
            return title + (has_room ? cut(word, room) + "…" : "…");
        }
        title += word + " ";
    }
    title.pop_back();
    return title;
}

void retitle_after(const Document& before, Document& after) {
    const bool was_of_sentence = !before.tokens.empty() && before.title == title_of_sentence(before.tokens);
    if (was_of_sentence && after.title == before.title) after.title = title_of_sentence(after.tokens);
}

bool has_given_title(const Document& document) {
    const std::string& title = document.title;
    if (title.empty() || title == kUntitled || title == title_of_sentence(document.tokens)) return false;
    const auto& all = presets();
    return std::none_of(all.begin(), all.end(), [&](const PresetInfo& preset) { return preset.title == title; });
}

} // namespace lab
