#pragma once

#include <string>
#include <vector>

#include "engine/document.h"

namespace lab {

constexpr const char* kUntitled = "Untitled";

// What a sentence of one's own is called: its first words, "Your journey starts with one …".
std::string title_of_sentence(const std::vector<std::string>& words);

// After an edit of the tokens: a title that was their sentence's is that of what they are now.
void retitle_after(const Document& before, Document& after);

// Whether a person gave it: it is neither a worked example's nor made from the sentence, and there is one.
bool has_given_title(const Document& document);

} // namespace lab
