#include "engine/document_tensors.h"

namespace lab {

const DocumentTensor* find_document_tensor(std::string_view name) {
    const std::string_view own = name_in_block(name);
    const bool has_prefix = own.size() < name.size();
    for (const DocumentTensor& known : kDocumentTensors) {
        if (known.name == own) return has_prefix && !known.is_in_block() ? nullptr : &known;
    }
    return nullptr;
}

namespace {

// Of the first block where the document has blocks and it stands in one; null if there is none.
const Tensor* find_tensor(const Document& document, const DocumentTensor& known) {
    auto found = document.tensors.find(known.name);
    if (found == document.tensors.end() && known.is_in_block() && document.attention.blocks.n > 0) {
        found = document.tensors.find(std::string("blocks.0.") + known.name);
    }
    return found == document.tensors.end() ? nullptr : &found->second;
}

} // namespace

const DocumentTensor* find_named_by(const Document& document, RowWords words) {
    for (const DocumentTensor& known : kDocumentTensors) {
        if (known.row_words == words && find_tensor(document, known) != nullptr) return &known;
    }
    return nullptr;
}

int n_rows_named_by(const Document& document, RowWords words) {
    const DocumentTensor* named = find_named_by(document, words);
    return named == nullptr ? 0 : n_rows_named_by(document, *named);
}

int n_rows_named_by(const Document& document, const DocumentTensor& named) {
    const Shape& shape = find_tensor(document, named)->shape();
    return shape.rank == 1 ? shape.cols : shape.rows;
}

} // namespace lab
