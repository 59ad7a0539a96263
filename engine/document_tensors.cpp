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

const DocumentTensor* find_named_by(const Document& document, RowWords words) {
    for (const DocumentTensor& known : kDocumentTensors) {
        if (known.row_words == words && document.tensors.count(known.name) > 0) return &known;
    }
    return nullptr;
}

int n_rows_named_by(const Document& document, RowWords words) {
    const DocumentTensor* named = find_named_by(document, words);
    if (named == nullptr) return 0;
    const Shape& shape = document.tensors.at(named->name).shape();
    return shape.rank == 1 ? shape.cols : shape.rows;
}

} // namespace lab
