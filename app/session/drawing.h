#pragma once

#include <string>
#include <vector>

#include "engine/document.h"
#include "engine/result.h"
#include "engine/tensor.h"

namespace lab {

// What the edits share: drawing tensors from made_by within a document, and taking tensors apart by rows and columns.

// The tensor that `how` draws at this shape for this document: an embedding looks the tokens' ids up, a linear layer's
// bias knows its matrix. The document must have its tokens already.
Result<Tensor> drawn(const Document& document, const std::string& name, const MadeBy& how, const Shape& shape);

// Whether the tensor has a made_by that draws exactly its numbers.
bool is_as_drawn(const Document& document, const std::string& name);

// Drops made_by where it no longer is the truth. Costs a draw.
void forget_untrue_made_by(Document& document, const std::string& name);

// 0, 1, …, n − 1
std::vector<int> counted(int n);
// The same as long as there are so many, then −1.
std::vector<int> counted_up_to(int n, int n_existing);

// Whether tensors of these shapes could be computed with, asked before they are made: memory may not hold them.
Result<Done> check_shapes(const AttentionSettings& attention, const TensorShapes& shapes);

// Whether memory could hold tensors of these shapes at all, beside what is computed from them.
Result<Done> check_size(const TensorShapes& shapes);

// Lets the document's own mask count, which forbids nothing and is one for all heads where it is not there yet; an error where memory
// could not hold it.
Result<Done> use_own_mask(Document& document);

} // namespace lab
