#include "engine/tokenizer.h"

#include <algorithm>

namespace lab {

namespace {

// Every space beyond ASCII in UTF-8: U+0085, U+00A0, U+1680, U+2000 … U+200A, U+2028, U+2029, U+202F, U+205F,
// U+3000.
constexpr std::string_view kSpaces[] = {"\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
                                        "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
                                        "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
                                        "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};

// Bytes of the white space that `text` begins with; 0 where it begins with a letter.
std::size_t space_length(std::string_view text) {
    const unsigned char first = static_cast<unsigned char>(text.front());
    if (first == ' ' || (first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x1F)) return 1;
    if (first < 0x80) return 0;
    for (std::string_view space : kSpaces) {
        if (text.substr(0, space.size()) == space) return space.size();
    }
    return 0;
}

} // namespace

std::vector<std::string> split_words(std::string_view sentence) {
    std::vector<std::string> words;
    std::string word;
    while (!sentence.empty()) {
        const std::size_t length = space_length(sentence);
        if (length == 0) word += sentence.front();
        if (length > 0 && !word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
        sentence.remove_prefix(std::max<std::size_t>(length, 1));
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

std::vector<std::string> sorted_vocabulary(const std::vector<std::string>& words) {
    std::vector<std::string> vocabulary = words;
    std::sort(vocabulary.begin(), vocabulary.end());
    vocabulary.erase(std::unique(vocabulary.begin(), vocabulary.end()), vocabulary.end());
    return vocabulary;
}

Result<std::vector<int>> token_ids(const std::vector<std::string>& words, const std::vector<std::string>& vocabulary) {
    std::vector<int> ids;
    for (const std::string& word : words) {
        const auto place = std::lower_bound(vocabulary.begin(), vocabulary.end(), word);
        if (place == vocabulary.end() || *place != word) {
            return Error{"the vocabulary has " + std::to_string(vocabulary.size()) + " words but not '" + word + "'"};
        }
        ids.push_back(static_cast<int>(place - vocabulary.begin()));
    }
    return ids;
}

} // namespace lab
