#include "engine/random.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "tests/reference/random_reference.h"

namespace {

using lab::Generator;

std::uint32_t hash_of_bits(const std::vector<float>& numbers) {
    std::uint32_t hash = 2166136261u;
    for (float number : numbers) {
        std::uint32_t word = 0;
        std::memcpy(&word, &number, sizeof word);
        hash = (hash ^ word) * 16777619u;
    }
    return hash;
}

void expect_reference(const RandomReference& reference, const std::vector<float>& numbers, float tolerance) {
    for (std::size_t i = 0; i < reference.indices.size(); ++i) {
        EXPECT_NEAR(numbers[static_cast<std::size_t>(reference.indices[i])], reference.values[i], tolerance)
            << reference.name << " of seed " << reference.seed << ", number " << reference.indices[i];
    }
    double sum = 0.0;
    for (float number : numbers) sum += static_cast<double>(number);
    EXPECT_NEAR(sum, reference.sum, 1e-7 * static_cast<double>(numbers.size()) + 1e-5);
}

template <class Check> void for_each_reference(const std::string& name, int expected_count, Check check) {
    int count = 0;
    for (const RandomReference& reference : kRandomReferences) {
        if (reference.name != name) continue;
        check(reference);
        ++count;
    }
    EXPECT_EQ(count, expected_count);
}

TEST(Random, UniformNumbersEqualPyTorchsToTheBit) {
    for_each_reference("rand", 12, [](const RandomReference& reference) {
        Generator generator(reference.seed);
        const auto numbers = lab::rand(generator, static_cast<std::size_t>(reference.dims[0]));
        expect_reference(reference, numbers, 0.0f);
        EXPECT_EQ(hash_of_bits(numbers), reference.hash);
    });
}

TEST(Random, NormalNumbersMatchPyTorchs) {
    for_each_reference("randn", 12, [](const RandomReference& reference) {
        Generator generator(reference.seed);
        expect_reference(reference, lab::randn(generator, static_cast<std::size_t>(reference.dims[0])), 2e-6f);
    });
}

TEST(Random, TensorsDrawnOneAfterTheOtherMatchPyTorchs) {
    for_each_reference("sequence", 3, [](const RandomReference& reference) {
        Generator generator(reference.seed);
        std::vector<float> all;
        const auto append = [&](const std::vector<float>& numbers) {
            all.insert(all.end(), numbers.begin(), numbers.end());
        };
        append(lab::rand(generator, 3));
        append(lab::randn(generator, 5));
        append(lab::rand(generator, 2));
        append(lab::randn(generator, 5));
        append(lab::randn(generator, 16));
        append(lab::randn(generator, 2));
        expect_reference(reference, all, 2e-6f);
    });
}

TEST(Random, SkippingIsDrawing) {
    for (std::uint64_t n : {0u, 1u, 6u, 623u, 624u, 625u, 5000u}) {
        Generator drawn(7), skipped(7);
        for (std::uint64_t i = 0; i < n; ++i) drawn.next();
        skipped.skip(n);
        for (int i = 0; i < 700; ++i) ASSERT_EQ(drawn.next(), skipped.next()) << "after " << n;
    }
}

TEST(Random, DrawsOfNormalNumbersAreCounted) {
    for (std::size_t n : {0u, 1u, 2u, 5u, 15u, 16u, 17u, 21u, 32u, 1000u}) {
        Generator filled(99), skipped(99);
        lab::randn(filled, n);
        skipped.skip(lab::randn_draws(n));
        EXPECT_EQ(filled.next(), skipped.next()) << n << " numbers";
    }
}

// The twin that holds the whole table, for tables below 16 numbers, of whole blocks and with a tail drawn
// afresh.
TEST(Random, RowsEqualTheWholeTables) {
    const int sizes[][2] = {{1, 1}, {5, 3}, {16, 1}, {7, 3}, {8, 4}, {100, 7}, {33, 17}};
    for (const auto& [n_rows, n_cols] : sizes) {
        const std::size_t width = static_cast<std::size_t>(n_cols);
        Generator whole(5), picked(5);
        const auto table = lab::randn(whole, static_cast<std::size_t>(n_rows) * width);
        std::vector<int> rows;
        for (int row = n_rows - 1; row >= 0; row -= 2) rows.push_back(row);
        rows.push_back(rows.front());
        const auto some = lab::randn_rows(picked, n_rows, n_cols, rows);
        for (std::size_t i = 0; i < some.size(); ++i) {
            EXPECT_EQ(some[i], table[static_cast<std::size_t>(rows[i / width]) * width + i % width]);
        }
        EXPECT_EQ(whole.next(), picked.next()) << n_rows << " × " << n_cols;
    }
}

TEST(Random, UniformNumbersStayInTheirRange) {
    Generator generator(1);
    for (float number : lab::rand_between(generator, 10000, -0.5f, 0.25f)) {
        EXPECT_GE(number, -0.5f);
        EXPECT_LT(number, 0.25f);
    }
}

} // namespace
