#pragma once

#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/program.h"
#include "engine/shape.h"

namespace lab {

std::string quoted(const std::string& word); // “cat,”

// What stands beside a row or column. Queries and keys: the token's word, or "1", "2", … where the document has none.
// Dimensions: "d₁", "d₂", …; heads: "head 1". Axis::none: empty.
std::string axis_label(const Document& document, Axis axis, int index);
// The same; where that is empty its number, from 1.
std::string label_or_number(const Document& document, Axis axis, int index);
// The same in a sentence: of a word that stands there more than once which of them it is, "the₂", those of a past and of the tokens that
// follow it counted together. A word with marks of its own stands in quotation marks: “cat,”.
enum class Quotes { where_needed, always };
std::string told_label(const Document& document, Axis axis, int index, Quotes quotes = Quotes::where_needed);

// Whether keys and values are made from the very tokens that queries are made from, and not from a context of their own.
bool keys_are_tokens(const Document& document);

// "6 tokens"; where keys are made from other tokens, or there are more of them, "4 queries, 5 keys".
std::string counts_text(const Document& document, int n_queries);

// Of one of several planes: "head 2"; "group 1" of keys and values that heads share; a key of weighted_values;
// "head 2, starts" of a slice with several heads.
std::string plane_label(const Document& document, const Node& node, int plane);

// The name without its block, where one sees in which block it stands: "queries" of "blocks.0.queries".
std::string short_name(const Node& node);
// The same where `beside` is of the same block; else in full. Of a part of the gradient `beside`: "what attention_scores adds".
std::string name_beside(const Node& node, const Node& beside);

// 12 → "₁₂"
std::string subscript(int number);

// "inputs[journey, d₁]", "attention_weights[head 2, journey, starts]", "b_query[d₁]"
std::string cell_text(const Document& document, const Node& node, Cell cell);

// A piece of a sentence; labels are set in the accent.
struct TextPart {
    std::string text;
    bool is_label = false;
    bool operator==(const TextPart&) const = default;
};

// What the cell means: {"how much ", plain}, {"journey", label}, {" attends to ", plain}, {"starts", label}; of several heads then {" in ",
// plain}, {"head 2", label}.
std::vector<TextPart> meaning(const Document& document, const Node& node, Cell cell);

// The same as one string.
std::string meaning_text(const Document& document, const Node& node, Cell cell);

} // namespace lab
