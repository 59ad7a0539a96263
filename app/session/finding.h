#pragma once

#include <optional>
#include <string>

#include "engine/document.h"
#include "engine/program.h"
#include "engine/result.h"

namespace lab {

// A row or column that was asked for by what a person typed.
struct FoundPlace {
    int index = 0;
    int n_alike = 1; // so many are called the same, or begin the same, of which
    int nth = 1;     // this is the first, second, …
    bool only_begins = false;
    bool operator==(const FoundPlace&) const = default;
};

// The one of an axis' n rows or columns that a text means, which is not blank:
//   the label that it is ("journey", "d₂"; "d2" will do), a to z in either case if none is the same to the letter, or what sentences call it
//   ("the₂", "“cat,”"),
//   else the number from 1 that it is ("16,384"), else the label that begins so. Blanks around either count for nothing.
// after  of several alike the first behind it is taken, and after the last of them the first of all
// Error: "no key begins with yacht, and it is no number from 1 to 6".
Result<FoundPlace> find_place(const Document& document, Axis axis, int n, const std::string& text, int after = -1);

// An axis and how many it has.
struct SoughtAxis {
    Axis axis = Axis::none;
    int n = 0;
};
struct TextPair {
    std::string row, col;
};
// A text that means both, "journey, step" or "journey step": taken apart behind the longest beginning that means a row and leaves what
// means a column. Absent where there is none.
std::optional<TextPair> split_pair(const Document& document, SoughtAxis rows, SoughtAxis cols, const std::string& text);

// What one of an axis is called: "query", "key", "dimension".
std::string axis_noun(Axis axis);

} // namespace lab
