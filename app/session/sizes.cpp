#include "app/session/sizes.h"

#include <algorithm>

#include "engine/formats/session_names.h"

namespace lab {

namespace {

const Shape* find_shape(const Document& document, const std::string& name) {
    const auto found = document.tensors.find(name);
    return found == document.tensors.end() ? nullptr : &found->second.shape();
}

int rows_of(const Document& document, const std::string& name) {
    const Shape* shape = find_shape(document, name);
    return shape == nullptr ? 0 : shape->rows;
}

int cols_of(const Document& document, const std::string& name) {
    const Shape* shape = find_shape(document, name);
    return shape == nullptr ? 0 : shape->cols;
}

// The width of one head in the first of these tensors that is there.
std::optional<int> head_width(const Document& document, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const Shape* shape = find_shape(document, name);
        if (shape == nullptr) continue;
        const int n_heads = n_heads_in(*find_document_tensor(name), document.attention);
        return shape->rank == 3 ? shape->cols : std::max(1, shape->cols / n_heads);
    }
    return {};
}

std::string first_prefix(const Document& document) { return document.attention.blocks.n > 0 ? prefix_of_block(0) : ""; }

// Inputs that serve as queries, keys and values hold the heads side by side.
int width_of_part(const Document& document) { return std::max(1, input_width(document) / document.attention.n_heads); }

} // namespace

int n_groups(const AttentionSettings& attention) { return attention.n_kv_heads.value_or(attention.n_heads); }

int n_heads_in(const DocumentTensor& known, const AttentionSettings& attention) {
    if (!has_heads(known)) return 1;
    const std::string_view name = known.name;
    const bool is_of_queries = name.ends_with("query") || name == "queries" || name == "W_output";
    return is_of_queries ? attention.n_heads : n_groups(attention);
}

std::vector<std::string> block_prefixes(const AttentionSettings& attention) {
    if (attention.blocks.n == 0) return {""};
    std::vector<std::string> prefixes;
    for (int block = 0; block < attention.blocks.n; ++block) prefixes.push_back(prefix_of_block(block));
    return prefixes;
}

std::vector<std::string> tensors_in_order(const Document& document) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : document.tensors) {
        if (find_document_tensor(name) != nullptr) names.push_back(name);
    }
    std::sort(names.begin(), names.end(), stands_before);
    return names;
}

bool has_tensor(const Document& document, const std::string& name) { return document.tensors.count(name) > 0; }

bool is_given_directly(const Document& document) { return has_tensor(document, "queries"); }

int n_tokens(const Document& document) { return n_rows_named_by(document, RowWords::tokens); }

int n_queries(const Document& document) {
    const int n = n_tokens(document);
    return is_given_directly(document) ? n : std::min(n, document.attention.context_length.value_or(n));
}

std::string cut_tokens_text(const Document& document) {
    const std::optional<int>& length = document.attention.context_length;
    if (!length || n_tokens(document) <= *length || is_given_directly(document)) return {};
    return std::to_string(*length) + " of " + std::to_string(n_tokens(document)) +
           " tokens: context_length keeps the first " + std::to_string(*length) + ".";
}

int n_past(const Document& document) { return rows_of(document, first_prefix(document) + "past_keys"); }

int n_keys(const Document& document) {
    const bool has_own = has_tensor(document, "context_inputs") || has_tensor(document, "keys");
    const char* own = has_tensor(document, "context_inputs") ? "context_inputs" : "keys";
    return n_past(document) + (has_own ? rows_of(document, own) : n_queries(document));
}

int input_width(const Document& document) {
    return cols_of(document, has_tensor(document, "inputs") ? "inputs" : "W_embedding");
}

std::optional<int> key_width(const Document& document, const std::string& prefix) {
    if (is_given_directly(document)) return head_width(document, {"queries"});
    if (!document.attention.projections) return width_of_part(document);
    return head_width(document, {prefix + "W_query", prefix + "W_key"});
}

std::optional<int> value_width(const Document& document, const std::string& prefix) {
    if (is_given_directly(document)) return head_width(document, {"values"});
    if (!document.attention.projections) return width_of_part(document);
    return head_width(document, {prefix + "W_value"});
}

int joined_width(const Document& document, const std::string& prefix) {
    return document.attention.n_heads * value_width(document, prefix).value_or(1);
}

Shape past_shape(const Document& document, bool of_values, int width) {
    const AttentionSettings& settings = document.attention;
    const int n = std::max(1, n_past(document)), n_beside = n_groups(settings);
    const Shape* given = find_shape(document, of_values ? "values" : "keys");
    const bool has_planes = given != nullptr ? given->rank == 3 : settings.projections && settings.n_heads > 1;
    return has_planes ? Shape::stack(n_beside, n, width) : Shape::matrix(n, n_beside * width);
}

std::optional<int> width_of(const Document& document, Width width) {
    const std::string prefix = first_prefix(document);
    const bool projects = document.attention.projections || is_given_directly(document);
    const auto if_any = [](int n) { return n > 0 ? std::optional<int>(n) : std::nullopt; };
    switch (width) {
    case Width::d_in: return if_any(input_width(document));
    case Width::d_k: return projects ? key_width(document, prefix) : std::nullopt;
    case Width::d_v: return projects ? value_width(document, prefix) : std::nullopt;
    case Width::d_model:
        return is_one_stream(document.attention) ? std::nullopt : if_any(cols_of(document, "W_output"));
    case Width::d_ff:
        return document.attention.blocks.mlp == Mlp::none ? std::nullopt : if_any(cols_of(document, prefix + "W_up"));
    }
    return {};
}

} // namespace lab
