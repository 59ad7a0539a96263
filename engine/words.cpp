#include "engine/words.h"

#include <cassert>

namespace lab {

const Words::Counts& Words::counts() const {
    if (!all_->counts) {
        Counts made;
        made.of_words.reserve(size());
        made.before.reserve(size());
        for (const std::string& word : all_->words) made.before.push_back(made.of_words[word]++);
        all_->counts = std::move(made);
    }
    return *all_->counts;
}

int Words::n_alike(const std::string& word) const {
    if (!all_) return 0;
    const auto found = counts().of_words.find(word);
    return found == counts().of_words.end() ? 0 : found->second;
}

int Words::n_alike_before(std::size_t place) const {
    assert(place < size());
    return counts().before[place];
}

std::size_t Words::bytes_not_shared_with(const Words& other) const {
    if (!all_ || all_ == other.all_) return 0;
    std::size_t bytes = 0;
    for (const std::string& word : all_->words) bytes += sizeof(std::string) + word.size();
    if (!all_->counts) return bytes;
    constexpr std::size_t kPerWord = sizeof(std::pair<std::string_view, int>) + 3 * sizeof(void*); // about
    return bytes + all_->counts->before.size() * sizeof(int) + all_->counts->of_words.size() * kPerWord;
}

} // namespace lab
