#include "app/session/vocabulary.h"

#include <algorithm>
#include <cmath>

#include "app/session/drawing.h"
#include "app/session/resizing.h"
#include "engine/initialisers.h"
#include "engine/tokenizer.h"

namespace lab {

namespace {

int place_in(const std::vector<std::string>& words, const std::string& word) {
    const auto place = std::lower_bound(words.begin(), words.end(), word);
    return place != words.end() && *place == word ? static_cast<int>(place - words.begin()) : -1;
}

// One row for each word, new ones as they are drawn next.
void follow_words(Document& document, const std::vector<int>& old_places, int n_before) {
    const auto found = document.tensors.find("W_embedding");
    if (found == document.tensors.end() || found->second.shape().rows != n_before) return;
    const Tensor before = found->second;
    const int n_cols = before.shape().cols;
    const int n_new = static_cast<int>(std::count(old_places.begin(), old_places.end(), -1));
    const bool is_drawn = is_as_drawn(document, "W_embedding");
    const MadeBy how = is_drawn ? document.made_by.at("W_embedding") : MadeBy{"randn", 123, 0, {}, {}};
    const Result<Tensor> longer = drawn(document, "W_embedding", how, Shape::matrix(n_before + n_new, n_cols));
    std::vector<float> values;
    int next = n_before;
    for (int place : old_places) {
        const bool is_new = place < 0;
        if (is_new && !longer) values.insert(values.end(), static_cast<std::size_t>(n_cols), 0.0f);
        if (is_new && !longer) continue;
        const auto row = is_new ? longer->row(next++) : before.row(place);
        values.insert(values.end(), row.begin(), row.end());
    }
    document.tensors["W_embedding"] = Tensor(Shape::matrix(static_cast<int>(old_places.size()), n_cols), values);
    forget_untrue_made_by(document, "W_embedding");
}

// One column for each word.
void columns_follow_words(Document& document, const std::string& name, const std::vector<int>& old_places,
                          int n_before) {
    const auto found = document.tensors.find(name);
    if (found == document.tensors.end() || found->second.shape().cols != n_before) return;
    Places places = Places::all_of(found->second.shape());
    places.cols = old_places;
    const Result<Tensor> fresh = make_tensor({"randn", 123, 0, {}, {}}, places.shape());
    const bool is_matrix = found->second.shape().rank > 1;
    document.tensors[name] = rearranged(found->second, places, is_matrix && fresh ? &*fresh : nullptr);
    forget_untrue_made_by(document, name);
}

void ids_follow_words(Document& document, const std::vector<int>& old_places) {
    const auto found = document.tensors.find("token_ids");
    if (found == document.tensors.end()) return;
    std::vector<float> ids = found->second.values();
    for (float& id : ids) {
        const auto now = std::find(old_places.begin(), old_places.end(), static_cast<int>(std::lround(id)));
        if (now != old_places.end()) id = static_cast<float>(now - old_places.begin());
    }
    document.tensors["token_ids"] = Tensor(found->second.shape(), ids);
}

// The rows of words that stand in the sentence; of the others as they are drawn.
Tensor table_of_words(const Document& document) {
    const Tensor& inputs = document.tensors.at("inputs");
    const int n_words = static_cast<int>(document.vocabulary.size());
    Places places{{0}, std::vector<int>(document.vocabulary.size(), -1), counted(inputs.shape().cols), 2};
    for (int token = static_cast<int>(document.tokens.size()) - 1; token >= 0; --token) {
        const int id = id_of(document, document.tokens[static_cast<std::size_t>(token)]);
        places.rows[static_cast<std::size_t>(id)] = token;
    }
    const Result<Tensor> others = make_tensor({"randn", 123, 0, {}, {}}, Shape::matrix(n_words, inputs.shape().cols));
    return rearranged(inputs, places, others ? &*others : nullptr);
}

} // namespace

void change_vocabulary(Document& document, const std::vector<std::string>& words) {
    const Words before = document.vocabulary;
    if (words == before.all()) return;
    std::vector<int> old_places;
    for (const std::string& word : words) old_places.push_back(place_in(before, word));
    const int n_before = static_cast<int>(before.size());
    const auto table = document.tensors.find("W_embedding");
    const bool ids_are_places = table != document.tensors.end() && table->second.shape().rows == n_before;
    document.vocabulary = words;
    if (ids_are_places) ids_follow_words(document, old_places);
    follow_words(document, old_places, n_before);
    columns_follow_words(document, "W_unembedding", old_places, n_before);
    columns_follow_words(document, "b_unembedding", old_places, n_before);
}

void add_to_vocabulary(Document& document, const std::vector<std::string>& words) {
    std::vector<std::string> all = document.vocabulary;
    all.insert(all.end(), words.begin(), words.end());
    change_vocabulary(document, sorted_vocabulary(all));
}

int id_of(const Document& document, const std::string& word) { return place_in(document.vocabulary, word); }

void number_tokens(Document& document) {
    for (int i = 0; i < n_tokens(document); ++i) document.tokens.push_back(std::to_string(i + 1));
}

void look_inputs_up(Document& document) {
    if (document.tokens.empty()) number_tokens(document);
    add_to_vocabulary(document, document.tokens);
    const int n_words = static_cast<int>(document.vocabulary.size());
    const int n_cols = document.tensors.at("inputs").shape().cols;
    const auto how = document.made_by.find("inputs");
    const bool is_drawn =
        how != document.made_by.end() && how->second.init == "embedding" && is_as_drawn(document, "inputs");
    document.tensors["W_embedding"] = table_of_words(document);
    if (is_drawn) {
        const MadeBy table = how->second;
        if (const Result<Tensor> rows = make_tensor(table, Shape::matrix(n_words, n_cols))) {
            document.tensors["W_embedding"] = *rows;
            document.made_by["W_embedding"] = table;
        }
    }
    std::vector<float> ids;
    for (const std::string& word : document.tokens) ids.push_back(static_cast<float>(id_of(document, word)));
    document.tensors["token_ids"] = Tensor(Shape::vector(static_cast<int>(ids.size())), ids);
    document.tensors.erase("inputs");
    document.made_by.erase("inputs");
}

void write_inputs_out(Document& document) {
    const Tensor table = document.tensors.at("W_embedding");
    std::vector<int> rows;
    for (float id : document.tensors.at("token_ids").values()) {
        const bool is_a_row = id >= 0 && id < static_cast<float>(table.shape().rows);
        rows.push_back(is_a_row ? static_cast<int>(std::lround(id)) : -1);
    }
    document.tensors["inputs"] = rearranged(table, {{0}, rows, counted(table.shape().cols), 2});
    const auto how = document.made_by.find("W_embedding");
    if (how != document.made_by.end()) {
        document.made_by["inputs"] = how->second;
        forget_untrue_made_by(document, "inputs");
    }
    for (const char* name : {"token_ids", "W_embedding"}) {
        document.tensors.erase(name);
        document.made_by.erase(name);
    }
}

} // namespace lab
