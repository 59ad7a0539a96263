// What is read of a text of sixteen thousand tokens, of which no scores and weights are stored, beside float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

#ifdef NDEBUG
constexpr int kKeys = 16384;
#else
constexpr int kKeys = 8192; // with a sanitizer every number takes forty times as long
#endif
constexpr int kQueries = 65; // so few that a second is enough, and yet more cells than these
constexpr MostStored kStoresNoScores{1 << 15, 1 << 19};
constexpr int kLongWidth = 64;

Tensor drawn(const Shape& shape, double deviation, Dice& dice) {
    std::vector<float> numbers(shape.size());
    const float spread = static_cast<float>(std::sqrt(3.0) * deviation);
    for (float& number : numbers) number = dice.number() / 2 * spread;
    return Tensor(shape, numbers);
}

Lab long_text() {
    Dice dice(29);
    Lab lab;
    lab.tensors["inputs"] = drawn(Shape::matrix(kQueries, kLongWidth), 1, dice);
    lab.tensors["context_inputs"] = drawn(Shape::matrix(kKeys, kLongWidth), 1, dice);
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = drawn(Shape::matrix(kLongWidth, kLongWidth), 1 / std::sqrt(kLongWidth), dice);
    return lab;
}

using Row64 = std::vector<double>;

// Row by row in float64, from the same float32 numbers.
std::vector<Row64> product(const Tensor& a, const Tensor& b) {
    std::vector<Row64> rows;
    for (int i = 0; i < a.shape().rows; ++i) {
        Row64 row(static_cast<std::size_t>(b.shape().cols));
        for (int k = 0; k < a.shape().cols; ++k) {
            const auto factor = static_cast<double>(a.at({0, i, k}));
            const auto of_b = b.row(k);
            for (std::size_t j = 0; j < row.size(); ++j) row[j] += factor * static_cast<double>(of_b[j]);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

double dot(const Row64& a, const Row64& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// The greatest errors of what is read cell by cell, as hovering reads: of every row those of its greatest weight and of cells here
// and there.
struct Errors {
    double score = 0; // scaled, over 1 + |score|; of scores before scaling likewise
    double unscaled = 0;
    double weight = 0;
};

class Reading {
  public:
    explicit Reading(const Trace& trace)
        : trace_(trace), scores_(trace.program().find("attention_scores")),
          scaled_scores_(trace.program().find("scaled_scores")), weights_(trace.program().find("attention_weights")) {}

    void look_at_row(int i, const Row64& scores) {
        const double scale = 1 / std::sqrt(static_cast<double>(kLongWidth));
        const double greatest = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (double score : scores) sum += std::exp(scale * (score - greatest));
        for (std::size_t j = 0; j < scores.size(); ++j) {
            if (scores[j] != greatest && (j + static_cast<std::size_t>(i)) % 29 != 0) continue;
            const Cell cell{0, i, static_cast<int>(j)};
            const double score = scale * scores[j], weight = std::exp(score - scale * greatest) / sum;
            note(errors_.unscaled, error(scores_, cell, scores[j]) / (1 + std::fabs(scores[j])));
            note(errors_.score, error(scaled_scores_, cell, score) / (1 + std::fabs(score)));
            note(errors_.weight, error(weights_, cell, weight));
        }
    }

    const Errors& errors() const { return errors_; }

  private:
    double error(int node, Cell cell, double expected) const {
        return std::fabs(static_cast<double>(trace_.at(node, cell)) - expected);
    }
    static void note(double& greatest, double error) { greatest = std::max(greatest, error); }

    const Trace& trace_;
    int scores_, scaled_scores_, weights_;
    Errors errors_;
};

void expect_close_to_float64(const Trace& trace, const Lab& lab, const std::string& when) {
    const std::vector<Row64> queries = product(lab.tensors.at("inputs"), lab.tensors.at("W_query"));
    const std::vector<Row64> keys = product(lab.tensors.at("context_inputs"), lab.tensors.at("W_key"));
    Reading reading(trace);
    for (int i = 0; i < kQueries; ++i) {
        Row64 scores;
        for (const Row64& key : keys) scores.push_back(dot(queries[static_cast<std::size_t>(i)], key));
        reading.look_at_row(i, scores);
    }
    EXPECT_LE(reading.errors().score, 2e-6) << when;
    EXPECT_LE(reading.errors().weight, 1e-6) << when;
    // Before scaling by 1/8 scores are of eight times the size and their parts rounded accordingly, by any float32 product.
    EXPECT_LE(reading.errors().unscaled, 8e-6) << when;
    EXPECT_GT(reading.errors().score, 0) << when << ": float32 is not float64";
}

Trace complete_trace(const Lab& lab, const MostStored& most = kStoresNoScores) {
    Trace trace(nullptr, most);
    trace.update(program_of(lab), lab.tensors);
    return trace;
}

TEST(LongTextAccuracy, AHoveredCellIsThatOfFloat64) {
    const Lab lab = long_text();
    const Trace trace = complete_trace(lab);
    for (const char* name : {"attention_scores", "attention_weights"}) {
        const auto node = static_cast<std::size_t>(trace.program().find(name));
        EXPECT_FALSE(make_plan(trace.program(), kStoresNoScores).is_stored[node]) << name;
    }
    expect_close_to_float64(trace, lab, "after a run");
}

TEST(LongTextAccuracy, SoItIsAfterEditsFollowedTermByTerm) {
    Lab lab = long_text();
    Trace trace = complete_trace(lab);
    Dice dice(31);
    for (int edit = 0; edit < 60; ++edit) {
        const char* name = edit % 4 == 3 ? "inputs" : "context_inputs";
        const Cell cell{0, dice.below(edit % 4 == 3 ? kQueries : kKeys), dice.below(kLongWidth)};
        lab.tensors[name] = lab.tensors.at(name).with(cell, dice.number());
        trace.update(lab.tensors);
    }
    EXPECT_TRUE(trace.has_drifted()) << "they were followed";
    expect_close_to_float64(trace, lab, "after edits");
    while (trace.refresh_some()) {
    }
    expect_close_to_float64(trace, lab, "tidied up");
}

TEST(LongTextAccuracy, SoAreScoresThatFollowColumns) {
    Lab lab = long_text();
    Trace trace = complete_trace(lab, kMostStoredInteractively);
    ASSERT_TRUE(trace.is_stored(trace.program().find("attention_scores")));
    Dice dice(37);
    for (int edit = 0; edit < 30; ++edit) {
        const char* name = edit % 2 == 0 ? "W_query" : "W_key";
        const Cell cell{0, dice.below(kLongWidth), dice.below(kLongWidth)};
        lab.tensors[name] = lab.tensors.at(name).with(cell, dice.number() / 4);
        trace.update(lab.tensors);
    }
    EXPECT_TRUE(trace.has_drifted()) << "they were followed";
    expect_close_to_float64(trace, lab, "after edits of matrices");
}

} // namespace
