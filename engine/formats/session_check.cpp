#include <algorithm>

#include "engine/document_tensors.h"
#include "engine/formats/json_text.h"
#include "engine/formats/session.h"
#include "engine/formats/session_names.h"

namespace lab {

namespace {

std::string count_of(std::size_t n, const std::string& thing) {
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

const Shape* find_shape(const Document& document, const char* first, const char* second, std::string& name) {
    for (const char* candidate : {first, second}) {
        const auto found = document.tensors.find(candidate);
        if (found == document.tensors.end()) continue;
        name = candidate;
        return &found->second.shape();
    }
    return nullptr;
}

// Tokens name the rows of one of two tensors: what is wrong with their number, or nothing.
std::string tokens_error(const std::vector<std::string>& tokens, const std::string& key, const Document& document,
                         const char* tensor, const char* given_tensor) {
    if (tokens.empty()) return {};
    std::string name;
    const Shape* shape = find_shape(document, tensor, given_tensor, name);
    const std::string facts = key + " has " + count_of(tokens.size(), "word") + " but ";
    if (shape == nullptr) return facts + "there is no tensor " + tensor;
    if (static_cast<std::size_t>(shape->rows) == tokens.size()) return {};
    return facts + name + " has " + count_of(static_cast<std::size_t>(shape->rows), "row");
}

std::string rank_error(const std::string& name, const Shape& shape) {
    const bool is_bias = name.rfind("b_", 0) == 0;
    const bool is_input = name == "inputs" || name == "context_inputs";
    if (is_bias && shape.rank != 1) return name + " is " + shape.to_text() + " but must be a list of numbers";
    if (!is_bias && shape.rank == 1) return name + " is a list of numbers but must be a list of rows";
    if (is_input && shape.rank != 2) return name + " is " + shape.to_text() + " but must have rows and columns only";
    if (shape.size() == 0) return name + " is " + shape.to_text() + " but a tensor has at least one number";
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
    std::string error = tokens_error(document.tokens, "tokens", document, "inputs", "queries");
    if (error.empty()) {
        error = tokens_error(document.context_tokens, "context_tokens", document, "context_inputs", "keys");
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

const std::vector<std::string>& document_tensor_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const DocumentTensor& tensor : kDocumentTensors) all.emplace_back(tensor.name);
        return all;
    }();
    return names;
}

bool is_document_tensor(const std::string& name) {
    const auto& names = document_tensor_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace lab
