#pragma once

#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/program.h"
#include "engine/shape.h"

namespace lab {

// What stands beside a row or column. Queries and keys: the token's word, or "1", "2", … where the document has none.
// Dimensions: "d₁", "d₂", …; heads: "head 1". Axis::none: empty.
std::string axis_label(const Document& document, Axis axis, int index);

// 12 → "₁₂"
std::string subscript(int number);

// "inputs[journey, d₁]", "weighted_values[starts, journey, d₁]", "b_query[d₁]"
std::string cell_text(const Document& document, const Node& node, Cell cell);

// A piece of a sentence; labels are set in the accent.
struct TextPart {
    std::string text;
    bool is_label = false;
    bool operator==(const TextPart&) const = default;
};

// What the cell means: {"how much ", plain}, {"journey", label}, {" attends to ", plain}, {"starts", label}.
std::vector<TextPart> meaning(const Document& document, const Node& node, Cell cell);

// The same as one string.
std::string meaning_text(const Document& document, const Node& node, Cell cell);

} // namespace lab
