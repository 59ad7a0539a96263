#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/result.h"

namespace lab {

// The words of a sentence: what stands between white space (ASCII, U+0085, U+00A0 and the other Unicode
// spaces, as Python's str.split()). Case and punctuation stay. Bytes that are not UTF-8 are letters like any
// other.
std::vector<std::string> split_words(std::string_view sentence);

// The unique words, sorted by their bytes, which is the order of Unicode code points and of Python's
// sorted(). A word's id is its place.
//
// The seeds number sorted(sentence.split()) without making it unique first, which is the same where no word
// repeats; where one does, theirs leaves gaps.
std::vector<std::string> sorted_vocabulary(const std::vector<std::string>& words);

// The place of each word in the vocabulary. An error: a word that is not in it.
Result<std::vector<int>> token_ids(const std::vector<std::string>& words, const std::vector<std::string>& vocabulary);

} // namespace lab
