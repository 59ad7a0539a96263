#include "app/session/optional_tensors.h"

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

constexpr std::uint64_t kSeed = 321; // another one than the weights', so that no rows are alike
const std::vector<std::string> kContextWords = {"another", "short", "text"};
constexpr int kFirstPast = 2;

enum class Kind {
    vector,  // of zeros, where the tensor is there that it is added after
    output,  // W_output
    context, // a second sentence
    past,    // keys and values together
    mask,
    look_up // token_ids and W_embedding together
};

struct Optional {
    const char* name;
    const char* after; // what must be there, of the same block; or empty
    Kind kind;
    const char* sentence;
};

constexpr Optional kOptionals[] = {
    {"token_ids", "inputs", Kind::look_up,
     "Every word's embedding is a row of a table, looked up by the word's number."},
    {"context_inputs", "inputs", Kind::context, "Keys and values come from another sentence: cross-attention."},
    {"attention_norm_bias", "attention_norm_gain", Kind::vector, "Added to what the norm before attention gives."},
    {"b_query", "W_query", Kind::vector, "Added to every query."},
    {"b_key", "W_key", Kind::vector, "Added to every key."},
    {"b_value", "W_value", Kind::vector, "Added to every value."},
    {"past_keys", "", Kind::past, "Keys and values of tokens that came before: a cache."},
    {"mask", "", Kind::mask, "A matrix that you can edit is added to the scores; −∞ forbids."},
    {"W_output", "", Kind::output, "Mixes what the heads have gathered."},
    {"b_output", "W_output", Kind::vector, "Added to every output."},
    {"mlp_norm_bias", "mlp_norm_gain", Kind::vector, "Added to what the norm before the MLP gives."},
    {"b_up", "W_up", Kind::vector, "Added to what the MLP's first matrix gives."},
    {"b_gate", "W_gate", Kind::vector, "Added to what the MLP's gate gives."},
    {"b_down", "W_down", Kind::vector, "Added to what the MLP's last matrix gives."},
    {"final_norm_bias", "final_norm_gain", Kind::vector, "Added to what the last norm gives."},
    {"b_unembedding", "W_unembedding", Kind::vector, "Added to every word's logit."},
};

const Optional* find_optional(std::string_view name) {
    if (name == "past_values") name = "past_keys";
    if (name == "W_embedding") name = "token_ids";
    for (const Optional& optional : kOptionals) {
        if (name == optional.name) return &optional;
    }
    return nullptr;
}

// The prefixes of the tensors that a command means: its own, or those of all blocks.
std::vector<std::string> prefixes_meant(const Document& document, const std::string& name) {
    const std::string own(block_prefix(name));
    if (!own.empty()) return {own};
    const DocumentTensor* known = find_document_tensor(name);
    if (known == nullptr || !known->is_in_block()) return {""};
    return block_prefixes(document.attention);
}

bool can_be_used(const Document& document, const Optional& optional) {
    const AttentionSettings& settings = document.attention;
    const bool given = is_given_directly(document), stacked = settings.blocks.n > 0;
    const std::string first = block_prefixes(settings).front();
    const bool is_in_block = find_document_tensor(optional.name)->is_in_block();
    const bool has_base = *optional.after == '\0' || has_tensor(document, (is_in_block ? first : "") + optional.after);
    const std::string name = optional.name;
    if (!has_base) return false;
    const DocumentTensor* base = find_document_tensor(optional.after);
    if (base != nullptr && base->is_input_projection()) return settings.projections && !given;
    if (optional.kind == Kind::context) return !stacked && !given;
    if (name == "attention_norm_bias" || name == "mlp_norm_bias") return stacked && settings.blocks.norm != Norm::none;
    if (name == "b_up" || name == "b_down") return stacked && settings.blocks.mlp != Mlp::none;
    if (name == "b_gate") return stacked && settings.blocks.mlp == Mlp::silu_gated;
    if (name == "b_unembedding") return settings.blocks.unembedding != Unembedding::none;
    if (name == "final_norm_bias") return settings.blocks.final_norm;
    return true;
}

