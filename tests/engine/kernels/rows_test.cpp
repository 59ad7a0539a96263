#include "engine/kernels/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/kernels/elementary.h"
#include "engine/kernels/product.h"
#include "tests/engine/kernels/instruction_sets.h"
#include "tests/engine/support.h"

namespace lab {
namespace {

using namespace lab::test;

std::vector<float> row(Dice& dice, int n, float scale) {
    std::vector<float> x;
    for (int j = 0; j < n; ++j) x.push_back(dice.number() * scale);
    return x;
}

std::size_t at(int j) { return static_cast<std::size_t>(j); }

// The sum in the order that the header promises.
float slow_sum(const std::vector<float>& y) {
    float partial[16] = {};
    for (std::size_t j = 0; j < y.size(); ++j) partial[j % 16] += y[j];
    for (int half = 8; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) partial[i] += partial[i + half];
    }
    return partial[0];
}

TEST(RowKernels, PowersAreThoseOfOneNumber) {
    for_each_instruction_set([](const char* name) {
        Dice dice(1);
        for (int n : {1, 2, 15, 16, 17, 31, 33, 64, 100, 257}) {
            for (float scale : {0.5f, 20.0f, 60.0f}) {
                const std::vector<float> x = row(dice, n, scale);
                std::vector<float> y(x.size()), expected;
                for (float each : x) expected.push_back(exponential(each - 1.5f));
                const float sum = exponentials_of_row(x.data(), n, 1.5f, y.data());
                for (std::size_t j = 0; j < x.size(); ++j)
                    ASSERT_EQ(y[j], expected[j]) << name << ", e^" << x[j] - 1.5f;
                ASSERT_EQ(sum, slow_sum(expected)) << name << ", " << n;
            }
        }
    });
}

TEST(RowKernels, PowersOfWhatIsNoOrdinaryNumber) {
    const std::vector<float> x{kInfinity, -kInfinity, kNaN, -200.0f, 200.0f, -103.5f, 88.8f, 0.0f, -0.0f};
    for_each_instruction_set([&](const char* name) {
        std::vector<float> y(x.size());
        exponentials_of_row(x.data(), static_cast<int>(x.size()), 0, y.data());
        for (std::size_t j = 0; j < x.size(); ++j)
            EXPECT_TRUE(alike(y[j], exponential(x[j]))) << name << ", e^" << x[j];
    });
    EXPECT_EQ(exponential(-kInfinity), 0);
    EXPECT_EQ(exponential(kInfinity), kInfinity);
}

// The passes that the header names, one after another.
std::vector<float> slow_softmax(const std::vector<float>& x, const float* sink, float& sum) {
    float shift = *std::max_element(x.begin(), x.end());
    if (sink) shift = std::max(shift, *sink);
    std::vector<float> y;
    for (float each : x) y.push_back(exponential(each - shift));
    sum = slow_sum(y) + (sink ? exponential(*sink - shift) : 0.0f);
    for (float& each : y) each *= 1 / sum;
    return y;
}

TEST(RowKernels, SoftmaxIsItsPasses) {
    const float sinks[] = {0.25f, 9.0f};
    for_each_instruction_set([&](const char* name) {
        Dice dice(3);
        for (int n : {1, 2, 6, 15, 16, 17, 40, 63}) {
            std::vector<float> x = row(dice, n, 3);
            if (n > 2) x[1] = -kInfinity;
            for (const float* sink : {static_cast<const float*>(nullptr), sinks + 0, sinks + 1}) {
                std::vector<float> y(x.size());
                float expected_sum = 0;
                const std::vector<float> expected = slow_softmax(x, sink, expected_sum);
                const RowSum kept = softmax_row(x.data(), n, sink, y.data());
                EXPECT_EQ(kept.sum, expected_sum) << name << ", " << n;
                EXPECT_EQ(y, expected) << name << ", " << n;
            }
        }
    });
}

// FloatPowerOfTwo, one operation after the other.
float slow_power_of_two(float t) {
    using P = FloatPowerOfTwo;
    const float whole = std::floor(t), fraction = t - whole;
    float power = P::kSeries[P::kTerms - 1];
    for (int k = P::kTerms - 2; k >= 0; --k) power = std::fma(power, fraction, P::kSeries[k]);
    return std::ldexp(power, static_cast<int>(whole));
}
float slow_power_of_e_by_two(float x) {
    if (std::isnan(x)) return x;
    if (x < FloatExponential::kLeast) return 0;
    x = std::min(x, FloatExponential::kGreatest);
    return 2 * slow_power_of_two(std::fma(x, FloatPowerOfTwo::kLog2E, -1.0f));
}
float slow_power_in_long_row(float x) { return rounds_once() ? slow_power_of_e_by_two(x) : exponential(x); }

TEST(RowKernels, PowersOfTwoAreCloseAndNeverFall) {
    EXPECT_EQ(slow_power_of_two(0), 1);
    EXPECT_EQ(slow_power_of_two(-0x1p-30f), 1) << "no step where the whole part changes";
    EXPECT_EQ(slow_power_of_two(5), 32);
    // Steps whose fractions are exact, and others.
    for (const auto& [n_steps, bound] : {std::pair{4096, 6.6e-8}, std::pair{4099, 7e-8}}) {
        float before = 0;
        for (int i = -124 * n_steps; i <= 127 * n_steps; ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(n_steps), power = slow_power_of_two(t);
            const double expected = std::exp2(static_cast<double>(t));
            ASSERT_LE(std::fabs(static_cast<double>(power) - expected), bound * expected) << t;
            ASSERT_GE(power, before) << t;
            before = power;
        }
    }
}

// What the header promises of e^x for scores below the greatest: in steps, and number by number near 0.
TEST(RowKernels, PowersOfEByTwoAreCloseAndNeverFall) {
    float before = 0;
    const auto check = [&before](float x) {
        const float power = slow_power_of_e_by_two(x);
        const double expected = std::exp(static_cast<double>(x)), size = std::fabs(static_cast<double>(x));
        ASSERT_LE(std::fabs(static_cast<double>(power) - expected), (1.2e-7 + 9e-8 * size) * expected) << x;
        ASSERT_GE(power, before) << x;
        before = power;
    };
    constexpr int kSteps = 4099;
    for (int i = static_cast<int>(FloatExponential::kLeast * kSteps); i < -kSteps / 2; ++i)
        ASSERT_NO_FATAL_FAILURE(check(static_cast<float>(i) / kSteps));
    for (float x = -0.5f; x < -0.4999f; x = std::nextafter(x, 0.0f)) ASSERT_NO_FATAL_FAILURE(check(x));
    for (float x = -0x1p-10f; x < -0x1.ffp-11f; x = std::nextafter(x, 0.0f)) ASSERT_NO_FATAL_FAILURE(check(x));
    check(0);
    EXPECT_EQ(before, 1);
}

// Of scores that have come above the shift that is kept of their row, too.
TEST(RowKernels, PowersOfLongRowsOfWhatIsNoOrdinaryNumber) {
    std::vector<float> x{kInfinity, -kInfinity, kNaN,       -200.0f, 200.0f, 0.0f,  -0.0f,      1e-9f,  -1e-9f,
                         0.3f,      0.5f,       0.6931471f, 0.7f,    -0.3f,  -0.5f, 88.722831f, 88.73f, 89.0f};
    for (float near : {-86.5f, 88.722839f, -0.6931472f}) {
        for (float each : {std::nextafter(near, -100.0f), near, std::nextafter(near, 100.0f)}) x.push_back(each);
    }
    for (int i = 0; i < 200; ++i)
        x.push_back(0.35f + 0.00171f * static_cast<float>(i)); // whose fractions are not exact
    const std::vector<RowSum> sums(x.size(), RowSum{0, 1});
    for_each_instruction_set([&](const char* name) {
        std::vector<float> y(x.size());
        powers_in_rows(x.data(), sums.data(), static_cast<int>(x.size()), kLongRow, y.data());
        for (std::size_t j = 0; j < x.size(); ++j)
            EXPECT_TRUE(alike(y[j], slow_power_in_long_row(x[j]))) << name << ", e^" << x[j] << ": " << y[j];
    });
    EXPECT_EQ(slow_power_of_e_by_two(89), kInfinity);
}

TEST(RowKernels, SoftmaxOfLongRowsIsItsPasses) {
    const float sinks[] = {0.25f, 40.0f};
    for_each_instruction_set([&](const char* name) {
        Dice dice(8);
        for (int n : {64, 70, 257, 1024}) {
            std::vector<float> x = row(dice, n, 30), y(x.size());
            x[1] = -kInfinity;
            for (const float* sink : {static_cast<const float*>(nullptr), sinks + 0, sinks + 1}) {
                float shift = *std::max_element(x.begin(), x.end());
                if (sink) shift = std::max(shift, *sink);
                std::vector<float> expected;
                for (float each : x) expected.push_back(slow_power_in_long_row(each - shift));
                const float sum = slow_sum(expected) + (sink ? slow_power_in_long_row(*sink - shift) : 0.0f);
                for (float& each : expected) each *= 1 / sum;
                const RowSum kept = softmax_row(x.data(), n, sink, y.data());
                EXPECT_EQ(kept.shift, shift) << name << ", " << n;
                EXPECT_EQ(kept.sum, sum) << name << ", " << n;
                EXPECT_EQ(y, expected) << name << ", " << n;
            }
        }
    });
}

// What the header promises of long rows, in float64.
TEST(RowKernels, WeightsOfLongRowsAreAsCloseAsTheirPowers) {
    for_each_instruction_set([&](const char* name) {
        Dice dice(9);
        for (float scale : {1.0f, 20.0f, 500.0f}) {
            const std::vector<float> x = row(dice, 300, scale);
            std::vector<float> y(x.size());
            const RowSum kept = softmax_row(x.data(), 300, nullptr, y.data());
            double sum = 0;
            const auto power = [&](float each) {
                return std::exp(static_cast<double>(each) - static_cast<double>(kept.shift));
            };
            for (float each : x) sum += power(each);
            for (std::size_t j = 0; j < x.size(); ++j) {
                const double expected = power(x[j]) / sum, t = static_cast<double>(kept.shift - x[j]);
                const double close = 7e-8 + 9e-8 * t + 4e-7; // and of the sum and two products
                ASSERT_LE(std::fabs(static_cast<double>(y[j]) - expected), close * expected + 3e-38)
                    << name << ", " << scale << ", " << t;
            }
        }
    });
}

// Whatever the size of the scores: the greatest has the power 1.
TEST(RowKernels, OneGreatScoreTakesTheWholeRow) {
    for_each_instruction_set([](const char* name) {
        for (int n : {6, 63, 64, 300}) {
            for (float size = 400; size < 2e38f; size *= 7) {
                for (const float sign : {1.0f, -1.0f}) {
                    std::vector<float> x(at(n), sign < 0 ? -size * 1.25f : 0.0f), y(x.size());
                    x[2] = sign * size;
                    const RowSum kept = softmax_row(x.data(), n, nullptr, y.data());
                    EXPECT_EQ(kept.sum, 1) << name << ", " << x[2] << " of " << n;
                    for (int j = 0; j < n; ++j)
                        ASSERT_EQ(y[at(j)], j == 2 ? 1 : 0) << name << ", " << x[2] << ", " << j;
                    std::fill(x.begin(), x.end(), x[2]);
                    EXPECT_EQ(softmax_row(x.data(), n, nullptr, y.data()).sum, static_cast<float>(n))
                        << name << ", all " << x[2];
                }
            }
        }
    });
}

// Any part of a row, and any column of rows, has the bits that the whole row gave it, however large its scores.
TEST(RowKernels, PartsOfRowsAreThoseOfTheWhole) {
    for_each_instruction_set([&](const char* name) {
        Dice dice(10);
        for (int n : {6, 40, 63, 64, 300}) {
            constexpr int kRows = 37, kColumn = 5;
            std::vector<std::vector<float>> weights;
            std::vector<RowSum> sums;
            std::vector<float> column, powers;
            for (int i = 0; i < kRows; ++i) {
                const std::vector<float> x = row(dice, n, i == 20 ? 1e38f : 4.0f);
                std::vector<float> y(x.size()), part(at(n - 2));
                sums.push_back(softmax_row(x.data(), n, nullptr, y.data()));
                weights_in_row(x.data() + 1, n - 2, sums.back(), n, part.data());
                EXPECT_TRUE(std::equal(part.begin(), part.end(), y.begin() + 1))
                    << name << ", row " << i << " of " << n;
                column.push_back(x[at(kColumn)]);
                powers.push_back(y[at(kColumn)]);
            }
            powers_in_rows(column.data(), sums.data(), kRows, n, column.data());
            for (int i = 0; i < kRows; ++i)
                EXPECT_EQ(column[at(i)] * (1 / sums[at(i)].sum), powers[at(i)]) << name << ", row " << i << " of " << n;
        }
    });
}

bool is_same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// So many rows and which of them are masked.
struct RowsTogether {
    int n_rows;
    std::vector<int> masked;
    bool is_in_place = false;
};

// Rows in matrices that are wider than they, against each row alone, multiplied before. Returns what differs.
std::string difference_of_rows(const RowsTogether& rows, std::vector<float> x, int n, float factor, const float* sink) {
    const int width = static_cast<int>(x.size()) / rows.n_rows;
    for (int i : rows.masked) std::fill_n(x.begin() + i * width, n, -kInfinity);
    if (rows.n_rows > 5) x[at(5 * width + n - 1)] = kNaN;
    std::vector<float> y = rows.is_in_place ? x : std::vector<float>(x.size(), 7);
    softmax_rows({rows.is_in_place ? y.data() : x.data(), width, rows.n_rows, n, factor, sink, y.data(), width});
    for (int i = 0; i < rows.n_rows; ++i) {
        std::vector<float> alone(x.begin() + i * width, x.begin() + i * width + n);
        scale_row(alone.data(), n, factor, alone.data());
        softmax_row(alone.data(), n, sink, alone.data());
        for (int j = 0; j < width; ++j) {
            const float beside = rows.is_in_place ? x[at(i * width + j)] : 7;
            if (!is_same(y[at(i * width + j)], j < n ? alone[at(j)] : beside))
                return "row " + std::to_string(i) + ", column " + std::to_string(j) + " of " + std::to_string(n);
        }
    }
    return {};
}

TEST(RowKernels, RowsTogetherAreEachAlone) {
    constexpr float kSink = 0.25f;
    const RowsTogether kinds[] = {{1, {}}, {1, {0}},      {2, {0}},           {3, {1, 2}},        {5, {0, 4}},
                                  {5, {}}, {37, {2, 36}}, {37, {0, 1, 2, 3}}, {37, {2, 20}, true}};
    for_each_instruction_set([&](const char* name) {
        Dice dice(4);
        for (const RowsTogether& rows : kinds) {
            for (int n : {1, 6, 16, 17, 64, 130, 300, 2100}) {
                for (float scale : {30.0f, 3e38f, 1e-38f}) {
                    for (float factor : {1.0f, 0.125f, 0x1p-100f}) {
                        const std::vector<float> x = row(dice, rows.n_rows * (n + 3), scale);
                        for (const float* sink : {static_cast<const float*>(nullptr), &kSink})
                            EXPECT_EQ(difference_of_rows(rows, x, n, factor, sink), "")
                                << name << ", " << rows.n_rows << " rows, " << scale << " · " << factor;
                    }
                }
            }
        }
    });
}

TEST(RowKernels, SoftmaxOfNothingAllowedIsZerosAndOfNaNIsNaN) {
    for_each_instruction_set([](const char* name) {
        for (int n : {1, 5, 16, 33}) {
            std::vector<float> x(static_cast<std::size_t>(n), -kInfinity), y(x.size(), 7);
            EXPECT_EQ(softmax_row(x.data(), n, nullptr, y.data()).sum, 0) << name;
            EXPECT_EQ(y, std::vector<float>(x.size(), 0.0f)) << name;
            x.back() = kNaN;
            softmax_row(x.data(), n, nullptr, y.data());
            for (float each : y) EXPECT_TRUE(std::isnan(each)) << name << ", " << n;
        }
    });
}

TEST(RowKernels, InPlaceIsTheSame) {
    for_each_instruction_set([](const char* name) {
        Dice dice(2);
        std::vector<float> x = row(dice, 37, 3), y(x.size());
        exponentials_of_row(x.data(), 37, 2, y.data());
        exponentials_of_row(x.data(), 37, 2, x.data());
        EXPECT_EQ(x, y) << name;
        scale_row(x.data(), 37, 0.3f, x.data());
        for (std::size_t j = 0; j < y.size(); ++j) EXPECT_EQ(x[j], y[j] * 0.3f) << name;
    });
}

TEST(RowKernels, TheGreatestIsFoundWhereverItStands) {
    for_each_instruction_set([](const char* name) {
        for (int n : {1, 3, 16, 17, 40}) {
            for (int at = 0; at < n; ++at) {
                std::vector<float> x(static_cast<std::size_t>(n), -5.0f);
                x[static_cast<std::size_t>(at)] = -4.0f;
                ASSERT_EQ(row_maximum(x.data(), n), -4.0f) << name << ", " << at << " of " << n;
            }
        }
        EXPECT_EQ(row_maximum(nullptr, 0), -kInfinity) << name;
    });
}

TEST(RowKernels, TheGreaterOfPairsAlsoInPlace) {
    for_each_instruction_set([](const char* name) {
        Dice dice(4);
        for (int n : {1, 2, 3, 8, 31, 32, 33, 64, 129}) {
            std::vector<float> x = row(dice, n, 3), expected;
            if (n > 2) x[2] = -kInfinity;
            for (int k = 0; k < n; k += 2) expected.push_back(k + 1 < n ? std::max(x[at(k)], x[at(k + 1)]) : x[at(k)]);
            greater_of_pairs(x.data(), n, x.data());
            x.resize(expected.size());
            ASSERT_EQ(x, expected) << name << ", " << n;
        }
    });
}

TEST(RowKernels, TheGreaterOrTheFartherIsKept) {
    for_each_instruction_set([](const char* name) {
        Dice dice(5);
        for (int n : {1, 3, 8, 31, 64, 129}) {
            std::vector<float> x = row(dice, n, 3), y = row(dice, n, 3);
            for (int j = 0; j + 1 < n; j += 5) y[at(j)] = -x[at(j)]; // as far from 0
            const std::vector<std::pair<float, float>> kOdd = {{-kInfinity, 0.0f},
                                                               {0.0f, -kInfinity},
                                                               {-kInfinity, -kInfinity},
                                                               {kInfinity, -1},
                                                               {-kInfinity, kInfinity},
                                                               {NAN, 1},
                                                               {1, NAN},
                                                               {0.0f, -0.0f}};
            for (std::size_t j = 0; j < kOdd.size() && 4 * j < x.size(); ++j) std::tie(x[4 * j], y[4 * j]) = kOdd[j];
            std::vector<float> greater = y, farther = y;
            keep_greater(x.data(), n, greater.data());
            keep_farther(x.data(), n, farther.data());
            for (int j = 0; j < n; ++j) {
                const float a = x[at(j)], b = y[at(j)];
                const bool has_nan = std::isnan(a) || std::isnan(b);
                const float most = std::max(a, b);
                const float of_a = a == -kInfinity ? -1 : std::fabs(a), of_b = b == -kInfinity ? -1 : std::fabs(b);
                const float farthest = of_a == of_b ? most : of_a > of_b ? a : b;
                EXPECT_TRUE(has_nan ? std::isnan(greater[at(j)]) : greater[at(j)] == most) << name << ", " << j;
                EXPECT_TRUE(has_nan ? std::isnan(farther[at(j)]) : farther[at(j)] == farthest) << name << ", " << j;
            }
        }
    });
}

TEST(RowKernels, AMultipleOfARowIsAdded) {
    for_each_instruction_set([](const char* name) {
        Dice dice(7);
        for (int n : {0, 1, 3, 8, 17, 64, 101}) {
            const std::vector<float> x = row(dice, n, 2), before = row(dice, n, 2);
            std::vector<float> y = before;
            const float greatest = add_multiple(-0.7f, x.data(), n, y.data());
            float expected = 0;
            for (std::size_t j = 0; j < y.size(); ++j) {
                const double sum =
                    static_cast<double>(before[j]) + static_cast<double>(-0.7f) * static_cast<double>(x[j]);
                EXPECT_NEAR(static_cast<double>(y[j]), sum, 3e-7) << name << ", " << j << " of " << n;
                expected = std::max(expected, std::fabs(y[j]));
            }
            EXPECT_EQ(greatest, expected) << name << ", " << n;
        }
    });
}

TEST(RowKernels, ANumberThatIsNotFiniteIsTheGreatestOfAll) {
    for (const float none : {kInfinity, -kInfinity, std::nanf("")}) {
        for_each_instruction_set([&](const char* name) {
            for (int at_j = 0; at_j < 21; ++at_j) {
                std::vector<float> x(21, 1.0f), y(21, -2.0f);
                x[at(at_j)] = none;
                EXPECT_FALSE(std::isfinite(add_multiple(0.5f, x.data(), 21, y.data()))) << name << " at " << at_j;
            }
        });
    }
}

TEST(RowKernels, ATermOfSumsIsExchanged) {
    for_each_instruction_set([](const char* name) {
        Dice dice(6);
        for (int n : {1, 3, 8, 17, 64}) {
            const std::vector<float> now = row(dice, n, 2), before = row(dice, n, 2);
            std::vector<double> sums(at(n), 0.125), expected;
            for (std::size_t j = 0; j < sums.size(); ++j)
                expected.push_back(sums[j] +
                                   (0.7 * static_cast<double>(now[j]) - 1.1 * static_cast<double>(before[j])));
            exchange_term(sums.data(), n, 0.7, now.data(), 1.1, before.data());
            ASSERT_EQ(sums, expected) << name << ", " << n;
            std::vector<float> y(at(n));
            ASSERT_TRUE(scale_sums(sums.data(), n, 1 / 3.0, y.data())) << name;
            for (std::size_t j = 0; j < y.size(); ++j) ASSERT_EQ(y[j], static_cast<float>(sums[j] * (1 / 3.0))) << name;
        }
    });
}

TEST(RowKernels, SumsThatAreNotFiniteAreToldOf) {
    for (const double none : {HUGE_VAL, -HUGE_VAL, std::nan(""), 1e300}) {
        for_each_instruction_set([&](const char* name) {
            for (int at_j = 0; at_j < 9; ++at_j) {
                std::vector<double> sums(9, -1.0);
                sums[at(at_j)] = none;
                std::vector<float> y(sums.size());
                EXPECT_FALSE(scale_sums(sums.data(), 9, 1, y.data())) << name << ", " << none << " at " << at_j;
            }
        });
    }
}

TEST(RowKernels, SpansLeaveMaskedNumbersOutAndTellOfThem) {
    for_each_instruction_set([](const char* name) {
        Dice dice(5);
        for (int n : {1, 5, 16, 40, 67}) {
            std::vector<float> x = row(dice, n, 5);
            const auto expect = [&](bool has_masked, bool has_nan) {
                const RowSpan span = row_span(x.data(), n);
                ASSERT_EQ(span.has_masked, has_masked) << name << ", " << n;
                ASSERT_EQ(span.has_nan, has_nan) << name << ", " << n;
                if (has_nan) return;
                float least = std::numeric_limits<float>::max();
                for (float each : x) least = each == -kInfinity ? least : std::min(least, each);
                ASSERT_EQ(span.least, least) << name << ", " << n;
                ASSERT_EQ(span.greatest, *std::max_element(x.begin(), x.end())) << name << ", " << n;
            };
            expect(false, false);
            x[at(n / 2)] = -kInfinity;
            expect(true, false);
            x[at(n - 1)] = kNaN;
            expect(n - 1 != n / 2, true);
        }
    });
}

} // namespace
} // namespace lab
