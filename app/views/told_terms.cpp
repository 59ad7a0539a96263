#include "app/views/told_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/elementary.h"

namespace lab {

namespace {

constexpr std::size_t kMostTerms = 1024, kFewTerms = 32;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of more than a few without some.
template <class Predicate> std::vector<std::size_t> without(std::size_t n_terms, Predicate is_left_out) {
    const bool are_few = n_terms <= kFewTerms;
    std::vector<std::size_t> places;
    places.reserve(n_terms);
    for (std::size_t i = 0; i < n_terms; ++i)
        if (are_few || !is_left_out(i)) places.push_back(i);
    return places;
}

} // namespace

ToldTerms told_terms(std::vector<double> ranks, const std::vector<std::size_t>& anyway) {
    const auto is_of_masked = [&](std::size_t i) { return ranks[i] == kRankOfMasked; };
    ToldTerms told{without(ranks.size(), is_of_masked), 0, 0, 0};
    std::vector<bool> is_told(ranks.size());
    told.n_masked = ranks.size() - told.places.size();
    if (told.places.size() > kMostTerms) {
        for (double& rank : ranks) rank = std::isnan(rank) ? kInfinity : rank;
        const auto goes_before = [&](std::size_t a, std::size_t b) {
            return ranks[a] != ranks[b] ? ranks[a] > ranks[b] : a < b;
        };
        const auto end = told.places.begin() + static_cast<std::ptrdiff_t>(kMostTerms);
        std::nth_element(told.places.begin(), end, told.places.end(), goes_before);
        std::sort(told.places.begin(), end, goes_before);
        told.places.resize(kMostTerms);
    }
    told.n_before_gap = told.places.size();
    for (const std::size_t place : told.places) is_told[place] = true;
    for (const std::size_t place : anyway) {
        if (is_told[place]) continue;
        told.places.push_back(place);
        told.n_masked -= is_of_masked(place) ? 1 : 0;
    }
    told.n_left_out = ranks.size() - told.places.size();
    return told;
}

std::vector<std::size_t> told_in_order(std::size_t n_terms, const std::vector<bool>& are_masked) {
    return without(n_terms, [&](std::size_t i) { return !are_masked.empty() && are_masked[i]; });
}

double rank_in_row(double value) { return is_masked(value) ? kRankOfMasked : std::fabs(value); }

} // namespace lab
