#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace lab {

// Which terms of a sum are told, and in which order. Of up to 32 all, as they are added up, and of up to 1,024 those that are not masked.
// Of a sum of thousands, which nobody reads and of which each takes time, the greatest, the greatest of all first. After them those
// follow that are told anyway.
struct ToldTerms {
    std::vector<std::size_t> places; // among all terms
    std::size_t n_before_gap = 0;    // so many stand before what is left out, and behind it those that are told anyway
    std::size_t n_left_out = 0;
    std::size_t n_masked = 0; // of those that are left out
};

inline constexpr double kRankOfMasked = -std::numeric_limits<double>::infinity();

// ranks   of each term: the greater goes first, of equals the one before. Not a number goes first of all, so that it is seen
// anyway   places of terms that are told however small they are, in ascending order
// Linear in the number of terms.
ToldTerms told_terms(std::vector<double> ranks, const std::vector<std::size_t>& anyway);

// The places of such a sum's terms without masked ones, as they are added up; of up to 32, and where none is masked (empty), all.
std::vector<std::size_t> told_in_order(std::size_t n_terms, const std::vector<bool>& are_masked);

// The rank of a number of a row: how far it is from 0; −∞, by which scores are masked, goes last. Not of a term that is added:
// there −∞ is an overflow, which decides the sum.
double rank_in_row(double value);

} // namespace lab
