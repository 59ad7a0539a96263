#include <cmath>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

// Sessions are read with strtod, which in the page is another's than the C library's (engine/formats/strtod_for_web.cpp).
namespace lab {

namespace {

struct Read {
    double value;
    std::string rest;
};

Read read(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return {value, end};
}

TEST(Strtod, RoundsToTheNearestDouble) {
    EXPECT_EQ(read("0.1").value, 0x1.999999999999ap-4);
    EXPECT_EQ(read("-0.432526171207428").value, -0.432526171207428);
    EXPECT_EQ(read("9007199254740993").value, 9007199254740992.0);                      // half way: to the even one
    EXPECT_EQ(read("9007199254740993.00000000000000000001").value, 9007199254740994.0); // just above
    EXPECT_EQ(read("2.2250738585072011e-308").value, 0x0.fffffffffffffp-1022);
    EXPECT_EQ(read("2.4703282292062328e-324").value, 0x1p-1074); // just above half of the least
    EXPECT_EQ(read("2.4703282292062327e-324").value, 0.0);
    EXPECT_EQ(read("1.7976931348623158e308").value, 0x1.fffffffffffffp1023);
    EXPECT_EQ(read("1.7976931348623159e308").value, HUGE_VAL);
    EXPECT_EQ(read("-1e999").value, -HUGE_VAL);
    EXPECT_TRUE(std::signbit(read("-0").value));
}

TEST(Strtod, ReadsAsFarAsThereIsANumber) {
    EXPECT_EQ(read("12abc").rest, "abc");
    EXPECT_EQ(read("1e").rest, "e");
    EXPECT_EQ(read("1e+").rest, "e+");
    EXPECT_EQ(read("1.5.2").rest, ".2");
    EXPECT_EQ(read("3.").rest, "");
    EXPECT_EQ(read("-").rest, "-");
    EXPECT_EQ(read("").rest, "");
    EXPECT_EQ(read("word").rest, "word");
}

TEST(Strtod, ReadsWhatPeopleMayType) {
    EXPECT_EQ(read(" 1.5").value, 1.5);
    EXPECT_EQ(read("+1.5").value, 1.5);
    EXPECT_EQ(read("-.5").value, -0.5);
    EXPECT_EQ(read("0x10").value, 16);
    EXPECT_EQ(read("-0X1p-1").value, -0.5);
    EXPECT_EQ(read("-inf").value, -HUGE_VAL);
    EXPECT_TRUE(std::isnan(read("nan").value));
}

} // namespace
} // namespace lab
