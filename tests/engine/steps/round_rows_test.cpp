#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/kernels/elementary.h"
#include "engine/steps/steps.h"
#include "tests/engine/step_facets.h"

namespace {

using namespace lab;
using namespace lab::test;
using Row = std::vector<float>;

Row rounded(const Row& row, int decimals) { return run(*round_rows(decimals), {matrix({row})}).values(); }

Row to_nearest(Row row, int decimals) {
    for (float& x : row) x = round_to_decimals(x, decimals);
    return row;
}

// Bit by bit, so that −0 is not 0.
bool is_to_nearest(const Row& row, int decimals) {
    return bit_equal(matrix({rounded(row, decimals)}), matrix({to_nearest(row, decimals)}));
}

double sum_of(const Row& row) {
    double sum = 0;
    for (float x : row) sum += static_cast<double>(x);
    return sum;
}

// Numbers from 0 whose sum is 1, up to float32.
Row weights(Dice& dice, int n) {
    Row row;
    for (int j = 0; j < n; ++j) row.push_back(dice.below(4) == 0 ? 0 : std::exp(2 * dice.number()));
    row.back() += 0.01f;
    const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
    for (float& x : row) x /= sum;
    return row;
}

TEST(RoundRows, ByHandTiesToEven) {
    EXPECT_EQ(rounded({0.5f, 1.5f, 2.5f, -0.5f, 0.9f}, 0), (Row{0, 2, 2, -0.0f, 1}));
    EXPECT_EQ(rounded({0.25f, 0.35f, 0.04f}, 1), (Row{0.2f, 0.4f, 0}));
    EXPECT_EQ(rounded({0.125f, 0.375f, 1}, 2), (Row{0.12f, 0.38f, 1}));
}

TEST(RoundRows, KeepASumOfOneByHand) {
    EXPECT_EQ(rounded({0.0634f, 0.4683f, 0.4683f}, 1), (Row{0, 0.5f, 0.5f})) << "too much: the furthest up goes down";
    EXPECT_EQ(rounded({0.34f, 0.33f, 0.33f}, 1), (Row{0.4f, 0.3f, 0.3f})) << "too little: the furthest down goes up";
    EXPECT_EQ(rounded({0.17f, 0.17f, 0.16f, 0.17f, 0.17f, 0.16f}, 1), (Row{0.2f, 0.2f, 0.1f, 0.2f, 0.2f, 0.1f}))
        << "two units";
    EXPECT_EQ(rounded({0.1f, 0.3f, 0.4f, 0.2f}, 0), (Row{0, 0, 1, 0})) << "to whole numbers: the greatest";
    EXPECT_EQ(rounded({0.33333f, 0.33333f, 0.33334f}, 4), (Row{0.3333f, 0.3333f, 0.3334f}));
}

TEST(RoundRows, OfEqualsTheLaterIsTurned) {
    EXPECT_EQ(rounded(Row(6, 1 / 6.0f), 1), (Row{0.2f, 0.2f, 0.2f, 0.2f, 0.1f, 0.1f}));
    EXPECT_EQ(rounded(Row(3, 1 / 3.0f), 1), (Row{0.3f, 0.3f, 0.4f}));
    EXPECT_EQ(rounded({0.5f, 0.5f}, 0), (Row{0, 1}));
}

TEST(RoundRows, LeaveARowThatSumsToOneOnceRounded) {
    for (const Row& row : {Row{0.0003f, 0.8805f, 0.1192f}, Row{0.46f, 0.44f, 0.1f}, Row{0.25f, 0.75f}, Row{1, 0}}) {
        EXPECT_NEAR(sum_of(to_nearest(row, 1)), 1, 1e-6);
        EXPECT_TRUE(is_to_nearest(row, 1));
    }
    EXPECT_TRUE(is_to_nearest({0.123456f, 0.376544f, 0.5f}, 5));
    EXPECT_TRUE(is_to_nearest(Row(6, 1 / 6.0f), 5)) << "1.00002 is 1 within the tolerance";
}

TEST(RoundRows, LeaveARowThatDidNotSumToOne) {
    const Row turned = {0.0634f, 0.4683f, 0.4683f};
    ASSERT_FALSE(is_to_nearest(turned, 1));
    for (float off : {-0.0003f, 0.0003f, 0.2f, -0.5f}) {
        Row row = turned;
        row[1] += off;
        EXPECT_TRUE(is_to_nearest(row, 1)) << off;
    }
    Row near = turned;
    near[1] += 0.00005f;
    EXPECT_EQ(rounded(near, 1), (Row{0, 0.5f, 0.5f})) << "within 1e-4";
    EXPECT_TRUE(is_to_nearest({0, 0, 0}, 1)) << "every key masked";
    for (float x : rounded({kNaN, kNaN}, 1)) EXPECT_TRUE(std::isnan(x));
    EXPECT_TRUE(is_to_nearest({kInfinity, 0.16f, 0.26f}, 1));
    EXPECT_TRUE(is_to_nearest({-0.04f, 0.16f, 0.26f}, 1)) << "−0 as torch.round has it";
}

TEST(RoundRows, WhatDivisionByTheSumCanGive) {
    EXPECT_EQ(rounded({-0.14f, 0.57f, 0.57f}, 1), (Row{-0.1f, 0.6f, 0.5f})) << "no cell goes down below 0";
    EXPECT_EQ(rounded({-0.06f, 0.53f, 0.53f}, 1), (Row{0, 0.5f, 0.5f}));
    for (float x : rounded({-0.06f, 0.53f, 0.53f}, 1)) EXPECT_FALSE(std::signbit(x));
    EXPECT_TRUE(is_to_nearest({-0.14f, -0.14f, -0.14f, 1.42f}, 1)) << "it would take negative weights";
    EXPECT_TRUE(is_to_nearest({1e30f, -1e30f, 1}, 20)) << "infinite units";
}

// The largest remainder method: floors, and a unit more for the greatest remainders, here in whole units of 2^-20.
TEST(RoundRows, AreTheLargestRemainderMethod) {
    Dice dice(5);
    int n_turned = 0;
    for (int turn = 0; turn < 400; ++turn) {
        const int n = 1 + dice.below(12);
        const int decimals = dice.below(4);
        const std::int64_t whole = std::int64_t(1) << 20;
        std::vector<std::int64_t> cuts = {0, whole};
        for (int j = 1; j < n; ++j) cuts.push_back(dice.below(static_cast<int>(whole)));
        std::sort(cuts.begin(), cuts.end());
        std::int64_t power = 1;
        for (int d = 0; d < decimals; ++d) power *= 10;
        Row row;
        std::vector<std::int64_t> units, remainders;
        std::int64_t missing = power;
        for (std::size_t j = 0; j + 1 < cuts.size(); ++j) {
            const std::int64_t x = cuts[j + 1] - cuts[j];
            row.push_back(static_cast<float>(x) / static_cast<float>(whole));
            units.push_back(x * power / whole);
            remainders.push_back(x * power % whole);
            missing -= units.back();
        }
        std::vector<std::int64_t> sorted = remainders;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) continue; // ties have their own test
        const Row y = rounded(row, decimals);
        for (std::size_t j = 0; j < y.size(); ++j) {
            const auto greater = std::count_if(remainders.begin(), remainders.end(),
                                               [&](std::int64_t other) { return other > remainders[j]; });
            const std::int64_t expected = units[j] + (greater < missing ? 1 : 0);
            EXPECT_EQ(std::lround(y[j] * static_cast<float>(power)), expected) << decimals << " decimals, cell " << j;
        }
        n_turned += is_to_nearest(row, decimals) ? 0 : 1;
    }
    EXPECT_GT(n_turned, 100);
}

