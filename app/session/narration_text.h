#pragma once

#include <string>

#include "app/session/trace_text.h"
#include "engine/document.h"

namespace lab {

// Sentences of the narration that need no trace.

constexpr int kMostNames = 8; // of a list, then "…"

// "1 row", "3 rows"
std::string counted_text(int n, const std::string& one, const std::string& many);

// "Every row sums to 1. The columns do not: Your 0.93, …": of weights, whose columns are the document's keys.
std::string sums_sentence(const Sums& sums, const Document& document);

// "The rounded weights of journey sum to 0.9000: rounding lost 0.1000."
std::string rounded_sum_sentence(double sum, const std::string& whose);

// Why the scale is 1/√d_k.
std::string root_sentence(int d_k);

} // namespace lab
