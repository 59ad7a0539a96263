#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/lab.h"
#include "app/session/labels.h"

namespace lab {

// How the terms of an explanation read.
enum class TermsKind {
    none,     // nothing was read: a number that the document gives, or one by definition
    shares,   // of a row that is normalised: each term's share of the row's sum
    products, // a sum: what each product adds to it
    parts,    // one line per cell that was read
};

// One line of what a number is made from.
struct ExplanationTerm {
    double part = 0;       // what the bar shows: a share of 1, what a product adds, the cell that was read
    double value = 0;      // of a share: of the first cell that it reads
    std::size_t place = 0; // among all terms, as they are added up
    CellRef source;        // node and cell: the first that it reads
    bool is_own = false;   // of a row: the one in the explained cell's place
};

// The same in words, which are written only of terms in sight: there may be a thousand, new with every frame of a drag.
struct WrittenTerm : ExplanationTerm {
    std::vector<CellRef> sources; // of a product the cells of its factors, each once; of others `source`
    std::string label;            // what the sum runs over ("journey", "d₁"), or the name of the tensor that was read
    std::string text;             // "1.2806", "0.4306·0.4433"
    std::string part_text;        // "22.0%", "0.1909"
};

// A step that reads the number, and what it makes of it.
struct ExplanationFeed {
    TensorCell target; // the cell to step to: in the same place, else of the chosen query and head, where it can be
    std::string name;  // of its tensor; without a block where that is the same
    std::string place; // "[journey, d₁]"
    std::string how;   // "0.2199·0.3857 + … = 0.3061"
    std::string more;  // where it feeds more cells than the target: "and all of row journey"
};

// Why a cell is the number that it is, in plain data: what the inspector and the phone's sheet draw. It comes from the
// steps' own derivations, so that a new kind of step is explained without a line here.
struct Explanation {
    TensorCell cell;
    Viewpoint chosen;                 // query, head and what is shown
    std::uint64_t revision = 0;       // of the lab that it was made from
    std::vector<TextPart> meaning;    // "how much journey attends to starts"
    std::string value;                // "0.2199"; "…" while it is still to be computed
    std::string letters;              // "P · V, where P: attention_weights, V: values", or empty
    std::vector<std::string> formula; // lines: "e^(1.2806 − 1.3098) / Σ", or one per product; empty for a given number
    std::string evaluated;            // "0.9712 / 4.4173", or empty
    std::vector<std::string> named;   // what names in the formula stand for: "mean = (0.4300 + …) / 3 = 0.4900"
    std::string reason; // instead of a formula: "by definition: the key comes after the query", "still to be computed"
    std::string masked; // of a weight that is 0 by a mask: "starts is masked for journey: …", or empty
    TermsKind terms_kind = TermsKind::none;
    std::string terms_heading;          // "from this row of scaled scores"
    std::vector<ExplanationTerm> terms; // those that are told: ToldTerms
    std::size_t n_before_gap = 0;       // so many stand before what is left out
    std::size_t n_left_out = 0;         // of all terms; 0: they are all told, as they are added up
    std::size_t n_masked = 0;           // of those; where it is all the others are told as they are added up
    std::vector<int> tensors_read;      // nodes that the derivation reads, each once
    bool is_row_of_one_tensor = false;  // what the terms are parts of
    Expression derivation;              // that the terms were read off; of a given number the number
    double least_part = 0;              // of the terms and 0: how far bars reach to the left,
    double greatest_part = 0;           // and to the right
    std::string terms_total;            // "row sum 1.0000", "sum 0.8210"; empty for parts
    std::vector<ExplanationFeed> feeds; // as far as they are spoken of; unfolded tensors first
    bool is_given = false;              // a number of the document, which can be edited
    std::string made_by;                // of a given one: "Uniform, 0 to 1 (rand), seed 123", or empty
    std::vector<std::string> answers;   // what the cell's stage shows for its query, in plain words
};

// The cell's tensor must be in the trace's program, which is up to date with the document.
// chosen  where the number feeds several rows or heads, this query's and this head's are the ones to go on with
Explanation explain(const Document& document, const Trace& trace, const TensorCell& cell, Viewpoint chosen = {});
Explanation explain(const Lab& lab, const TensorCell& cell, Viewpoint chosen = {});

// The term of an explanation, made for the lab as it is, in words.
WrittenTerm written_term(const Lab& lab, const Explanation& told, std::size_t term);

// A node's cell by its contract name.
TensorCell tensor_cell(const Program& program, const CellRef& ref);

} // namespace lab
