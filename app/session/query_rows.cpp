#include "app/session/query_rows.h"

#include "app/session/labels.h"
#include "app/session/sizes.h"

namespace lab {

namespace {

// The row that the first query has along such an axis; absent where queries have none.
std::optional<int> first_row(const Document& document, const Node& node) {
    if (node.presentation.slice_by_query) return {}; // its rows lie across the planes
    switch (node.presentation.rows) {
    case Axis::queries: return 0;
    case Axis::new_keys: return keys_are_tokens(document) ? std::optional(0) : std::nullopt;
    case Axis::keys: return key_of_query(document, 0);
    default: return {};
    }
}

} // namespace

std::optional<int> key_of_query(const Document& document, int query) {
    return keys_are_tokens(document) ? std::optional(n_past(document) + query) : std::nullopt;
}

std::optional<int> row_of_query(const Document& document, const Node& node, int query) {
    const std::optional<int> first = first_row(document, node);
    return first && *first + query < node.shape.rows ? std::optional(*first + query) : std::nullopt;
}

std::optional<int> query_of_row(const Document& document, const Node& node, int row) {
    const std::optional<int> first = first_row(document, node);
    if (!first || row < *first || row - *first >= n_queries(document)) return {};
    return row - *first;
}

} // namespace lab
