#include "app/session/finding.h"

#include <cctype>
#include <optional>
#include <vector>

#include "app/session/labels.h"
#include "engine/count_text.h"
#include "engine/read_text.h"

namespace lab {

namespace {

// "16,384", as the dialog itself writes it.
std::string without_commas(std::string text) {
    std::erase(text, ',');
    return text;
}

std::string in_small_letters(std::string text) {
    for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

// Dimensions are labelled "d₂", which no keyboard has.
bool is_dimension(Axis axis) { return axis_label({}, axis, 0) == "d" + subscript(1); }
std::string as_dimension(const std::string& text) {
    const bool has_letter = text.size() > 1 && (text[0] == 'd' || text[0] == 'D');
    return has_letter ? text.substr(1) : text;
}

// Of places in rising order the first behind `after`, else the first of all.
std::optional<FoundPlace> next_of(const std::vector<int>& places, int after) {
    if (places.empty()) return {};
    const int n = static_cast<int>(places.size());
    for (int k = 0; k < n; ++k) {
        if (places[static_cast<std::size_t>(k)] > after)
            return FoundPlace{places[static_cast<std::size_t>(k)], n, k + 1};
    }
    return FoundPlace{places.front(), n, 1};
}

// What begins with the text in the way that `as_compared` makes texts alike; and of it what is the whole text.
struct Matches {
    std::vector<int> whole, beginning;
};
template <class AsCompared>
Matches matches(const std::vector<std::string>& labels, const std::string& text, AsCompared as_compared) {
    Matches found;
    const std::string& sought = as_compared(text);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::string& label = as_compared(labels[i]);
        if (label == sought) found.whole.push_back(static_cast<int>(i));
        if (label.starts_with(sought)) found.beginning.push_back(static_cast<int>(i));
    }
    return found;
}

// Those that sentences call so: in quotation marks, or, where a word stands there more than once, counted.
std::vector<int> told_places(const Document& document, Axis axis, int n, const std::string& text) {
    const bool is_counted = text.size() > 3 && text.compare(text.size() - 3, 2, subscript(0), 0, 2) == 0;
    std::vector<int> places;
    const auto is_called_so = [&](int i) {
        if (!is_counted) return quoted(label_or_number(document, axis, i)) == text;
        return told_label(document, axis, i) == text || told_label(document, axis, i, Quotes::always) == text;
    };
    for (int i = 0; (is_counted || text.ends_with("”")) && i < n; ++i)
        if (is_called_so(i)) places.push_back(i);
    return places;
}

std::vector<std::string> labels_of(const Document& document, Axis axis, int n) {
    std::vector<std::string> labels;
    for (int i = 0; i < n; ++i) labels.emplace_back(trimmed(label_or_number(document, axis, i)));
    return labels;
}

} // namespace

Result<FoundPlace> find_place(const Document& document, Axis axis, int n, const std::string& text, int after) {
    const std::string sought(trimmed(text));
    const std::vector<std::string> labels = labels_of(document, axis, n);
    const auto as_it_is = [](const std::string& label) -> const std::string& { return label; };
    if (const auto same = next_of(matches(labels, sought, as_it_is).whole, after)) return *same;
    const Matches alike = matches(labels, sought, in_small_letters);
    if (const auto same = next_of(alike.whole, after)) return *same;
    if (const auto told = next_of(told_places(document, axis, n, sought), after)) return *told;
    const std::optional<int> number = whole_number(without_commas(is_dimension(axis) ? as_dimension(sought) : sought));
    if (number && *number >= 1 && *number <= n) return FoundPlace{*number - 1};
    if (const auto beginning = next_of(alike.beginning, after))
        return FoundPlace{beginning->index, beginning->n_alike, beginning->nth, true};
    return Error{"no " + axis_noun(axis) + " begins with " + sought + ", and it is no number from 1 to " + grouped(n)};
}

std::optional<TextPair> split_pair(const Document& document, SoughtAxis rows, SoughtAxis cols,
                                   const std::string& text) {
    constexpr int kMostTried = 32; // each looks through all labels
    const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    const auto is_within_number = [&](std::size_t i) { // "16,384"
        return text[i] == ',' && i > 0 && is_digit(i - 1) && is_digit(i + 1) && is_digit(i + 2) && is_digit(i + 3) &&
               !is_digit(i + 4);
    };
    std::size_t end = text.size();
    for (int i = 0; i < kMostTried && end > 0; ++i) {
        end = text.find_last_of(", ", end - 1);
        if (end == std::string::npos) return {};
        TextPair pair{std::string(trimmed(text.substr(0, end))), std::string(trimmed(text.substr(end + 1)))};
        if (is_within_number(end) || pair.row.empty() || pair.col.empty()) continue;
        if (find_place(document, rows.axis, rows.n, pair.row) && find_place(document, cols.axis, cols.n, pair.col))
            return pair;
    }
    return {};
}

std::string axis_noun(Axis axis) {
    switch (axis) {
    case Axis::queries: return "query";
    case Axis::keys:
    case Axis::new_keys:
    case Axis::past_keys: return "key";
    case Axis::heads: return "head";
    case Axis::vocabulary: return "word";
    case Axis::positions: return "position";
    case Axis::distances:
    case Axis::none: return "place";
    case Axis::input_dimensions:
    case Axis::key_dimensions:
    case Axis::value_dimensions:
    case Axis::model_dimensions:
    case Axis::hidden_dimensions: return "dimension";
    }
    return {};
}

} // namespace lab
