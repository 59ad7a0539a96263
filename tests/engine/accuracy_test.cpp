#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/steps/steps.h"
#include "tests/engine/labs.h"

namespace {

using namespace lab;
using namespace lab::test;

constexpr int kTokens = 1024, kWidth = 64;

// Row after row in float64.
struct Reference {
    int n_rows, n_cols;
    std::vector<double> cells;

    double& at(int i, int j) { return cells[static_cast<std::size_t>(i * n_cols + j)]; }
    double at(int i, int j) const { return cells[static_cast<std::size_t>(i * n_cols + j)]; }
};
Reference zeros(int n_rows, int n_cols) {
    return {n_rows, n_cols, std::vector<double>(static_cast<std::size_t>(n_rows * n_cols))};
}

// Evenly spread numbers of a variance: those that benchmarks compute with (app/benchmark/spread_numbers.h).
Tensor spread(const Shape& shape, std::uint32_t seed, double variance) {
    std::vector<float> numbers(shape.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::uint32_t x = static_cast<std::uint32_t>(i) + seed * 0x9E3779B1u;
        x = (x ^ x >> 16) * 0x7FEB352Du;
        x = (x ^ x >> 15) * 0x846CA68Bu;
        x ^= x >> 16;
        numbers[i] = (static_cast<float>(x >> 8) / 8388608.0f - 1.0f) * static_cast<float>(std::sqrt(3 * variance));
    }
    return Tensor(shape, numbers);
}

Lab head_of_1024_tokens() {
    Lab lab;
    std::uint32_t seed = 1;
    lab.tensors["inputs"] = spread(Shape::matrix(kTokens, kWidth), seed, 1);
    for (const char* name : {"W_query", "W_key", "W_value"})
        lab.tensors[name] = spread(Shape::matrix(kWidth, kWidth), ++seed, 1.0 / kWidth);
    return lab;
}

Reference exactly(const Tensor& tensor) {
    const std::vector<float> values = tensor.values();
    return {tensor.shape().rows, tensor.shape().cols, std::vector<double>(values.begin(), values.end())};
}

Reference product(const Reference& a, const Reference& b) {
    Reference c = zeros(a.n_rows, b.n_cols);
    for (int i = 0; i < a.n_rows; ++i) {
        for (int k = 0; k < a.n_cols; ++k) {
            for (int j = 0; j < b.n_cols; ++j) c.at(i, j) += a.at(i, k) * b.at(k, j);
        }
    }
    return c;
}

Reference scaled_scores(const Reference& queries, const Reference& keys) {
    Reference turned = zeros(keys.n_cols, keys.n_rows);
    for (int i = 0; i < keys.n_rows; ++i) {
        for (int j = 0; j < keys.n_cols; ++j) turned.at(j, i) = keys.at(i, j);
    }
    Reference scores = product(queries, turned);
    for (double& score : scores.cells) score /= std::sqrt(static_cast<double>(keys.n_cols));
    return scores;
}

Reference softmax_of(Reference scores) {
    for (int i = 0; i < scores.n_rows; ++i) {
        double sum = 0;
        for (int j = 0; j < scores.n_cols; ++j) sum += scores.at(i, j) = std::exp(scores.at(i, j));
        for (int j = 0; j < scores.n_cols; ++j) scores.at(i, j) /= sum;
    }
    return scores;
}

double greatest_difference(const Trace& trace, const char* name, const Reference& expected) {
    const std::vector<float> cells = tensor_of(trace, name).values();
    EXPECT_EQ(cells.size(), expected.cells.size());
    double greatest = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
        greatest = std::max(greatest, std::fabs(static_cast<double>(cells[i]) - expected.cells[i]));
    return greatest;
}

TEST(Accuracy, OfAHeadOf1024TokensIsThatOfThePeers) {
    const Lab lab = head_of_1024_tokens();
    const Trace trace = run(lab);
    const Reference inputs = exactly(lab.tensors.at("inputs"));
    const auto projected = [&](const char* name) { return product(inputs, exactly(lab.tensors.at(name))); };
    const Reference scores = scaled_scores(projected("W_query"), projected("W_key"));
    const Reference weights = softmax_of(scores);
    EXPECT_LE(greatest_difference(trace, "scaled_scores", scores), 2e-6);
    EXPECT_LE(greatest_difference(trace, "attention_weights", weights), 8e-8);
    EXPECT_LE(greatest_difference(trace, "context_vectors", product(weights, projected("W_value"))), 4e-7);
}

// By pairs where that is the faster (engine/kernels/product.h).
TEST(Accuracy, ScoresAreSummedAsIsFaster) {
    const Trace trace = run(head_of_1024_tokens());
    const StepPtr step = matrix_product({.second_transposed = true, .is_of_scores = true});
    const Tensor scores = run(*step, {tensor_of(trace, "queries"), tensor_of(trace, "keys")});
    EXPECT_EQ(tensor_of(trace, "attention_scores").values(), scores.values());
}

} // namespace
