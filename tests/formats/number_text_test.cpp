#include "engine/formats/number_text.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace {

std::uint32_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

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
