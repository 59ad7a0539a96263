#include "engine/steps/seen_keys.h"

#include <algorithm>

namespace lab {

namespace {

Range common(Range a, Range b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

} // namespace

SeenKeys::SeenKeys(const MaskRule& rule) : rule_(rule) {
    std::int64_t end = 0;
    for (int length : rule_.document_lengths) document_ends_.push_back(end += length);
}

std::string SeenKeys::key() const {
    std::string text = !rule_.n_seen ? "free" : has_window() ? "window " + std::to_string(*rule_.n_seen) : "causal";
    text += " " + std::to_string(rule_.n_heads) + "×" + std::to_string(rule_.n_queries) + "×" +
            std::to_string(rule_.n_keys);
    text += " past " + std::to_string(rule_.n_past) + " prefix " + std::to_string(rule_.prefix) + " documents";
    for (int length : rule_.document_lengths) text += " " + std::to_string(length);
    return text + (rule_.nonpad_keys ? " nonpad " + std::to_string(*rule_.nonpad_keys) : std::string());
}

std::optional<std::string> SeenKeys::what_is_wrong() const {
    if (!has_documents() || document_ends_.back() == rule_.n_keys) return std::nullopt;
    return "document_lengths add up to " + std::to_string(document_ends_.back()) + " but there are " +
           count_text(static_cast<std::size_t>(rule_.n_keys), "key");
}

int SeenKeys::n_visible() const { return std::min(rule_.nonpad_keys.value_or(rule_.n_keys), rule_.n_keys); }

bool SeenKeys::sees_all() const { return !rule_.n_seen && !has_documents() && n_visible() == rule_.n_keys; }

// A place behind the last document lies in none.
Range SeenKeys::document_of(int place) const {
    if (!has_documents()) return {0, rule_.n_keys};
    const auto end = std::upper_bound(document_ends_.begin(), document_ends_.end(), place);
    if (end == document_ends_.end()) return {0, 0};
    const std::int64_t begin = end == document_ends_.begin() ? 0 : *(end - 1);
    return {static_cast<int>(begin), static_cast<int>(*end)};
}

std::array<Range, 2> SeenKeys::keys_of(int i) const {
    const Range allowed = common(document_of(place(i)), {0, n_visible()});
    if (!rule_.n_seen) return {allowed, Range{}};
    const Range window{std::max(first_in_window(i), rule_.prefix), place(i) + 1};
    return {common(allowed, {0, rule_.prefix}), common(allowed, window)};
}

const char* SeenKeys::why_unseen(int i, int j) const {
    const bool is_ordered = rule_.n_seen && j >= rule_.prefix;
    if (is_ordered && j > place(i)) return "the key comes after the query";
    if (is_ordered && j < first_in_window(i)) return "the key is outside the window";
    if (!document_of(place(i)).contains(j)) return "the key is in another document";
    return j >= n_visible() ? "the key is padding" : nullptr;
}

Region SeenKeys::part_of(const Block& block) const {
    if (sees_all()) return block;
    Region region;
    for (int i = block.rows.begin; i < block.rows.end; ++i) {
        for (const Range keys : keys_of(i)) region.add(Block{block.planes, Range::at(i), common(keys, block.cols)});
    }
    return region;
}

std::string SeenKeys::order_text() const {
    const std::string query = rule_.n_past == 0 ? "i" : "i + " + std::to_string(rule_.n_past);
    const std::string window = has_window() ? " < j + " + std::to_string(*rule_.n_seen) : std::string();
    const std::string prefix = rule_.prefix > 0 ? " or j < " + std::to_string(rule_.prefix) : std::string();
    return "j ≤ " + query + window + prefix;
}

std::string SeenKeys::formula() const {
    std::vector<std::string> conditions;
    if (rule_.n_seen) conditions.push_back(order_text());
    if (has_documents()) conditions.push_back("in one document");
    if (n_visible() < rule_.n_keys) conditions.push_back("j < " + std::to_string(n_visible()));
    std::string text;
    for (const std::string& condition : conditions) text += (text.empty() ? "0 where " : " and ") + condition;
    return text.empty() ? text : text + ", else −∞";
}

} // namespace lab
