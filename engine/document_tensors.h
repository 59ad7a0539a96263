#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/document.h"
#include "engine/program.h"

namespace lab {

// Which words of a document name the rows of a tensor.
enum class RowWords { none, tokens, context_tokens };

struct Ranks {
    int least;
    int most;
};
constexpr Ranks kVector{1, 1};
constexpr Ranks kMatrix{2, 2};
constexpr Ranks kMatrixOrHeads{2, 3};

// A tensor that a document may hold: what it is, and what its axes count.
struct DocumentTensor {
    const char* name; // the contract's
    Role role;
    Axis rows; // none: no other tensor's rows or columns are as many because of it
    Axis cols;
    Ranks ranks = kMatrixOrHeads;
    RowWords row_words = RowWords::none;
    const char* matrix = ""; // of a bias: what its numbers are added to the columns of

    bool is_input_projection() const { return role == Role::weight_matrix && rows == Axis::input_dimensions; }
    bool is_parameter() const { return role == Role::weight_matrix || role == Role::bias; }
    bool has_tokens() const {
        const auto counts_tokens = [](Axis axis) { return axis == Axis::queries || axis == Axis::keys; };
        return counts_tokens(rows) || counts_tokens(cols);
    }
};

// All that there are, in the order in which a session is written and parameters are drawn in a notebook: a bias after its
// matrix. Edits and formats ask this table, so that a new tensor is one line here.
inline constexpr DocumentTensor kDocumentTensors[] = {
    {"inputs", Role::embedding, Axis::queries, Axis::input_dimensions, kMatrix, RowWords::tokens},
    {"context_inputs", Role::embedding, Axis::keys, Axis::input_dimensions, kMatrix, RowWords::context_tokens},
    {"W_query", Role::weight_matrix, Axis::input_dimensions, Axis::key_dimensions},
    {"b_query", Role::bias, Axis::none, Axis::key_dimensions, kVector, RowWords::none, "W_query"},
    {"W_key", Role::weight_matrix, Axis::input_dimensions, Axis::key_dimensions},
    {"b_key", Role::bias, Axis::none, Axis::key_dimensions, kVector, RowWords::none, "W_key"},
    {"W_value", Role::weight_matrix, Axis::input_dimensions, Axis::value_dimensions},
    {"b_value", Role::bias, Axis::none, Axis::value_dimensions, kVector, RowWords::none, "W_value"},
    {"queries", Role::projection, Axis::queries, Axis::key_dimensions, kMatrixOrHeads, RowWords::tokens},
    {"keys", Role::projection, Axis::keys, Axis::key_dimensions, kMatrixOrHeads, RowWords::context_tokens},
    {"values", Role::projection, Axis::keys, Axis::value_dimensions},
    {"past_keys", Role::projection, Axis::none, Axis::key_dimensions},
    {"past_values", Role::projection, Axis::none, Axis::value_dimensions},
    {"mask", Role::mask, Axis::queries, Axis::keys},
    {"W_output", Role::weight_matrix, Axis::value_dimensions, Axis::none},
    {"b_output", Role::bias, Axis::none, Axis::none, kVector, RowWords::none, "W_output"},
};

// Null if there is no such tensor.
const DocumentTensor* find_document_tensor(std::string_view name);

// The tensor of the document whose rows the words name, the table's first; null if it has none.
const DocumentTensor* find_named_by(const Document& document, RowWords words);

// Rows that the words name; 0 where there is no such tensor.
int n_rows_named_by(const Document& document, RowWords words);

} // namespace lab
