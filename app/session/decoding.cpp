#include "app/session/decoding.h"

#include <algorithm>

#include "app/session/completing.h"
#include "app/session/drawing.h"
#include "app/session/edits.h"
#include "app/session/resizing.h"
#include "app/session/vocabulary.h"
#include "engine/count_text.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

// Why no token can be decoded, or nothing.
std::string decoding_error(const Document& document) {
    if (is_given_directly(document))
        return "a token is decoded from its inputs, but queries, keys and values are given";
    if (!document.attention.projections) return "a cache keeps keys and values, but projections is false";
    if (has_tensor(document, "context_inputs"))
        return "a new token has no keys where they come from context_inputs, so that there is nothing to keep";
    return {};
}

std::optional<Tensor> read_first(const Trace& trace, const std::string& prefix,
                                 std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const int node = trace.program().find(prefix + name);
        if (node >= 0) return Tensor(trace.program().node(node).shape, read_all(*trace.source(node)));
    }
    return {};
}

// Of a tensor with a row per token the last alone remains; of the mask what the last query may see.
void keep_the_last(Document& document) {
    for (const std::string& name : tensors_in_order(document)) {
        const DocumentTensor& known = *find_document_tensor(name);
        Places places = Places::all_of(document.tensors.at(name).shape());
        if (known.rows == Axis::queries)
            places.rows = {places.rows.back()};
        else if (known.cols == Axis::queries)
            places.cols = {places.cols.back()};
        else
            continue;
        document.tensors[name] = rearranged(document.tensors.at(name), places);
    }
}

// Padding is not kept: rows of the past from there on are left out.
void drop_padding(Document& document, int n_kept) {
    for (const std::string& name : tensors_in_order(document)) {
        if (find_document_tensor(name)->rows != Axis::past_keys) continue;
        Places places = Places::all_of(document.tensors.at(name).shape());
        places.rows = counted(std::min(n_kept, static_cast<int>(places.rows.size())));
        document.tensors[name] = rearranged(document.tensors.at(name), places);
    }
}

// Numbers that were drawn row by row are so still, further on.
void keep_made_by(Document& document, const MadeBy& before, const Shape& shape_before) {
    MadeBy how = before;
    document.made_by["inputs"] = how;
    if (is_as_drawn(document, "inputs")) return;
    how.skip += static_cast<std::int64_t>(draws(how, shape_before));
    document.made_by["inputs"] = how;
    forget_untrue_made_by(document, "inputs");
}

// Why the tables have no row for the word or its place, or nothing.
std::string table_error(const Document& document, const std::string& word) {
    if (has_tensor(document, "token_ids")) {
        const int n_rows = document.tensors.at("W_embedding").shape().rows, id = id_of(document, word);
        const bool ids_are_places = static_cast<int>(document.vocabulary.size()) == n_rows;
        if (!ids_are_places && (id < 0 || id >= n_rows))
            return "\"" + word + "\" is no word of the vocabulary, so that W_embedding with " +
                   count_text(static_cast<std::size_t>(n_rows), "row") + " has none for it";
    }
    const bool is_given = has_tensor(document, "W_position") && document.made_by.count("W_position") == 0;
    if (document.attention.position != Position::learned || !is_given) return {};
    const int n_rows = document.tensors.at("W_position").shape().rows, n = n_past(document) + n_queries(document);
    if (n < n_rows) return {};
    return "W_position has " + count_text(static_cast<std::size_t>(n_rows), "row") +
           " but with the next word there are " + std::to_string(n + 1) + " places";
}

// Zeros would give every key the same weight: a word that nothing knows gets numbers of its own, always the same, in the
// range of those that are there.
void draw_unknown_row(Document& document, const Document& before, const std::string& word) {
    const Tensor now = document.tensors.at("inputs"), known = before.tensors.at("inputs");
    const auto last = now.row(now.shape().rows - 1);
    if (std::any_of(last.begin(), last.end(), [](float x) { return x != 0; })) return;
    const std::vector<float> numbers = known.values();
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    const char* init = *least >= 0 && *greatest <= 1 ? "rand" : "randn";
    const Result<Tensor> row =
        fresh_numbers(document, "inputs " + word, {init, 0, 0, {}, {}}, Shape::matrix(1, now.shape().cols));
    if (!row) return;
    for (int col = 0; col < now.shape().cols; ++col) {
        const Cell cell{0, now.shape().rows - 1, col};
        document.tensors["inputs"] = document.tensors.at("inputs").with(cell, row->at({0, 0, col}));
    }
}

std::string bytes_text(std::uint64_t bytes) { return count_text(bytes, "byte"); }

} // namespace

