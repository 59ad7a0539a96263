#include "engine/kernels/transcendental.h"

#include <cmath>
#include <gtest/gtest.h>

#include "engine/kernels/elementary.h"
#include "engine/kernels/functions.h"
#include "tests/engine/support.h"

namespace {

using namespace lab;
using namespace lab::test;

using OfOne = double (*)(double);

struct Stretch {
    double from;
    double to;
};

// The greatest difference from the standard library's function on a stretch, relative to its value.
double worst_relative(OfOne ours, OfOne theirs, Stretch stretch) {
    double worst = 0;
    for (int i = 0; i <= 20000; ++i) {
        const double x = stretch.from + (stretch.to - stretch.from) * i / 20000;
        const double expected = theirs(x);
        const double difference = std::fabs(ours(x) - expected);
        worst = std::max(worst, expected == 0 ? difference : difference / std::fabs(expected));
    }
    return worst;
}

double worst_absolute(OfOne ours, OfOne theirs, Stretch stretch) {
    double worst = 0;
    for (int i = 0; i <= 20000; ++i) {
        const double x = stretch.from + (stretch.to - stretch.from) * i / 20000;
        worst = std::max(worst, std::fabs(ours(x) - theirs(x)));
    }
    return worst;
}

double standard_exp(double x) { return std::exp(x); }
double standard_log(double x) { return std::log(x); }
double standard_sin(double x) { return std::sin(x); }
double standard_cos(double x) { return std::cos(x); }
double standard_tanh(double x) { return std::tanh(x); }
double standard_sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
double standard_cumulative(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(Transcendental, ExponentialAndLogarithmAreTheLibrarys) {
    EXPECT_LE(worst_relative(exponential, standard_exp, {-700, 709}), 1e-12);
    EXPECT_LE(worst_relative(exponential, standard_exp, {-1, 1}), 1e-15);
    EXPECT_EQ(exponential(-1e4), 0);
    EXPECT_EQ(exponential(720.0), HUGE_VAL);
    for (Stretch stretch : {Stretch{1e-6, 5}, {0.99, 1.01}, {1, 1e30}, {1e-300, 1e-290}})
        EXPECT_LE(worst_relative(logarithm, standard_log, stretch), 1e-14) << stretch.from;
    EXPECT_EQ(logarithm(1), 0);
    EXPECT_EQ(logarithm(0), -HUGE_VAL);
    EXPECT_EQ(logarithm(HUGE_VAL), HUGE_VAL);
    EXPECT_TRUE(std::isnan(logarithm(-1)));
    EXPECT_TRUE(std::isnan(logarithm(std::nan(""))));
}

TEST(Transcendental, PowersOfTheBaseOfPositions) {
    for (double exponent : {-1.0, -0.75, -1.0 / 3, 0.0, 0.5, 1.0})
        EXPECT_NEAR(power(10000, exponent) / std::pow(10000.0, exponent), 1, 1e-13) << exponent;
    EXPECT_EQ(power(10000, 0), 1);
    EXPECT_NEAR(power(2, 10) / 1024, 1, 1e-14);
}

TEST(Transcendental, SineAndCosineOfManyTurns) {
    for (Stretch stretch : {Stretch{-7, 7}, {-1e3, 1e3}, {-1e6, 1e6}}) {
        EXPECT_LE(worst_absolute(sine, standard_sin, stretch), 1e-12) << stretch.to;
        EXPECT_LE(worst_absolute(cosine, standard_cos, stretch), 1e-12) << stretch.to;
    }
    EXPECT_LE(worst_relative(sine, standard_sin, {-0.7, 0.7}), 1e-14);
    EXPECT_LE(worst_absolute(sine, standard_sin, {1e6, 1e9}), 1e-6);
    for (double x : {1e20, -1e30, 3e38, 1e300}) EXPECT_LE(std::fabs(sine(x)), 1) << x;
    EXPECT_TRUE(std::isnan(sine(HUGE_VAL)) && std::isnan(cosine(-HUGE_VAL)) && std::isnan(sine(std::nan(""))));
    EXPECT_EQ(cosine(0), 1);
}

TEST(Transcendental, TanhAndSigmoidHoldNearZeroAndFarOut) {
    for (Stretch stretch : {Stretch{-30, 30}, {-0.3, 0.3}, {-1e-8, 1e-8}})
        EXPECT_LE(worst_relative(hyperbolic_tangent, standard_tanh, stretch), 1e-14) << stretch.to;
    EXPECT_LE(worst_relative(sigmoid, standard_sigmoid, {-600, 40}), 1e-12);
    EXPECT_EQ(hyperbolic_tangent(HUGE_VAL), 1);
    EXPECT_EQ(hyperbolic_tangent(-HUGE_VAL), -1);
    EXPECT_EQ(sigmoid(-HUGE_VAL), 0);
    EXPECT_TRUE(std::isnan(hyperbolic_tangent(std::nan(""))) && std::isnan(sigmoid(std::nan(""))));
}

TEST(Transcendental, TheNormalDistributionHoldsInItsTail) {
    for (Stretch stretch : {Stretch{-3.1, 3.1}, {-37, -2.9}, {2.9, 40}})
        EXPECT_LE(worst_relative(normal_cumulative, standard_cumulative, stretch), 1e-12) << stretch.from;
    EXPECT_EQ(normal_cumulative(0), 0.5);
    EXPECT_EQ(normal_cumulative(-HUGE_VAL), 0);
    EXPECT_EQ(normal_cumulative(HUGE_VAL), 1);
    EXPECT_NEAR(normal_density(1), 0.24197072451914337, 1e-15);
}

TEST(Functions, ActivationsByHand) {
    EXPECT_NEAR(value_of(Function::gelu, 1.0), 0.8413447460685429, 1e-14);
    EXPECT_NEAR(value_of(Function::gelu, -1.0), -0.15865525393145705, 1e-14);
    EXPECT_NEAR(value_of(Function::gelu_tanh, 1.0), 0.8411919906082768, 1e-14);
    EXPECT_NEAR(value_of(Function::silu, 1.0), 0.7310585786300049, 1e-14);
    EXPECT_EQ(value_of(Function::relu, -1.0), 0);
    EXPECT_EQ(value_of(Function::relu, 2.0), 2);
    EXPECT_EQ(value_of(Function::relu_slope, 0.0), 0) << "at its kink";
    EXPECT_TRUE(std::isnan(value_of(Function::relu, std::nan(""))));
}

TEST(Functions, ASlopeIsTheLimitOfDifferences) {
    for (Function function :
         {Function::tanh, Function::sigmoid, Function::relu, Function::gelu, Function::gelu_tanh, Function::silu}) {
        for (int i = -400; i <= 400; ++i) {
            const double x = i / 20.0 + 0.013, step = 1e-5;
            const double above = value_of(function, x + step), below = value_of(function, x - step);
            EXPECT_NEAR(value_of(slope_of(function), x), (above - below) / (2 * step), 1e-8)
                << name_of(function) << " at " << x;
        }
    }
}

TEST(Functions, HaveNamesOfTheirOwn) {
    EXPECT_STREQ(name_of(Function::square_root), "√");
    EXPECT_STREQ(name_of(slope_of(Function::tanh)), "tanh′");
    EXPECT_STRNE(name_of(Function::gelu), name_of(Function::gelu_tanh));
}

// The same constant natively and in WebAssembly.
TEST(Functions, HaveTheSameBitsOnEveryPlatform) {
    std::uint32_t hash = 2166136261u;
    const auto add = [&](float value) {
        if (!std::isnan(value)) hash = (hash ^ bits_of(value)) * 16777619u;
    };
    for (int f = 0; f <= static_cast<int>(Function::silu_slope); ++f) {
        for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 99991u) {
            float x = 0;
            std::memcpy(&x, &bits, sizeof x);
            add(value_of(static_cast<Function>(f), x));
            add(value_of(static_cast<Function>(f), -x));
        }
        for (int i = -4000; i <= 4000; ++i) add(value_of(static_cast<Function>(f), static_cast<float>(i) / 128.0f));
    }
    for (int i = 0; i < 2000; ++i) add(static_cast<float>(power(10000, -i / 2000.0)));
    EXPECT_EQ(hash, 2123827482u);
}

} // namespace
