#include <algorithm>
#include <iterator>
#include <tuple>

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
        const auto first =
            std::find_if(std::begin(kDocumentTensors), std::end(kDocumentTensors),
                         [&](const DocumentTensor& known) { return known.row_words == kind && known.ranks.most > 1; });
        return facts + "there is no tensor " + first->name;
    }
    const auto n_rows = static_cast<std::size_t>(n_rows_named_by(document, kind));
    const char* rows = named->ranks.most == 1 ? "number" : "row";
    return n_rows == words.size() ? std::string() : facts + named->name + " has " + count_text(n_rows, rows);
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

// Where a tensor stands in a session: among the table's, then by block (its prefix's length goes first, so that block 10
// comes after block 9), then among its block's.
std::tuple<std::ptrdiff_t, std::size_t, std::string_view, std::ptrdiff_t> written_place(const std::string& name) {
    const DocumentTensor* first = std::begin(kDocumentTensors);
    const std::ptrdiff_t own = find_document_tensor(name) - first;
    const std::string_view block = block_prefix(name);
    if (block.empty()) return {own, 0, block, own};
    const auto is_in_block = [](const DocumentTensor& known) { return known.is_in_block(); };
    const DocumentTensor* blocks = std::find_if(first, std::end(kDocumentTensors), is_in_block);
    return {blocks - first, block.size(), block, own};
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

bool is_document_tensor(const std::string& name) { return find_document_tensor(name) != nullptr; }

bool stands_before(const std::string& a, const std::string& b) { return written_place(a) < written_place(b); }

} // namespace lab
