#include <algorithm>
#include <iterator>

#include "engine/count_text.h"
#include "engine/document_tensors.h"
#include "engine/formats/json_text.h"
#include "engine/formats/session.h"
#include "engine/formats/session_names.h"

namespace lab {

namespace {

// What is wrong with the number of words that name rows, or nothing.
std::string words_error(const std::vector<std::string>& words, const std::string& key, const Document& document,
                        RowWords kind) {
    if (words.empty()) return {};
    const DocumentTensor* named = find_named_by(document, kind);
    const std::string facts = key + " has " + count_text(words.size(), "word") + " but ";
    if (named == nullptr) {
        const auto first = std::find_if(std::begin(kDocumentTensors), std::end(kDocumentTensors),
                                        [&](const DocumentTensor& known) { return known.row_words == kind; });
        return facts + "there is no tensor " + first->name;
    }
    const auto n_rows = static_cast<std::size_t>(document.tensors.at(named->name).shape().rows);
    return n_rows == words.size() ? std::string() : facts + named->name + " has " + count_text(n_rows, "row");
}

std::string rank_error(const std::string& name, const Shape& shape) {
    const DocumentTensor* known = find_document_tensor(name);
    const Ranks ranks = known == nullptr ? Ranks{1, 3} : known->ranks;
    if (shape.rank > ranks.most && ranks.most == 1) {
        return name + " is " + shape.to_text() + " but must be a list of numbers";
    }
    if (shape.rank < ranks.least) return name + " is a list of numbers but must be a list of rows";
    if (shape.rank > ranks.most) return name + " is " + shape.to_text() + " but must have rows and columns only";
    if (shape.n_cells() == 0) return name + " is " + shape.to_text() + " but a tensor has at least one number";
    return {};
}

std::string vocabulary_error(const std::vector<std::string>& vocabulary) {
    for (std::size_t i = 1; i < vocabulary.size(); ++i) {
        const std::string before = json_string(vocabulary[i - 1]), word = json_string(vocabulary[i]);
        if (vocabulary[i] == vocabulary[i - 1]) return "vocabulary must be unique but has " + word + " twice";
        if (vocabulary[i] < vocabulary[i - 1]) return "vocabulary must be sorted but has " + before + " before " + word;
    }
    return {};
}

std::string document_error(const Document& document) {
    for (const auto& [name, tensor] : document.tensors) {
        if (std::string error = rank_error(name, tensor.shape()); !error.empty()) return error;
    }
    std::string error = words_error(document.tokens, "tokens", document, RowWords::tokens);
    if (error.empty()) {
        error = words_error(document.context_tokens, "context_tokens", document, RowWords::context_tokens);
    }
    return error.empty() ? vocabulary_error(document.vocabulary) : error;
}

} // namespace

Result<Done> check_document(const Document& document) {
    std::string error = document_error(document);
    if (!error.empty()) return Error{std::move(error)};
    const Result<Program> program = build_program(document);
    if (!program) return Error{program.error()};
    return Done{};
}

Result<Done> check_edited(const Document& document, const Document& before) {
    if (!have_equal_programs(document, before)) return check_document(document);
    std::string error = document_error(document);
    if (!error.empty()) return Error{std::move(error)};
    return Done{};
}

const std::vector<std::string>& document_tensor_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const DocumentTensor& tensor : kDocumentTensors) all.emplace_back(tensor.name);
        return all;
    }();
    return names;
}

bool is_document_tensor(const std::string& name) { return find_document_tensor(name) != nullptr; }

} // namespace lab
