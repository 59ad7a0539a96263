#include <algorithm>

#include "app/session/completing.h"
#include "app/session/drawing.h"
#include "app/session/edits.h"
#include "app/session/resizing.h"
#include "app/session/title.h"
#include "app/session/vocabulary.h"
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

// Tokens name the new keys too, unless those have words or a number of their own.
bool tokens_are_keys(const Document& document) {
    if (has_tensor(document, "context_inputs")) return false;
    if (!is_given_directly(document)) return true;
    return document.context_tokens.empty() && n_tokens(document) == n_keys(document) - n_past(document);
}

// The mask's rows and columns follow those tokens that are used; a past's columns stand before all others.
void reorder_mask(Document& document, const std::vector<int>& order, bool keys_follow) {
    const auto mask = document.tensors.find("mask");
    if (mask == document.tensors.end()) return;
    Places places = Places::all_of(mask->second.shape());
    const int n_rows = static_cast<int>(places.rows.size()), n_cols = static_cast<int>(places.cols.size());
    const int past = std::min(n_past(document), n_cols);
    if (keys_follow) places.cols = counted(past);
    places.rows.clear();
    for (int old : order) {
        places.rows.push_back(old < n_rows ? old : -1);
        if (keys_follow) places.cols.push_back(old >= 0 && past + old < n_cols ? past + old : -1);
    }
    mask->second = rearranged(mask->second, places);
}

// Rearranges everything that has a row (the mask: also a column) per token. order: old places, −1 for a new token.
void reorder_tokens(Document& document, const std::vector<int>& order) {
    const bool keys_follow = tokens_are_keys(document);
    const auto follows = [&](Axis axis) { return axis == Axis::queries || (axis == Axis::keys && keys_follow); };
    reorder_mask(document, order, keys_follow);
    for (const std::string& name : tensors_in_order(document)) {
        const DocumentTensor& known = *find_document_tensor(name);
        const bool rows = follows(known.rows), cols = follows(known.cols);
        if (known.role == Role::mask || !(rows || cols)) continue;
        Places places = Places::all_of(document.tensors.at(name).shape());
        if (rows) places.rows = order;
        if (cols) places.cols = order;
        document.tensors[name] = rearranged(document.tensors.at(name), places);
    }
}

void forget_untrue_rows(Document& document) {
    for (const std::string& name : tensors_in_order(document)) {
        if (find_document_tensor(name)->has_tokens()) forget_untrue_made_by(document, name);
    }
}

// One more or one less key at the place, in the document that it lies in, and among those that are no padding.
void count_key(Document& document, int token, int difference) {
    if (!tokens_are_keys(document)) return;
    const int place = n_past(document) + token;
    std::vector<int>& lengths = document.attention.document_lengths;
    int end = 0;
    for (auto length = lengths.begin(); length != lengths.end(); ++length) {
        end += *length;
        if (place >= end && length + 1 != lengths.end()) continue;
        *length += difference;
        if (*length == 0) lengths.erase(length);
        break;
    }
    std::optional<int>& nonpad = document.attention.nonpad_keys;
    if (nonpad && place < *nonpad) nonpad = std::max(1, *nonpad + difference);
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
    return rearranged(*longer, {{0}, {shape.rows}, counted(shape.cols), 2});
}

// The number of the word; a word of its own where there is none of that name, with a row of its own.
int id_with_row(Document& document, const std::string& word) {
    const int n_rows = document.tensors.at("W_embedding").shape().rows;
    const bool ids_are_places = static_cast<int>(document.vocabulary.size()) == n_rows;
    if (ids_are_places) add_to_vocabulary(document, {word});
    const int id = id_of(document, word);
    return id >= 0 && id < document.tensors.at("W_embedding").shape().rows ? id : 0;
}

void set_id(Document& document, int token, const std::string& word) {
    const int id = id_with_row(document, word);
    document.tensors["token_ids"] = document.tensors.at("token_ids").with({0, 0, token}, static_cast<float>(id));
}

// Fills the inputs of a token just added at `at`.
void fill_new_token(Document& document, const Document& before, const AddToken& command) {
    if (has_tensor(document, "token_ids")) return set_id(document, command.at, command.word);
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

std::map<Axis, int> lengths_of_sentence(const Document& document, int n, int width) {
    std::map<Axis, int> lengths = {{Axis::queries, n}, {Axis::input_dimensions, width}};
    if (is_one_stream(document.attention)) lengths[Axis::model_dimensions] = width;
    return lengths;
}

// What belonged to the old sentence goes: given queries, keys and values, a past, the table of its words, and
// where it came from, though weights from there may stay.
void make_way_for(Document& document, const std::vector<std::string>& words) {
    for (const std::string& name : tensors_in_order(document)) {
        const bool is_of_words = name == "token_ids" || name == "W_embedding";
        if (find_document_tensor(name)->role != Role::projection && !is_of_words) continue;
        document.tensors.erase(name);
        document.made_by.erase(name);
    }
    if (!has_tensor(document, "context_inputs")) document.context_tokens.clear();
    document.tokens = words;
    document.source.clear();
    change_vocabulary(document, sorted_vocabulary(words));
}

} // namespace

