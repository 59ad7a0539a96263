#include "engine/kernels/elementary.h"

#include <gtest/gtest.h>

#include "tests/engine/support.h"

namespace {

using namespace lab;
using namespace lab::test;

float from_bits(std::uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Steps between two floats along the number line; for numbers of one sign.
std::int64_t ulps_between(float a, float b) {
    return std::llabs(static_cast<std::int64_t>(bits_of(a)) - static_cast<std::int64_t>(bits_of(b)));
}

// Floats of every magnitude and both signs: every 9973th bit pattern of the finite ones.
template <class Check> void for_many_numbers(Check check) {
    for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 9973u) {
        check(from_bits(bits));
        check(from_bits(bits | 0x80000000u));
    }
}

TEST(Exponential, IsWithinOneUlpOfTheDoubleRounded) {
    std::int64_t worst = 0;
    float worst_at = 0;
    for_many_numbers([&](float x) {
        if (x < -86.5f) return;
        const std::int64_t distance =
            ulps_between(exponential(x), static_cast<float>(std::exp(static_cast<double>(x))));
        if (distance > worst) worst = distance, worst_at = x;
    });
    EXPECT_LE(worst, 1) << "at " << worst_at;
}

TEST(Exponential, IsWithinOneUlpWhereScoresAre) {
    std::int64_t worst = 0;
    for (int i = -86500; i <= 89 * 1000; ++i) {
        const float x = static_cast<float>(i) / 1000.0f;
        worst = std::max(worst, ulps_between(exponential(x), static_cast<float>(std::exp(static_cast<double>(x)))));
    }
    EXPECT_LE(worst, 1);
}

TEST(Exponential, OfSpecialNumbers) {
    EXPECT_EQ(exponential(0.0f), 1.0f);
    EXPECT_EQ(exponential(-0.0f), 1.0f);
    EXPECT_EQ(bits_of(exponential(-kInfinity)), 0u);
    EXPECT_EQ(exponential(kInfinity), kInfinity);
    EXPECT_TRUE(std::isnan(exponential(kNaN)));
    EXPECT_EQ(exponential(from_bits(1)), 1.0f) << "the least denormal";
}

TEST(Exponential, OverflowsWhereFloat32Does) {
    const float last = 88.7228317f; // the last float whose power is below 2^128
    EXPECT_TRUE(std::isfinite(exponential(last)));
    EXPECT_GT(exponential(last), 3.4e38f);
    EXPECT_EQ(exponential(std::nextafter(last, 100.0f)), kInfinity);
    for (float x : {88.8f, 89.0f, 99.0f, 100.0f, 100.1f, 1e4f, 3e38f}) EXPECT_EQ(exponential(x), kInfinity) << x;
}

TEST(Exponential, IsZeroFromNearTheLeastNormalNumberOn) {
    EXPECT_GT(exponential(-86.5f), 2.6e-38f);
    for (float x : {std::nextafter(-86.5f, -100.0f), -87.0f, -103.0f, -1e4f, -3e38f})
        EXPECT_EQ(bits_of(exponential(x)), 0u) << x;
}

TEST(Exponential, NeverFalls) {
    float before = 0;
    for (int i = -110 * 256; i <= 89 * 256; ++i) {
        const float power = exponential(static_cast<float>(i) / 256.0f);
        ASSERT_GE(power, before) << "at " << static_cast<double>(i) / 256;
        before = power;
    }
}

// The same constant natively and in WebAssembly: the reference path has the same bits everywhere.
TEST(Exponential, HasTheSameBitsOnEveryPlatform) {
    std::uint32_t hash = 2166136261u;
    const auto add = [&](float value) { hash = (hash ^ bits_of(value)) * 16777619u; };
    for_many_numbers([&](float x) { add(exponential(x)); });
    for (int i = -110 * 512; i <= 89 * 512; ++i) add(exponential(static_cast<float>(i) / 512.0f));
    EXPECT_EQ(hash, 3548840536u);
}

TEST(RoundToDecimals, TiesGoToEven) {
    EXPECT_EQ(round_to_decimals(0.5f, 0), 0.0f);
    EXPECT_EQ(round_to_decimals(1.5f, 0), 2.0f);
    EXPECT_EQ(round_to_decimals(2.5f, 0), 2.0f);
    EXPECT_EQ(round_to_decimals(-2.5f, 0), -2.0f);
    EXPECT_EQ(round_to_decimals(0.25f, 1), 0.2f);
    EXPECT_EQ(round_to_decimals(0.75f, 1), 0.8f);
    EXPECT_EQ(round_to_decimals(0.125f, 2), 0.12f);
    EXPECT_EQ(round_to_decimals(0.375f, 2), 0.38f);
}

TEST(RoundToDecimals, IsTorchRound) { // torch.round(x, decimals=…), float32
    EXPECT_EQ(bits_of(round_to_decimals(0.15f, 1)), bits_of(0.2f)) << "0.15f · 10 is 1.5 in float32";
    EXPECT_EQ(bits_of(round_to_decimals(0.12345f, 4)), bits_of(0.1234f));
    EXPECT_EQ(bits_of(round_to_decimals(1.0f / 3.0f, 2)), bits_of(0.33f));
    EXPECT_EQ(round_to_decimals(1250.0f, -2), 1200.0f);
    EXPECT_EQ(round_to_decimals(1350.0f, -2), 1400.0f);
    EXPECT_EQ(bits_of(round_to_decimals(-0.01f, 1)), bits_of(-0.0f));
    EXPECT_TRUE(std::isnan(round_to_decimals(kNaN, 1)));
    EXPECT_EQ(round_to_decimals(kInfinity, 1), kInfinity);
}

} // namespace
