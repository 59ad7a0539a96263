#pragma once

#include <string>
#include <vector>

#include "engine/document.h"

namespace lab {

// A tensor that a document may have or not, whatever its settings say: what AddTensor and RemoveTensor are for.
struct OptionalTensor {
    std::string name; // without a block's prefix: it stands in all blocks, or in none
    std::string sentence;
    bool is_there = false;
};

// Those that the document has, or could use, in the order of the table.
std::vector<OptionalTensor> optional_tensors(const Document& document);

} // namespace lab
