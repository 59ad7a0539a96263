#include "engine/words.h"

namespace lab {

const Words::Counts& Words::counts() const {
    if (!all_->counts) {
        Counts& made = all_->counts.emplace();
        made.before.reserve(size());
        for (const std::string& word : all_->words) made.before.push_back(made.of_words[word]++);
    }
    return *all_->counts;
}

int Words::n_alike(const std::string& word) const {
    if (!all_) return 0;
    const auto found = counts().of_words.find(word);
    return found == counts().of_words.end() ? 0 : found->second;
}

int Words::n_alike_before(std::size_t place) const { return counts().before[place]; }

} // namespace lab
