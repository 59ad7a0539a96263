#pragma once

#include <string>
#include <vector>

#include "engine/document.h"

namespace lab {

// Words, the ids that stand for them, and the tensors that have a row or column for each.

// The vocabulary afterwards is `words`, sorted and unique. Tensors that have a row or column per word follow: what a word
// had it keeps; a new one gets the next row that made_by draws, else numbers as torch.randn draws them. Ids stay with words.
void change_vocabulary(Document& document, const std::vector<std::string>& words);

// The vocabulary afterwards has the words too.
void add_to_vocabulary(Document& document, const std::vector<std::string>& words);

// The place of a word; −1 if there is no such word.
int id_of(const Document& document, const std::string& word);

// Rows without words are shown as 1, 2, …; once one gets a word, the others keep these as theirs.
void number_tokens(Document& document);

// The document looks its inputs up: token_ids and W_embedding in their place, with the numbers that they had. Where a word
// stood with several rows, the first counts. And back again.
void look_inputs_up(Document& document);
void write_inputs_out(Document& document);

} // namespace lab
