#include "engine/formats/number_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "engine/bits.h"

namespace {

using lab::bits_of;

TEST(NumberText, IsAsShortAsCanBe) {
    EXPECT_EQ(lab::shortest_text(0.43f), "0.43");
    EXPECT_EQ(lab::shortest_text(0.1f + 0.2f), "0.3");
    EXPECT_EQ(lab::shortest_text(1.0f / 3.0f), "0.33333334");
    EXPECT_EQ(lab::shortest_text(100.0f), "100");
    EXPECT_EQ(lab::shortest_text(-16777215.0f), "-16777215");
    EXPECT_EQ(lab::shortest_text(1e-45f), "1e-45");
    EXPECT_EQ(lab::shortest_text(3.4028235e38f), "3.4028235e+38");
    EXPECT_EQ(lab::shortest_text(0.0f), "0");
    EXPECT_EQ(lab::shortest_text(-0.0f), "-0.0");
}

TEST(NumberText, WhatJsonCannotWriteIsAWord) {
    EXPECT_EQ(lab::json_number(std::numeric_limits<float>::infinity()), "\"inf\"");
    EXPECT_EQ(lab::json_number(-std::numeric_limits<float>::infinity()), "\"-inf\"");
    EXPECT_EQ(lab::json_number(std::nanf("")), "\"nan\"");
    EXPECT_EQ(lab::json_number(-2.5f), "-2.5");
}

// A slow obvious twin: one digit more until the bits come back.
std::size_t n_fewest(float value) {
    char text[32];
    for (int digits = 1; digits <= 9; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(value));
        if (std::strtof(text, nullptr) == value && static_cast<float>(std::strtod(text, nullptr)) == value) break;
    }
    return std::strlen(text);
}

TEST(NumberText, HasNoCharacterTooMany) {
    std::mt19937 random(8);
    for (int i = 0; i < 100000; ++i) {
        std::uint32_t bits = random();
        if (i % 2 == 0) bits = (bits & 0x80ffffff) | 0x3e000000; // of the size of weights
        if (i % 7 == 0) bits &= 0xff800000;                      // powers of two, whose neighbours are not equally far
        float value = 0.0f;
        std::memcpy(&value, &bits, sizeof value);
        const bool is_whole = std::fabs(value) < 16777216.0f && value == std::trunc(value);
        if (!std::isfinite(value) || is_whole) continue;
        const std::string text = lab::shortest_text(value);
        ASSERT_LE(text.size(), n_fewest(value)) << text;
    }
    EXPECT_EQ(lab::shortest_text(7.0385307e-26f),
              "7.0385307e-26"); // Grisu2's digits do not come back by way of float64
}

TEST(NumberText, BringsBackTheSameBits) {
    std::mt19937 random(7);
    for (int i = 0; i < 200000; ++i) {
        const std::uint32_t bits = random();
        float value = 0.0f;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        const std::string text = lab::shortest_text(value);
        ASSERT_EQ(bits_of(std::strtof(text.c_str(), nullptr)), bits) << text;
        ASSERT_EQ(bits_of(static_cast<float>(std::strtod(text.c_str(), nullptr))), bits) << text;
    }
}

} // namespace
