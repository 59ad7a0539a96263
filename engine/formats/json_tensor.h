#pragma once

#include <map>
#include <string>

#include "engine/formats/json_fields.h"
#include "engine/tensor.h"

namespace lab {

// Nested lists of numbers as a tensor of rank 1, 2 or 3. With `booleans_mask`, lists of true and false too:
// true becomes 0 and false −∞, which is what an additive mask says for the same thing.
//
// An error, with the path: another rank, an empty list, rows of different lengths, a cell that is no number.
bool read_tensor(Reading& reading, const Json& value, const std::string& path, bool booleans_mask, Tensor& out);

// Appends a tensor as nested lists, a line for each row; lines after the first begin with `indent`.
void append_json(std::string& text, const Tensor& tensor, const std::string& indent);

// As many characters as all of these take, about, by their first rows: to be reserved, so that a large text never stands in
// memory twice.
std::size_t json_size(const std::map<std::string, Tensor>& tensors);

} // namespace lab