Result<std::map<std::string, Tensor>> computed_past(const Document& document, const Trace& trace) {
    if (std::string error = decoding_error(document); !error.empty()) return Error{std::move(error)};
    std::map<std::string, Tensor> past;
    for (const std::string& prefix : block_prefixes(document.attention)) {
        const auto keys = read_first(trace, prefix, {"present_keys", "rotated_keys", "keys"});
        const auto values = read_first(trace, prefix, {"present_values", "values"});
        if (!keys || !values) return Error{"there are no keys and values to keep"};
        past[prefix + "past_keys"] = *keys;
        past[prefix + "past_values"] = *values;
    }
    return past;
}

Result<Document> edited(Document document, const DecodeStep& command) {
    if (std::string error = decoding_error(document); !error.empty()) return Error{std::move(error)};
    if (std::string error = table_error(document, command.word); !error.empty()) return Error{std::move(error)};
    const Document before = document;
    std::vector<std::string> words = document.context_tokens;
    if (words.empty()) words.assign(static_cast<std::size_t>(n_past(document)), "");
    const auto n_used =
        static_cast<std::ptrdiff_t>(std::min(document.tokens.size(), static_cast<std::size_t>(n_queries(document))));
    words.insert(words.end(), document.tokens.begin(), document.tokens.begin() + n_used);
    Result<Document> longer = edited(std::move(document), AddToken{n_tokens(before), command.word});
    if (!longer) return longer;
    document = *longer;
    const bool is_known = std::find(before.tokens.begin(), before.tokens.end(), command.word) != before.tokens.end();
    if (has_tensor(document, "inputs") && !is_known) draw_unknown_row(document, before, command.word);
    const std::optional<int> n_kept = document.attention.nonpad_keys;
    keep_the_last(document);
    if (!document.tokens.empty()) document.tokens = {command.word};
    for (const auto& [name, tensor] : command.past) document.tensors[name] = tensor;
    if (n_kept) {
        drop_padding(document, *n_kept);
        document.attention.nonpad_keys.reset();
    }
    words.resize(std::min(words.size(), static_cast<std::size_t>(n_past(document))));
    const bool has_words = static_cast<int>(words.size()) == n_past(document);
    document.context_tokens = has_words ? words : std::vector<std::string>();
    const auto how = before.made_by.find("inputs");
    if (how != before.made_by.end()) keep_made_by(document, how->second, before.tensors.at("inputs").shape());
    if (Result<Done> done = complete(document); !done) return Error{done.error()};
    return document;
}

Result<DecodeStep> decode_step(const Document& document, const Trace& trace, const std::string& word) {
    Result<std::map<std::string, Tensor>> past = computed_past(document, trace);
    if (!past) return Error{past.error()};
    return DecodeStep{word, std::move(past).value()};
}

CacheSize cache_size(const Document& document) {
    CacheSize size{n_past(document), 0, 0};
    const AttentionSettings& settings = document.attention;
    for (const std::string& prefix : block_prefixes(settings)) {
        const auto d_k = static_cast<std::uint64_t>(key_width(document, prefix).value_or(0));
        const auto d_v = static_cast<std::uint64_t>(value_width(document, prefix).value_or(0));
        const std::uint64_t per_head = static_cast<std::uint64_t>(size.n_tokens) * (d_k + d_v) * sizeof(float);
        size.bytes += per_head * static_cast<std::uint64_t>(n_groups(settings));
        size.bytes_ungrouped += per_head * static_cast<std::uint64_t>(settings.n_heads);
    }
    return size;
}

std::string cache_text(const Document& document) {
    const CacheSize size = cache_size(document);
    const AttentionSettings& settings = document.attention;
    if (size.n_tokens == 0) return "Nothing is cached yet.";
    const auto count = [](int n, const char* thing) { return count_text(static_cast<std::size_t>(n), thing); };
    const std::string prefix = block_prefixes(settings).front();
    const std::string blocks = settings.blocks.n > 0 ? count(settings.blocks.n, "block") + " · " : "";
    std::string text = "The cache holds " + blocks + count(n_groups(settings), "head") + " · " +
                       count(size.n_tokens, "token") + " · (" +
                       std::to_string(key_width(document, prefix).value_or(0)) + " + " +
                       std::to_string(value_width(document, prefix).value_or(0)) +
                       ") numbers · 4 bytes = " + bytes_text(size.bytes) + ".";
    if (size.bytes_ungrouped != size.bytes) {
        text += " With keys and values for each of " + count(settings.n_heads, "head") + ": " +
                bytes_text(size.bytes_ungrouped) + ".";
    }
    return text;
}

} // namespace lab
