#pragma once

#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/result.h"
#include "engine/tensor.h"

namespace lab {

// What the edits share: drawing tensors from made_by within a document, and taking tensors apart by rows and columns.

bool has_tensor(const Document& document, const std::string& name);

// Queries, keys and values are given directly: there are no inputs and no projections.
bool is_given_directly(const Document& document);

// Rows that tokens name: of inputs, or of queries where they are given; 0 without either.
int n_tokens(const Document& document);
// Rows that are attended to.
int n_key_tokens(const Document& document);

// The tensor that `how` draws at this shape for this document: an embedding looks the tokens' ids up, a linear layer's
// bias knows its matrix. The document must have its tokens already.
Result<Tensor> drawn(const Document& document, const std::string& name, const MadeBy& how, const Shape& shape);

// Whether the tensor has a made_by that draws exactly its numbers.
bool is_as_drawn(const Document& document, const std::string& name);

// Drops made_by where it no longer is the truth. Costs a draw.
void forget_untrue_made_by(Document& document, const std::string& name);

// The vocabulary afterwards has the word at its sorted place.
void add_to_vocabulary(Document& document, const std::string& word);

// Rows and columns of `from` in this order, plane by plane; −1 stands for a new one of zeros.
Tensor gathered(const Tensor& from, const std::vector<int>& rows, const std::vector<int>& cols);

// 0, 1, …, n − 1
std::vector<int> counted(int n);
// The same as long as there are so many, then −1.
std::vector<int> counted_up_to(int n, int n_existing);

// The shapes and those of the matrices that projections need and that are not among them, as SetAttention says.
TensorShapes with_missing_projections(const AttentionSettings& attention, TensorShapes shapes);

// Whether tensors of these shapes could be computed with, asked before they are made: memory may not hold them.
Result<Done> check_shapes(const AttentionSettings& attention, const TensorShapes& shapes);

// Where projections are on and the document has inputs but not all of W_query, W_key and W_value: draws the missing
// ones as SetAttention says.
Result<Done> add_missing_projections(Document& document);

} // namespace lab
