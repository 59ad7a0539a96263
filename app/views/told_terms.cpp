#include "app/views/told_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lab {

namespace {

constexpr std::size_t kMostTerms = 1024;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

ToldTerms told_terms(std::vector<double> ranks, const std::vector<std::size_t>& anyway) {
    ToldTerms told;
    told.places.resize(ranks.size());
    std::iota(told.places.begin(), told.places.end(), std::size_t{0});
    told.n_greatest = std::min(ranks.size(), kMostTerms);
    if (ranks.size() <= kMostTerms) return told;
    for (double& rank : ranks) rank = std::isnan(rank) ? kInfinity : rank;
    const auto goes_before = [&](std::size_t a, std::size_t b) {
        return ranks[a] != ranks[b] ? ranks[a] > ranks[b] : a < b;
    };
    const auto end = told.places.begin() + static_cast<std::ptrdiff_t>(kMostTerms);
    std::nth_element(told.places.begin(), end, told.places.end(), goes_before);
    std::sort(told.places.begin(), end, goes_before);
    const std::size_t least = told.places[kMostTerms - 1];
    told.places.resize(kMostTerms);
    for (const std::size_t place : anyway)
        if (goes_before(least, place)) told.places.push_back(place);
    told.n_left_out = ranks.size() - told.places.size();
    return told;
}

double rank_in_row(double value) { return value == -kInfinity ? -kInfinity : std::fabs(value); }

} // namespace lab
