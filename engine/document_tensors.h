#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/document.h"
#include "engine/program.h"
#include "engine/tensor_name.h"

namespace lab {

// Which words of a document name the rows of a tensor, or the numbers of a vector.
enum class RowWords { none, tokens, context_tokens };

struct Ranks {
    int least;
    int most;
};
constexpr Ranks kVector{1, 1};
constexpr Ranks kMatrix{2, 2};
constexpr Ranks kMatrixOrHeads{2, 3};

// Where a tensor may stand: once in a document, or in every block, where its name has the prefix "blocks.0.".
enum class Scope { block, model };

// A tensor that a document may hold: what it is, and what its axes count.
struct DocumentTensor {
    const char* name; // the contract's, without a block's prefix
    Role role;
    Axis rows; // none: no other tensor's rows or columns are as many because of it
    Axis cols;
    Ranks ranks = kMatrixOrHeads;
    RowWords row_words = RowWords::none;
    const char* matrix = ""; // of a bias: what its numbers are added to the columns of
    Scope scope = Scope::block;

    bool is_input_projection() const {
        return role == Role::weight_matrix && rows == Axis::input_dimensions && is_in_block();
    }
    bool is_in_block() const { return scope == Scope::block; }
    bool is_parameter() const { return role == Role::weight_matrix || role == Role::bias; }
    bool has_tokens() const { return counts_tokens(rows) || counts_tokens(cols); }
};

// All that there are, in the order in which a session is written and parameters are drawn in a notebook: a bias after its
// matrix. Edits and formats ask this table, so that a new tensor is one line here.
inline constexpr DocumentTensor kDocumentTensors[] = {
    {"token_ids", Role::embedding, Axis::none, Axis::queries, kVector, RowWords::tokens, "", Scope::model},
    {"W_embedding", Role::weight_matrix, Axis::vocabulary, Axis::input_dimensions, kMatrix, RowWords::none, "",
     Scope::model},
    {"inputs", Role::embedding, Axis::queries, Axis::input_dimensions, kMatrix, RowWords::tokens, "", Scope::model},
    {"context_inputs", Role::embedding, Axis::keys, Axis::input_dimensions, kMatrix, RowWords::context_tokens, "",
     Scope::model},
    {"W_position", Role::weight_matrix, Axis::positions, Axis::input_dimensions, kMatrix, RowWords::none, "",
     Scope::model},
    {"attention_norm_gain", Role::bias, Axis::none, Axis::input_dimensions, kVector},
    {"attention_norm_bias", Role::bias, Axis::none, Axis::input_dimensions, kVector},
    {"W_query", Role::weight_matrix, Axis::input_dimensions, Axis::key_dimensions},
    {"b_query", Role::bias, Axis::none, Axis::key_dimensions, kVector, RowWords::none, "W_query"},
    {"W_key", Role::weight_matrix, Axis::input_dimensions, Axis::key_dimensions},
    {"b_key", Role::bias, Axis::none, Axis::key_dimensions, kVector, RowWords::none, "W_key"},
    {"W_value", Role::weight_matrix, Axis::input_dimensions, Axis::value_dimensions},
    {"b_value", Role::bias, Axis::none, Axis::value_dimensions, kVector, RowWords::none, "W_value"},
    {"queries", Role::projection, Axis::queries, Axis::key_dimensions, kMatrixOrHeads, RowWords::tokens, "",
     Scope::model},
    {"keys", Role::projection, Axis::keys, Axis::key_dimensions, kMatrixOrHeads, RowWords::context_tokens, "",
     Scope::model},
    {"values", Role::projection, Axis::keys, Axis::value_dimensions, kMatrixOrHeads, RowWords::none, "", Scope::model},
    {"past_keys", Role::projection, Axis::past_keys, Axis::key_dimensions, kMatrixOrHeads, RowWords::context_tokens},
    {"past_values", Role::projection, Axis::past_keys, Axis::value_dimensions},
    {"relative_bias", Role::weight_matrix, Axis::heads, Axis::distances, kMatrix},
    {"mask", Role::mask, Axis::queries, Axis::keys, kMatrixOrHeads, RowWords::none, "", Scope::model},
    {"sink", Role::bias, Axis::none, Axis::heads, kVector},
    {"W_output", Role::weight_matrix, Axis::value_dimensions, Axis::model_dimensions, kMatrix},
    {"b_output", Role::bias, Axis::none, Axis::model_dimensions, kVector, RowWords::none, "W_output"},
    {"mlp_norm_gain", Role::bias, Axis::none, Axis::model_dimensions, kVector},
    {"mlp_norm_bias", Role::bias, Axis::none, Axis::model_dimensions, kVector},
    {"W_up", Role::weight_matrix, Axis::model_dimensions, Axis::hidden_dimensions, kMatrix},
    {"b_up", Role::bias, Axis::none, Axis::hidden_dimensions, kVector, RowWords::none, "W_up"},
    {"W_gate", Role::weight_matrix, Axis::model_dimensions, Axis::hidden_dimensions, kMatrix},
    {"b_gate", Role::bias, Axis::none, Axis::hidden_dimensions, kVector, RowWords::none, "W_gate"},
    {"W_down", Role::weight_matrix, Axis::hidden_dimensions, Axis::model_dimensions, kMatrix},
    {"b_down", Role::bias, Axis::none, Axis::model_dimensions, kVector, RowWords::none, "W_down"},
    {"final_norm_gain", Role::bias, Axis::none, Axis::model_dimensions, kVector, RowWords::none, "", Scope::model},
    {"final_norm_bias", Role::bias, Axis::none, Axis::model_dimensions, kVector, RowWords::none, "", Scope::model},
    {"W_unembedding", Role::weight_matrix, Axis::model_dimensions, Axis::vocabulary, kMatrix, RowWords::none, "",
     Scope::model},
    {"b_unembedding", Role::bias, Axis::none, Axis::vocabulary, kVector, RowWords::none, "W_unembedding", Scope::model},
    {"target", Role::hidden, Axis::none, Axis::none, {1, 3}, RowWords::none, "", Scope::model},
};

// By its name, with or without a block's prefix; null if there is no such tensor, or none that may stand there.
const DocumentTensor* find_document_tensor(std::string_view name);

// The tensor of the document (of its first block) whose rows the words name, the table's first; null if it has none.
const DocumentTensor* find_named_by(const Document& document, RowWords words);

// Rows (of a vector: numbers) that the words name; 0 where there is no such tensor.
int n_rows_named_by(const Document& document, RowWords words);
int n_rows_named_by(const Document& document, const DocumentTensor& named);

} // namespace lab
