#include <algorithm>

#include "app/session/drawing.h"
#include "app/session/edits.h"
#include "app/session/resizing.h"
#include "engine/document_tensors.h"
#include "engine/initialisers.h"
#include "engine/tokenizer.h"

namespace lab {

namespace {

std::string no_token_error(const Document& document, int index) {
    const int n = n_tokens(document);
    if (index >= 0 && index < n) return {};
    return "there are " + std::to_string(n) + " tokens but number " + std::to_string(index + 1) + " is meant";
}

// Tokens name the keys too, unless those have words or a number of their own.
bool tokens_are_keys(const Document& document) {
    return document.context_tokens.empty() && n_tokens(document) == n_key_tokens(document);
}

// Rearranges everything that has a row (the mask: also a column) per token. order: old places, −1 for a new token.
void reorder_tokens(Document& document, const std::vector<int>& order) {
    const bool keys_follow = tokens_are_keys(document);
    const auto follows = [&](Axis axis) { return axis == Axis::queries || (axis == Axis::keys && keys_follow); };
    for (const DocumentTensor& known : kDocumentTensors) {
        const auto found = document.tensors.find(known.name);
        const bool rows = follows(known.rows), cols = follows(known.cols);
        if (found == document.tensors.end() || !(rows || cols)) continue;
        Tensor& tensor = found->second;
        tensor =
            gathered(tensor, rows ? order : counted(tensor.shape().rows), cols ? order : counted(tensor.shape().cols));
    }
}

// Rows without words are shown as 1, 2, …; once one gets a word, the others keep these as theirs.
void number_tokens(Document& document, int n) {
    for (int i = 0; i < n; ++i) document.tokens.push_back(std::to_string(i + 1));
}

void forget_untrue_rows(Document& document) {
    for (const DocumentTensor& known : kDocumentTensors) {
        if (known.has_tokens()) forget_untrue_made_by(document, known.name);
    }
}

void set_row(Document& document, const std::string& name, int row, std::span<const float> values) {
    Tensor& tensor = document.tensors.at(name);
    std::vector<float> cells = tensor.values();
    std::copy(values.begin(), values.end(), cells.begin() + static_cast<std::ptrdiff_t>(row) * tensor.shape().cols);
    tensor = Tensor(tensor.shape(), cells);
}

// What made_by of the inputs draws for one more token: an embedding the word's row of its table, or the first row that
// no word has; others the row after the last. `before` has the tokens without the new one.
Result<Tensor> next_row(const Document& before, const MadeBy& how, const std::string& word) {
    const Shape shape = before.tensors.at("inputs").shape();
    if (how.init == "embedding") {
        const auto& words = before.vocabulary;
        const auto place = std::lower_bound(words.begin(), words.end(), word);
        const bool is_known = place != words.end() && *place == word;
        const int n_used = words.empty() ? shape.rows : static_cast<int>(words.size());
        const int id = is_known ? static_cast<int>(place - words.begin()) : n_used;
        FillContext context;
        context.token_ids = std::span(&id, 1);
        return make_tensor(how, Shape::matrix(1, shape.cols), context);
    }
    Result<Tensor> longer = make_tensor(how, Shape::matrix(shape.rows + 1, shape.cols));
    if (!longer) return longer;
    return gathered(*longer, {shape.rows}, counted(shape.cols));
}

// Fills the inputs of a token just added at `at`.
void fill_new_token(Document& document, const Document& before, const AddToken& command) {
    const auto twin = std::find(before.tokens.begin(), before.tokens.end(), command.word);
    const auto how = before.made_by.find("inputs");
    if (twin != before.tokens.end()) {
        const Tensor inputs = before.tensors.at("inputs");
        set_row(document, "inputs", command.at, inputs.row(static_cast<int>(twin - before.tokens.begin())));
    } else if (how != before.made_by.end()) {
        const Result<Tensor> row = next_row(before, how->second, command.word);
        if (row) set_row(document, "inputs", command.at, row->row(0));
    }
}

std::string sentence_error(const std::vector<std::string>& words, const SetSentence& command) {
    if (words.empty()) return "the sentence has 0 words but attention needs 1 token";
    if (words.size() > static_cast<std::size_t>(kMostTokens)) {
        return "there can be " + std::to_string(kMostTokens) + " tokens but the sentence has " +
               std::to_string(words.size()) + " words";
    }
    if (command.width >= 1 && command.width <= kMostWidth) return {};
    return "d_in can be 1 to " + std::to_string(kMostWidth) + " but is to be " + std::to_string(command.width);
}

} // namespace

Result<Document> edited(Document document, const AddToken& command) {
    const int n = n_tokens(document);
    if (command.at < 0 || command.at > n) {
        return Error{"there are " + std::to_string(n) + " tokens but the new one is to be number " +
                     std::to_string(command.at + 1)};
    }
    if (n >= kMostTokens)
        return Error{"there can be " + std::to_string(kMostTokens) + " tokens and there are " + std::to_string(n)};
    const Document before = document;
    std::vector<int> order = counted(n);
    order.insert(order.begin() + command.at, -1);
    reorder_tokens(document, order);
    if (document.tokens.empty() && !command.word.empty()) number_tokens(document, n);
    if (n == static_cast<int>(document.tokens.size())) {
        document.tokens.insert(document.tokens.begin() + command.at, command.word);
    }
    if (!is_given_directly(document)) fill_new_token(document, before, command);
    if (!document.vocabulary.empty()) add_to_vocabulary(document, command.word);
    forget_untrue_rows(document);
    return document;
}

Result<Document> edited(Document document, const RemoveToken& command) {
    std::string error = no_token_error(document, command.index);
    if (!error.empty()) return Error{std::move(error)};
    if (n_tokens(document) == 1) return Error{"this is the only token and attention needs one"};
    std::vector<int> order = counted(n_tokens(document));
    order.erase(order.begin() + command.index);
    reorder_tokens(document, order);
    if (!document.tokens.empty()) document.tokens.erase(document.tokens.begin() + command.index);
    forget_untrue_rows(document);
    return document;
}

Result<Document> edited(Document document, const RenameToken& command) {
    std::string error = no_token_error(document, command.index);
    if (!error.empty()) return Error{std::move(error)};
    if (document.tokens.empty()) number_tokens(document, n_tokens(document));
    document.tokens[static_cast<std::size_t>(command.index)] = command.word;
    if (!document.vocabulary.empty()) add_to_vocabulary(document, command.word);
    forget_untrue_made_by(document, "inputs");
    return document;
}

Result<Document> edited(Document document, const MoveToken& command) {
    for (int index : {command.from, command.to}) {
        std::string error = no_token_error(document, index);
        if (!error.empty()) return Error{std::move(error)};
    }
    std::vector<int> order = counted(n_tokens(document));
    order.erase(order.begin() + command.from);
    order.insert(order.begin() + command.to, command.from);
    reorder_tokens(document, order);
    if (!document.tokens.empty()) {
        std::vector<std::string> words;
        for (int index : order) words.push_back(document.tokens[static_cast<std::size_t>(index)]);
        document.tokens = std::move(words);
    }
    forget_untrue_rows(document);
    return document;
}

Result<Document> edited(Document document, const SetSentence& command) {
    const std::vector<std::string> words = split_words(command.text);
    std::string error = sentence_error(words, command);
    if (!error.empty()) return Error{std::move(error)};
    for (const DocumentTensor& known : kDocumentTensors) {
        if (known.role != Role::projection) continue;
        document.tensors.erase(known.name);
        document.made_by.erase(known.name);
    }
    document.tokens = words;
    document.context_tokens.clear();
    document.vocabulary = sorted_vocabulary(words);
    const int n = static_cast<int>(words.size());
    const std::map<Axis, int> lengths = {{Axis::queries, n}, {Axis::keys, n}, {Axis::input_dimensions, command.width}};
    const std::map<std::string, Shape> changed = shapes_with(document, lengths);
    TensorShapes shapes = changed;
    shapes.try_emplace("inputs", Shape::matrix(n, command.width));
    shapes.merge(document.shapes());
    shapes = with_missing_projections(document.attention, std::move(shapes));
    if (const Result<Done> fits = check_shapes(document.attention, shapes); !fits) return Error{fits.error()};
    const MadeBy how{"embedding", command.seed, 0, {}, {}};
    const Result<Tensor> inputs = drawn(document, "inputs", how, Shape::matrix(n, command.width));
    if (!inputs) return Error{inputs.error()};
    document.tensors["inputs"] = *inputs;
    document.made_by["inputs"] = how;
    resize_tensors(document, changed);
    const Result<Done> done = add_missing_projections(document);
    if (!done) return Error{done.error()};
    return document;
}

int place_after(const AddToken& added, int place) { return place >= added.at ? place + 1 : place; }

int place_after(const RemoveToken& removed, int place) { return place > removed.index ? place - 1 : place; }

int place_after(const MoveToken& moved, int place) {
    if (place == moved.from) return moved.to;
    if (moved.from < place && place <= moved.to) return place - 1;
    if (moved.to <= place && place < moved.from) return place + 1;
    return place;
}

} // namespace lab
