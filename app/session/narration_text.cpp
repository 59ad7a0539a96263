#include "app/session/narration_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/session/labels.h"
#include "app/session/narration.h"
#include "engine/count_text.h"
#include "engine/kernels/elementary.h"

namespace lab {

namespace {

constexpr double kRowTolerance = 1e-4;    // a row's sum this close to 1 is 1
constexpr double kColumnTolerance = 5e-3; // columns are written with two decimals

auto is_one_within(double tolerance) {
    return [tolerance](double sum) { return std::fabs(sum - 1) <= tolerance; };
}

std::string row_sums_sentence(const std::vector<double>& sums) {
    const int n = static_cast<int>(sums.size());
    const auto n_ones = static_cast<int>(std::count_if(sums.begin(), sums.end(), is_one_within(kRowTolerance)));
    return n_ones == n ? "Every row sums to 1." : grouped(n_ones) + " of " + grouped(n) + " rows sum to 1.";
}

} // namespace

std::string counted_text(int n, const std::string& one, const std::string& many) {
    return grouped(n) + " " + (n == 1 ? one : many);
}

std::string tied_text(std::vector<std::string> names) {
    constexpr std::size_t kMostTied = 3;
    const std::size_t n = names.size();
    if (n > kMostTied) {
        names.resize(kMostTied);
        names.push_back(grouped(std::uint64_t{n - kMostTied}) + " more");
    }
    return listed(names);
}

std::string sums_sentence(const Sums& sums, const Document& document) {
    std::string rows = row_sums_sentence(sums.of_rows);
    if (std::all_of(sums.of_cols.begin(), sums.of_cols.end(), is_one_within(kColumnTolerance))) {
        return rows + " Here the columns do so too, which they need not.";
    }
    if (!std::all_of(sums.of_cols.begin(), sums.of_cols.end(), [](double sum) { return std::isfinite(sum); }))
        return rows;
    std::string columns;
    for (int j = 0; j < static_cast<int>(sums.of_cols.size()); ++j) {
        if (j > 0) columns += ", ";
        if (j == kMostNames) {
            columns += "…";
            break;
        }
        columns +=
            told_label(document, Axis::keys, j) + " " + number_text(sums.of_cols[static_cast<std::size_t>(j)], 2);
    }
    return rows + " The columns do not: " + columns + ".";
}

RoundedRow rounded_row(const std::vector<float>& before, const std::vector<float>& rounded, int decimals) {
    RoundedRow row;
    for (std::size_t j = 0; j < rounded.size(); ++j) {
        row.sum_before += static_cast<double>(before[j]);
        row.sum += static_cast<double>(rounded[j]);
        const bool is_turned = std::isfinite(rounded[j]) && rounded[j] != round_to_decimals(before[j], decimals);
        row.n_turned += is_turned ? 1 : 0;
    }
    return row;
}

std::string rounded_sum_sentence(const RoundedRow& row, const std::string& whose) {
    const std::string fact = "The rounded weights of " + whose + " sum to " + number_text(row.sum);
    if (row.n_turned > 0) {
        const std::string verb = row.n_turned == 1 ? " of them was" : " of them were";
        return fact + ", since " + grouped(row.n_turned) + verb + " rounded the other way.";
    }
    const double missing = row.sum_before - row.sum;
    if (std::isnan(missing)) return fact + ".";
    if (std::fabs(missing) < 0.5e-4) return fact + ": rounding did no harm here.";
    return fact + (missing > 0 ? ": rounding lost " : ": rounding added ") + number_text(std::fabs(missing)) + ".";
}

std::string sink_sentence(double row_sum, const std::string& whose) {
    return "The sink takes " + number_text(std::max(0.0, 1 - row_sum)) + " of the attention of " + whose +
           ", so its weights sum to " + number_text(row_sum) + ".";
}

DroppedRow dropped_row(const std::vector<float>& before, const std::vector<float>& after) {
    DroppedRow row;
    for (std::size_t j = 0; j < after.size(); ++j) {
        row.sum += static_cast<double>(after[j]);
        row.n_weights += before[j] != 0 ? 1 : 0;
        row.n_dropped += before[j] != 0 && after[j] == 0 ? 1 : 0;
    }
    return row;
}

std::string dropped_sentence(const DroppedRow& row, double probability, const std::string& whose) {
    char divisor[32];
    std::snprintf(divisor, sizeof divisor, "1 − %g", probability);
    const std::string sum = ", so that they sum to " + number_text(row.sum) + ".";
    if (row.n_dropped == 0) return "No weight of " + whose + " was dropped; all were divided by " + divisor + sum;
    const std::string all = counted_text(row.n_weights, "weight", "weights") + " of " + whose;
    if (row.n_dropped == row.n_weights) return "All " + all + " were dropped.";
    return grouped(row.n_dropped) + " of " + all + (row.n_dropped == 1 ? " was" : " were") +
           " dropped and the others divided by " + divisor + sum;
}

// The dot product of two vectors of d_k independent numbers of variance 1 has variance d_k (Vaswani et al. 2017, note 4).
std::string root_sentence(int d_k) {
    if (d_k == 1) return "A score is a single product where d_k = 1, so dividing by √1 changes nothing.";
    const std::string n = std::to_string(d_k);
    char root[32];
    std::snprintf(root, sizeof root, "%.2f", std::sqrt(static_cast<double>(d_k)));
    return "A score adds up d_k = " + n + " products, so scores spread about √" + n + " ≈ " + root +
           " times as wide as one product does; dividing by that keeps softmax from favouring one key alone.";
}

std::string notice_sentence(Notice notice, const std::string& whose) {
    switch (notice) {
    case Notice::all_keys_masked: return whose + " may not attend to any key, so its weights are all 0.";
    case Notice::overflow:
        return "For " + whose + " the numbers left the range of float32, so its weights are not numbers.";
    case Notice::zero_sum:
        return "The row of " + whose + " sums to 0 and cannot be divided by that; its weights are set to 0.";
    case Notice::saturated:
        return "One key takes all the attention of " + whose +
               ", to four digits: that row is saturated and its gradient vanishes.";
    case Notice::unknown_token:
        return "The number of " + whose + " is no word's of the vocabulary, so its row is all 0.";
    }
    return {};
}

} // namespace lab