std::string sentence_error(const std::vector<std::string>& words, int width) {
    if (words.empty()) return "the sentence has 0 words but attention needs 1 token";
    if (words.size() > static_cast<std::size_t>(kMostTokens)) {
        return "there can be " + std::to_string(kMostTokens) + " tokens but the sentence has " +
               std::to_string(words.size()) + " words";
    }
    if (width >= 1 && width <= kMostWidth) return {};
    return "d_in can be 1 to " + std::to_string(kMostWidth) + " but is to be " + std::to_string(width);
}

Result<Document> edited(Document document, const AddToken& command) {
    const int n = n_tokens(document);
    if (command.at < 0 || command.at > n) {
        return Error{"there are " + std::to_string(n) + " tokens but the new one is to be number " +
                     std::to_string(command.at + 1)};
    }
    if (n >= kMostTokens)
        return Error{"there can be " + std::to_string(kMostTokens) + " tokens and there are " + std::to_string(n)};
    const Document before = document;
    count_key(document, command.at, 1);
    std::vector<int> order = counted(n);
    order.insert(order.begin() + command.at, -1);
    if (document.tokens.empty() && !command.word.empty()) number_tokens(document);
    reorder_tokens(document, order);
    if (n == static_cast<int>(document.tokens.size())) {
        document.tokens.insert(static_cast<std::size_t>(command.at), command.word);
    }
    if (!is_given_directly(document)) fill_new_token(document, before, command);
    if (!document.vocabulary.empty()) add_to_vocabulary(document, {command.word});
    forget_untrue_rows(document);
    if (const Result<Done> done = complete(document); !done) return Error{done.error()};
    return document;
}

Result<Document> edited(Document document, const RemoveToken& command) {
    std::string error = no_token_error(document, command.index);
    if (!error.empty()) return Error{std::move(error)};
    if (n_tokens(document) == 1) return Error{"this is the only token and attention needs one"};
    std::vector<int> order = counted(n_tokens(document));
    order.erase(order.begin() + command.index);
    count_key(document, command.index, -1);
    reorder_tokens(document, order);
    if (!document.tokens.empty()) document.tokens.erase(static_cast<std::size_t>(command.index));
    forget_untrue_rows(document);
    if (const Result<Done> done = complete(document); !done) return Error{done.error()};
    return document;
}

Result<Document> edited(Document document, const RenameToken& command) {
    std::string error = no_token_error(document, command.index);
    if (!error.empty()) return Error{std::move(error)};
    if (document.tokens.empty()) number_tokens(document);
    document.tokens.set(static_cast<std::size_t>(command.index), command.word);
    if (!document.vocabulary.empty()) add_to_vocabulary(document, {command.word});
    if (has_tensor(document, "token_ids")) set_id(document, command.index, command.word);
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
    if (const Result<Done> done = complete(document); !done) return Error{done.error()};
    return document;
}

Result<Document> edited(Document document, const SetSentence& command) {
    const std::vector<std::string> words = split_words(command.text);
    std::string error = sentence_error(words, command.width);
    if (!error.empty()) return Error{std::move(error)};
    if (command.starts_anew) document = {};
    const bool looks_up = has_tensor(document, "token_ids");
    if (!has_given_title(document)) document.title = title_of_sentence(words);
    make_way_for(document, words);
    const int n = static_cast<int>(words.size());
    const Rearrangement changed = with_lengths(document, lengths_of_sentence(document, n, command.width));
    TensorShapes shapes = shapes_after(document, changed);
    shapes["inputs"] = Shape::matrix(n, command.width);
    if (const Result<Done> fits = check_size(shapes); !fits) return Error{fits.error()};
    const MadeBy how{"embedding", command.seed, 0, {}, {}};
    const Result<Tensor> inputs = drawn(document, "inputs", how, Shape::matrix(n, command.width));
    if (!inputs) return Error{inputs.error()};
    document.tensors["inputs"] = *inputs;
    document.made_by["inputs"] = how;
    Rearrangement others = changed;
    others.erase("inputs");
    resize_tensors(document, others, NewCells::zeros);
    if (looks_up) look_inputs_up(document);
    if (const Result<Done> done = complete(document); !done) return Error{done.error()};
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