TEST(RoundRows, KeepTheSumOfManyRows) {
    Dice dice(6);
    for (int turn = 0; turn < 300; ++turn) {
        const Row row = weights(dice, 1 + dice.below(turn < 290 ? 40 : 3000));
        for (int decimals : {0, 1, 2, 3, 4, 5, 7, 20}) {
            const Row y = rounded(row, decimals);
            EXPECT_NEAR(sum_of(y), 1, decimals <= 4 ? 1e-5 : 1.01e-4) << row.size() << " cells, " << decimals;
            const double unit = std::pow(10.0, -decimals);
            for (std::size_t j = 0; j < y.size(); ++j) {
                EXPECT_FALSE(std::signbit(y[j]));
                EXPECT_LT(std::fabs(static_cast<double>(y[j]) - static_cast<double>(row[j])), unit + 1e-6);
                EXPECT_TRUE(row[j] > 0 || y[j] == 0) << "a masked key stays 0";
            }
        }
    }
}

TEST(RoundRows, LeaveWhatHasFewerDecimals) {
    const Row row = {0.25f, 0.5f, 0.25f, 0};
    EXPECT_EQ(rounded(row, 2), row);
    Dice dice(7);
    for (int turn = 0; turn < 50; ++turn) {
        const Row once = rounded(weights(dice, 8), 1);
        EXPECT_EQ(rounded(once, 1), once) << "once is enough";
    }
}