Result<Done> put(Document& document, const std::string& name, const MadeBy& how, const Shape& shape) {
    const Result<Tensor> made = drawn(document, name, how, shape);
    if (!made) return Error{name + ": " + made.error()};
    document.tensors[name] = *made;
    document.made_by[name] = how;
    return Done{};
}

Result<Done> add_vectors(Document& document, const Optional& optional, const std::vector<std::string>& prefixes) {
    for (const std::string& prefix : prefixes) {
        const Shape& base = document.tensors.at(prefix + optional.after).shape();
        Result<Done> done =
            put(document, prefix + optional.name, {"zeros", 0, 0, {}, {}}, Shape::vector(base.planes * base.cols));
        if (!done) return done;
    }
    return Done{};
}

Result<Done> add_output(Document& document, const std::vector<std::string>& prefixes) {
    for (const std::string& prefix : prefixes) {
        const int joined = joined_width(document, prefix), d_in = input_width(document);
        const Shape shape = Shape::matrix(joined, d_in > 0 ? d_in : joined);
        if (Result<Done> done = put(document, prefix + "W_output", {"linear", kSeed, 0, {}, {}}, shape); !done)
            return done;
    }
    return Done{};
}

// Rows of a past stand before all other columns of the mask, and in the first of the documents.
void move_keys_back(Document& document, int n) {
    AttentionSettings& settings = document.attention;
    if (!settings.document_lengths.empty()) settings.document_lengths.front() += n;
    if (settings.nonpad_keys) *settings.nonpad_keys += n;
    const auto mask = document.tensors.find("mask");
    if (mask == document.tensors.end()) return;
    Places places = Places::all_of(mask->second.shape());
    places.cols.insert(places.cols.begin(), static_cast<std::size_t>(n), -1);
    mask->second = rearranged(mask->second, places);
}

Result<Done> add_past(Document& document) {
    MadeBy how{"rand", kSeed, 0, {}, {}};
    for (const std::string& prefix : block_prefixes(document.attention)) {
        for (const char* name : {"past_keys", "past_values"}) {
            const bool of_values = std::string_view(name) == "past_values";
            const int width = (of_values ? value_width : key_width)(document, prefix).value_or(1);
            Shape shape = past_shape(document, of_values, width);
            shape.rows = kFirstPast;
            if (Result<Done> done = put(document, prefix + name, how, shape); !done) return done;
            how.skip += static_cast<std::int64_t>(draws(how, shape));
        }
    }
    move_keys_back(document, kFirstPast);
    return Done{};
}

Result<Done> add(Document& document, const Optional& optional, const std::vector<std::string>& prefixes) {
    switch (optional.kind) {
    case Kind::vector: return add_vectors(document, optional, prefixes);
    case Kind::output: return add_output(document, prefixes);
    case Kind::past: return add_past(document);
    case Kind::look_up: look_inputs_up(document); return Done{};
    case Kind::mask: return use_own_mask(document);
    case Kind::context: break;
    }
    document.context_tokens = kContextWords;
    const Shape shape = Shape::matrix(static_cast<int>(kContextWords.size()), input_width(document));
    return put(document, "context_inputs", {"rand", kSeed, 0, {}, {}}, shape);
}

void erase(Document& document, const std::string& name) {
    document.tensors.erase(name);
    document.made_by.erase(name);
}

// The mask's columns and lengths of documents that stood for the past go with it.
void remove_past(Document& document) {
    const int n = n_past(document);
    if (const auto mask = document.tensors.find("mask"); mask != document.tensors.end()) {
        Places places = Places::all_of(mask->second.shape());
        const int n_cols = static_cast<int>(places.cols.size());
        places.cols.erase(places.cols.begin(), places.cols.begin() + std::min(n, n_cols - 1));
        mask->second = rearranged(mask->second, places);
    }
    if (!has_tensor(document, "context_inputs") && !has_tensor(document, "keys")) document.context_tokens.clear();
    for (const std::string& name : tensors_in_order(document)) {
        if (find_document_tensor(name)->rows == Axis::past_keys) erase(document, name);
    }
    std::vector<int>& lengths = document.attention.document_lengths;
    for (int left = n; left > 0 && !lengths.empty();) {
        const int taken = std::min(left, lengths.front());
        lengths.front() -= taken;
        left -= taken;
        if (lengths.front() == 0) lengths.erase(lengths.begin());
    }
    std::optional<int>& nonpad = document.attention.nonpad_keys;
    if (nonpad) nonpad = std::max(1, *nonpad - n);
}

