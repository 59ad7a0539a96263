#pragma once

#include <string>
#include <vector>

#include "app/session/trace_text.h"
#include "engine/document.h"

namespace lab {

// Sentences of the narration that need no trace.

constexpr int kMostNames = 8; // of a list, then "…"

// "1 row", "3 rows", "1,200 rows"
std::string counted_text(int n, const std::string& one, const std::string& many);

// "Your and starts"; beyond three "Your, journey, starts and 2 more".
std::string tied_text(std::vector<std::string> names);

// "Every row sums to 1. The columns do not: Your 0.93, …": of weights, whose columns are the document's keys.
std::string sums_sentence(const Sums& sums, const Document& document);

// One row of weights, before and after rounding.
struct RoundedRow {
    double sum_before = 0;
    double sum = 0;
    int n_turned = 0; // cells that were rounded the other way, so that the row still sums to 1
};
RoundedRow rounded_row(const std::vector<float>& before, const std::vector<float>& rounded, int decimals);

// "The rounded weights of one sum to 1.0000, since 1 of them was rounded the other way." "… sum to 1.0000: rounding did
// no harm here." "… sum to 0.9000: rounding lost 0.1000."
std::string rounded_sum_sentence(const RoundedRow& row, const std::string& whose);

// "The sink takes 0.2240 of the attention of journey, so its weights sum to 0.7760."
std::string sink_sentence(double row_sum, const std::string& whose);

// One row of weights, before and after dropout. What was 0 before cannot be told from what was dropped, and does not count.
struct DroppedRow {
    int n_weights = 0;
    int n_dropped = 0;
    double sum = 0;
};
DroppedRow dropped_row(const std::vector<float>& before, const std::vector<float>& after);

// "4 of 6 weights of with were dropped and the others divided by 1 − 0.5, so that they sum to 0.3600."
std::string dropped_sentence(const DroppedRow& row, double probability, const std::string& whose);

// Why the scale is 1/√d_k.
std::string root_sentence(int d_k);

} // namespace lab
