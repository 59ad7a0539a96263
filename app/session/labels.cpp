#include "app/session/labels.h"

#include <algorithm>
#include <optional>

#include "app/session/narration_text.h"
#include "app/session/query_rows.h"
#include "app/session/sizes.h"
#include "engine/document_tensors.h"
#include "engine/tensor_name.h"

namespace lab {

namespace {

// Whether the words that name keys (null: none do) leave keys to be the tokens.
bool keys_are_tokens(const Document& document, const DocumentTensor* named) {
    if (named == nullptr || named->rows == Axis::past_keys) return true;
    return document.context_tokens.empty() && n_rows_named_by(document, *named) == n_tokens(document);
}

std::string or_number(const std::string& label, int index) { return label.empty() ? std::to_string(index + 1) : label; }

// Empty beyond the last.
std::string word_at(const Words& words, int index) {
    const std::size_t i = static_cast<std::size_t>(index);
    return i < words.size() ? words[i] : std::string();
}

// Of the past, and behind them those of the keys' own tokens, or of the tokens where they are the keys.
struct KeyWords {
    int n_past = 0;
    Words of_past, of_new;

    std::string at(int key) const { return key < n_past ? word_at(of_past, key) : word_at(of_new, key - n_past); }
};

KeyWords key_words(const Document& document) {
    const DocumentTensor* named = find_named_by(document, RowWords::context_tokens);
    const bool are_of_past = named != nullptr && named->rows == Axis::past_keys;
    const bool are_own = named != nullptr && !are_of_past && !document.context_tokens.empty();
    KeyWords words{n_past(document), {}, {}};
    if (are_of_past) words.of_past = document.context_tokens;
    if (are_own)
        words.of_new = document.context_tokens;
    else if (keys_are_tokens(document, named))
        words.of_new = document.tokens;
    return words;
}

std::string key_label(const Document& document, int key) { return or_number(key_words(document).at(key), key); }

// The key that a row of such an axis is, of a query its own token; absent where it is none.
std::optional<int> key_of_row(const Document& document, Axis axis, int row) {
    if (axis == Axis::queries) return key_of_query(document, row);
    if (axis == Axis::new_keys) return n_past(document) + row;
    return axis == Axis::keys || axis == Axis::past_keys ? std::optional(row) : std::nullopt;
}

// Which one of those with its word a place is, from 1; 0 where it is the only one, or has no word.
int count_of_word(const KeyWords& words, int place) {
    const std::string word = words.at(place);
    if (word.empty()) return 0;
    const int n_in_past = words.of_past.n_alike(word);
    const bool is_past = place < words.n_past;
    const int n_before = is_past ? words.of_past.n_alike_before(at_index(place))
                                 : n_in_past + words.of_new.n_alike_before(at_index(place - words.n_past));
    return n_in_past + words.of_new.n_alike(word) > 1 ? n_before + 1 : 0;
}

// Of a word that would be taken for a part of the sentence or list that it stands in: "cat,".
bool has_marks(const std::string& word) {
    return word.find_first_of(",;[]") != std::string::npos || word.find_last_of(".:!?") + 1 == word.size();
}

// {row}, {col}, {plane} or {head}: the label that stands for it.
std::string placeholder_label(const Document& document, const Node& node, const std::string& name, Cell cell) {
    const Presentation& shown = node.presentation;
    if (name == "row") return told_label(document, shown.rows, cell.row);
    if (name == "col") return told_label(document, shown.cols, cell.col);
    if (name == "plane") {
        const int plane = cell.plane % node.n_planes_of_slice();
        return shown.n_sliced_heads > 1 ? told_label(document, shown.planes, plane)
                                        : plane_label(document, node, cell.plane);
    }
    if (name == "head") {
        return shown.n_sliced_heads > 1 ? axis_label(document, Axis::heads, cell.plane / node.n_planes_of_slice())
                                        : plane_label(document, node, cell.plane);
    }
    return "{" + name + "}";
}

// The node's sentence, with "in {head}" where it has several and does not tell itself: before ", scaled" and ", from before"; a gradient's
// ends with a place, which may have commas. What a part adds to a gradient is no head's of what it adds to.
std::string sentence_of(const Node& node) {
    const Presentation& shown = node.presentation;
    std::string sentence = shown.meaning;
    const bool is_of_heads = shown.planes == Axis::heads && node.shape.planes > 1 &&
                             !(node.is_of_gradient() && node.is_auxiliary) &&
                             sentence.find("{plane}") == std::string::npos;
    if (sentence.empty() || !(shown.n_sliced_heads > 1 || is_of_heads)) return sentence;
    const std::size_t end = sentence.size();
    return sentence.insert(node.is_of_gradient() ? end : std::min(sentence.find(", "), end), " in {head}");
}

} // namespace

bool keys_are_tokens(const Document& document) {
    return keys_are_tokens(document, find_named_by(document, RowWords::context_tokens));
}

std::string counts_text(const Document& document, int n_queries) {
    if (keys_are_tokens(document) && n_keys(document) == n_queries) return counted_text(n_queries, "token", "tokens");
    return counted_text(n_queries, "query", "queries") + ", " + counted_text(n_keys(document), "key", "keys");
}

std::string subscript(int number) {
    constexpr const char* kDigits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    std::string text;
    for (char digit : std::to_string(number)) text += digit == '-' ? "₋" : kDigits[digit - '0'];
    return text;
}

std::string quoted(const std::string& word) { return "“" + word + "”"; }

std::string axis_label(const Document& document, Axis axis, int index) {
    switch (axis) {
    case Axis::queries: return or_number(word_at(document.tokens, index), index);
    case Axis::keys: return key_label(document, index);
    case Axis::new_keys: return key_label(document, n_past(document) + index);
    case Axis::past_keys: return key_label(document, index);
    case Axis::input_dimensions:
    case Axis::key_dimensions:
    case Axis::value_dimensions:
    case Axis::model_dimensions:
    case Axis::hidden_dimensions: return "d" + subscript(index + 1);
    case Axis::vocabulary: {
        const std::string word = word_at(document.vocabulary, index);
        return word.empty() ? std::to_string(index) : word;
    }
    case Axis::positions: return std::to_string(index + 1);
    case Axis::distances: return {};
    case Axis::heads: return "head " + std::to_string(index + 1);
    case Axis::none: return {};
    }
    return {};
}

std::string label_or_number(const Document& document, Axis axis, int index) {
    return or_number(axis_label(document, axis, index), index);
}

std::string told_label(const Document& document, Axis axis, int index, Quotes quotes) {
    std::string label = label_or_number(document, axis, index);
    if (quotes == Quotes::always || (has_marks(label) && are_words(axis))) label = quoted(label);
    const std::optional<int> key = key_of_row(document, axis, index);
    if (!key && axis != Axis::queries) return label;
    const int count = count_of_word(key ? key_words(document) : KeyWords{0, {}, document.tokens}, key.value_or(index));
    return count > 0 ? label + subscript(count) : label;
}

std::string short_name(const Node& node) { return std::string(name_in_block(node.name)); }

std::string name_beside(const Node& node, const Node& beside) {
    const bool is_part_of_it = node.is_auxiliary && !node.presentation.symbol.empty() &&
                               node.gradient_of == beside.gradient_of && !beside.is_auxiliary;
    if (is_part_of_it) return node.presentation.symbol; // "what attention_scores adds"
    return block_prefix(node.name) == block_prefix(beside.name) ? short_name(node) : node.name;
}

std::string plane_label(const Document& document, const Node& node, int plane) {
    const bool is_shared = node.presentation.planes == Axis::heads && node.shape.planes != document.attention.n_heads;
    if (node.presentation.n_sliced_heads > 1) {
        const int n = node.n_planes_of_slice();
        return axis_label(document, Axis::heads, plane / n) + ", " +
               told_label(document, node.presentation.planes, plane % n);
    }
    if (is_shared) return "group " + std::to_string(plane + 1);
    return told_label(document, node.presentation.planes, plane);
}

std::string cell_text(const Document& document, const Node& node, Cell cell) {
    const Presentation& shown = node.presentation;
    std::string places;
    const auto add = [&](const std::string& label) { places += (places.empty() ? "" : ", ") + label; };
    if (node.shape.rank > 2) add(plane_label(document, node, cell.plane));
    if (node.shape.rank > 1) add(told_label(document, shown.rows, cell.row));
    add(told_label(document, shown.cols, cell.col));
    return node.name + "[" + places + "]";
}

std::vector<TextPart> meaning(const Document& document, const Node& node, Cell cell) {
    const std::string sentence = sentence_of(node);
    std::vector<TextPart> parts;
    std::size_t at = 0;
    while (at < sentence.size()) {
        const std::size_t open = sentence.find('{', at);
        const std::size_t close = open == std::string::npos ? open : sentence.find('}', open);
        const std::size_t plain_end = close == std::string::npos ? sentence.size() : open;
        if (plain_end > at) parts.push_back({sentence.substr(at, plain_end - at), false});
        if (close == std::string::npos) break;
        const std::string name = sentence.substr(open + 1, close - open - 1);
        parts.push_back({placeholder_label(document, node, name, cell), true});
        at = close + 1;
    }
    return parts;
}

std::string meaning_text(const Document& document, const Node& node, Cell cell) {
    std::string text;
    for (const TextPart& part : meaning(document, node, cell)) text += part.text;
    return text;
}

} // namespace lab