TEST(RoundRows, AreNeverFurtherThanHalfAUnitWhereTheyDoNotSumToOne) {
    Dice dice(1);
    const Tensor numbers = dice.tensor(Shape::matrix(10, 10));
    for (int decimals = 0; decimals < 5; ++decimals) {
        const Tensor result = run(*round_rows(decimals), {numbers});
        const double half = 0.5 * std::pow(10.0, -decimals);
        for_each_cell(numbers.shape(), [&](Cell cell) {
            EXPECT_LE(std::fabs(static_cast<double>(result.at(cell)) - static_cast<double>(numbers.at(cell))),
                      half + 1e-6);
        });
    }
}

TEST(RoundRows, FacetsAgree) {
    Dice dice(2);
    for (int decimals : {0, 1, 4, -1}) {
        check_facets(*round_rows(decimals), {dice.tensor(Shape::matrix(3, 4))});
        check_facets(*round_rows(decimals), {matrix({weights(dice, 6), weights(dice, 6), Row(6, 1 / 6.0f)})});
    }
    check_facets(*round_rows(2), {matrix({{kNaN, kInfinity, -kInfinity, 3e38f, -0.0f}})});
    check_float64_twin(*round_rows(1), {matrix({{0.33f, 0.46f, -1.51f}, {0.0634f, 0.4683f, 0.4683f}})});
    check_float64_twin(*round_rows(2), {matrix({weights(dice, 7), weights(dice, 7)})});
}

// The same constant natively and in WebAssembly.
TEST(RoundRows, HaveTheSameBitsOnEveryPlatform) {
    Dice dice(8);
    std::uint32_t hash = 2166136261u;
    for (int turn = 0; turn < 200; ++turn) {
        Row row;
        int left = 1 << 16;
        for (int j = 0; j < 9; ++j) {
            const int part = dice.below(left / 2 + 1);
            row.push_back(static_cast<float>(part) / 65536.0f);
            left -= part;
        }
        row.push_back(static_cast<float>(left) / 65536.0f);
        for (float y : rounded(row, turn % 6)) hash = (hash ^ bits_of(y)) * 16777619u;
    }
    EXPECT_EQ(hash, 1631860047u);
}

TEST(RoundRows, NameTheirWholeRowTheOwnCellFirst) {
    const Tensor row = matrix({{0.0634f, 0.4683f, 0.4683f}});
    const std::vector<CellRef> of_first = {{0, {0, 0, 0}}, {0, {0, 0, 1}}, {0, {0, 0, 2}}};
    const std::vector<CellRef> of_second = {{0, {0, 0, 1}}, {0, {0, 0, 0}}, {0, {0, 0, 2}}};
    EXPECT_EQ(sources(derive(*round_rows(1), {row}, {0, 0, 0})), of_first);
    EXPECT_EQ(sources(derive(*round_rows(1), {row}, {0, 0, 1})), of_second);
    const Tensor two_rows(Shape::matrix(2, 3));
    EXPECT_EQ(reach(*round_rows(1), {two_rows}, 0, Block::at({0, 1, 2})).blocks(),
              (std::vector<Block>{{{0, 1}, {1, 2}, {0, 3}}}));
    EXPECT_EQ(notice(*round_rows(1), {row}, 0), std::nullopt);
}

TEST(RoundRows, WriteThemselvesDown) {
    const auto text = [](const Row& row, int decimals) {
        return expression_text(derive(*round_rows(decimals), {matrix({row})}, {0, 0, 0}));
    };
    EXPECT_EQ(text({0.125f}, 2), "round(0.1250, 2 decimals)");
    EXPECT_EQ(text({0.125f, 0.875f}, 1), "round(0.1250, 1 decimal)") << "the rest of the row is only a witness";
    EXPECT_EQ(evaluated_text(derive(*round_rows(1), {matrix({{0.125f, 0.875f}})}, {0, 0, 0})), "");
    EXPECT_EQ(text({0.0634f, 0.4683f, 0.4683f}, 1), "0.0000 (rounded down so that the row still sums to 1)");
    EXPECT_EQ(text({0.34f, 0.33f, 0.33f}, 1), "0.4000 (rounded up so that the row still sums to 1)");
    EXPECT_EQ(round_rows(2)->formula(std::vector<std::string>{"attention_weights"}), "round(attention_weights, 2)");
    EXPECT_NE(round_rows(2)->key(), round_rows(3)->key());
}

} // namespace