// What leaves with a tensor, and what settings say of it.
void remove(Document& document, const std::string& name) {
    const std::string own(name_in_block(name)), prefix(block_prefix(name));
    const Optional* optional = find_optional(own);
    if (optional != nullptr && optional->kind == Kind::past) return remove_past(document);
    if (optional != nullptr && optional->kind == Kind::look_up) return write_inputs_out(document);
    erase(document, name);
    if (own == "W_output") erase(document, prefix + "b_output");
    if (own == "context_inputs") document.context_tokens.clear();
    if (own == "mask" && document.attention.mask == MaskKind::tensor) document.attention.mask = MaskKind::none;
}

std::string output_is_needed(const Document& document, const std::string& prefix) {
    return "the heads side by side have " +
           count_text(static_cast<std::size_t>(joined_width(document, prefix)), "column") + " but what reads them is " +
           std::to_string(document.tensors.at(prefix + "W_output").shape().cols) + " wide, so " + prefix +
           "W_output is needed";
}

} // namespace

std::vector<OptionalTensor> optional_tensors(const Document& document) {
    std::vector<OptionalTensor> all;
    for (const Optional& optional : kOptionals) {
        const std::string name = optional.name;
        bool is_there = true;
        for (const std::string& prefix : prefixes_meant(document, name))
            is_there = is_there && has_tensor(document, prefix + name);
        if (is_there || can_be_used(document, optional)) all.push_back({name, optional.sentence, is_there});
    }
    return all;
}

Result<Document> edited(Document document, const AddTensor& command) {
    const std::string own(name_in_block(command.name));
    const Optional* optional = find_document_tensor(command.name) == nullptr ? nullptr : find_optional(own);
    if (optional == nullptr)
        return Error{command.name + " is no tensor that can be added; settings bring along what they need"};
    std::vector<std::string> missing;
    for (const std::string& prefix : prefixes_meant(document, command.name)) {
        if (!has_tensor(document, prefix + own)) missing.push_back(prefix);
    }
    if (missing.empty()) return Error{command.name + " is to be added but is there already"};
    for (const std::string& prefix : missing) {
        const bool has_base = *optional->after == '\0' || has_tensor(document, prefix + optional->after);
        if (!has_base) return Error{command.name + " is to be added but there is no " + prefix + optional->after};
    }
    if (!can_be_used(document, *optional)) return Error{command.name + " is to be added but nothing here would use it"};
    if (Result<Done> done = add(document, *optional, missing); !done) return Error{done.error()};
    if (Result<Done> done = complete(document); !done) return Error{done.error()};
    return document;
}

Result<Document> edited(Document document, const RemoveTensor& command) {
    const std::string own(name_in_block(command.name));
    bool was_there = false;
    for (const std::string& prefix : prefixes_meant(document, command.name)) {
        if (!has_tensor(document, prefix + own)) continue;
        remove(document, prefix + own);
        was_there = true;
    }
    if (!was_there) return Error{command.name + " is to be removed but is not there"};
    // What fits only with another tensor in its place is made to fit; what is needed all the same would come back.
    const Result<Done> can_go = check_shapes(document.attention, document.shapes());
    if (Result<Done> done = complete(document); !done) return Error{done.error()};
    for (const std::string& prefix : prefixes_meant(document, command.name)) {
        if (!has_tensor(document, prefix + own)) continue;
        if (own == "W_output") return Error{output_is_needed(document, prefix)};
        return Error{can_go ? command.name + " is needed" : can_go.error()};
    }
    return document;
}

} // namespace lab
