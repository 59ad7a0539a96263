#include "engine/nearest_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace lab {

namespace {

constexpr std::size_t kMostNamed = 6, kFewNamed = 3,
                      kMostCompared = 64; // a name is compared by no more than its first letters

char small(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

// How many letters have to be put in, taken out or changed (Levenshtein), a row of the table after the other.
std::size_t edits_between(std::string_view from, std::string_view to) {
    from = from.substr(0, kMostCompared);
    to = to.substr(0, kMostCompared);
    std::vector<std::size_t> row(to.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t changed = diagonal + (small(from[i]) == small(to[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

// The fewer the nearer. A name that has all of what was asked for within it is near, however long it is.
std::size_t distance_of(std::string_view wanted, const std::string& name) {
    const auto is_same = [](char a, char b) { return small(a) == small(b); };
    const bool is_within =
        wanted.size() > 1 && std::search(name.begin(), name.end(), wanted.begin(), wanted.end(), is_same) != name.end();
    return is_within ? 1 : edits_between(wanted, name);
}

} // namespace

std::string nearest_names_text(std::string_view wanted, const std::vector<std::string>& names) {
    std::vector<std::pair<std::size_t, const std::string*>> nearest;
    for (const std::string& name : names) nearest.emplace_back(distance_of(wanted, name), &name);
    std::size_t n_named = names.size();
    if (names.size() > kMostNamed + 1) {
        const auto is_nearer = [](const auto& a, const auto& b) { return a.first < b.first; };
        const auto is_alike = [&](const auto& name) { return 2 * name.first <= wanted.size(); };
        const auto n_alike = static_cast<std::size_t>(std::count_if(nearest.begin(), nearest.end(), is_alike));
        if (n_alike > 0) std::stable_sort(nearest.begin(), nearest.end(), is_nearer);
        n_named = n_alike > 0 ? std::min(n_alike, kMostNamed) : kFewNamed;
    }
    std::string text;
    for (std::size_t i = 0; i < n_named; ++i) text += (text.empty() ? "" : ", ") + *nearest[i].second;
    return n_named == names.size() ? text : text + " and " + std::to_string(names.size() - n_named) + " more";
}

} // namespace lab
