#include "engine/document_tensors.h"

namespace lab {

const DocumentTensor* find_document_tensor(std::string_view name) {
    for (const DocumentTensor& known : kDocumentTensors) {
        if (known.name == name) return &known;
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
    return named == nullptr ? 0 : document.tensors.at(named->name).shape().rows;
}

} // namespace lab
