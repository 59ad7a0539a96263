#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "engine/document_tensors.h"
#include "engine/tensor_name.h"

namespace lab {

// What a document is as large as. Widths d_k and d_v are those of one head.

// How many keys and values there are for the heads to share.
int n_groups(const AttentionSettings& attention);

// How many heads (for keys and values: groups) stand in such a tensor, side by side or plane by plane; 1 where none do.
int n_heads_in(const DocumentTensor& known, const AttentionSettings& attention);
inline bool has_heads(const DocumentTensor& known) {
    const auto is_of_one_head = [](Axis axis) {
        return axis == Axis::key_dimensions || axis == Axis::value_dimensions;
    };
    return is_of_one_head(known.rows) || is_of_one_head(known.cols);
}

// What stands before the names of each block's tensors: "" alone for a bare attention, else "blocks.0.", ….
std::vector<std::string> block_prefixes(const AttentionSettings& attention);

// Names of the document's tensors that the table knows, in the order in which a session is written.
std::vector<std::string> tensors_in_order(const Document& document);

bool has_tensor(const Document& document, const std::string& name);

// Queries, keys and values are given directly: there are no inputs and no projections.
bool is_given_directly(const Document& document);

int n_tokens(const Document& document);                // rows that tokens name; 0 without any
int n_queries(const Document& document);               // those that are used
std::string cut_tokens_text(const Document& document); // "8 of 12 tokens: context_length keeps the first 8"; or empty
int n_past(const Document& document);                  // rows of a cache
int n_keys(const Document& document);                  // all that are attended to: past and new

// Width of the embeddings; 0 where there are none.
int input_width(const Document& document);

// Of one head, of a bare attention or the first block; nothing where the document does not say.
std::optional<int> key_width(const Document& document, const std::string& prefix);
std::optional<int> value_width(const Document& document, const std::string& prefix);

// Of past_keys or past_values that stand before the present keys or values, `width` for each head: a plane for each group,
// where those have planes.
Shape past_shape(const Document& document, bool of_values, int width);

// Whether blocks, or tied embeddings, read and write one stream of rows, so that d_model is d_in.
inline bool is_one_stream(const AttentionSettings& attention) {
    return attention.blocks.n > 0 || attention.blocks.unembedding == Unembedding::tied;
}

// What all heads' values come to side by side.
int joined_width(const Document& document, const std::string& prefix);

// As it stands in the window: nothing where the document has no such width of its own.
std::optional<int> width_of(const Document& document, Width width);

} // namespace lab
