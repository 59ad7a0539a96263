#include "app/views/point_estimates.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace lab {
namespace {

using By = PointEstimates::By;
constexpr float kMasked = -std::numeric_limits<float>::infinity();

// Of one point that was read with its sample.
PointEstimates read_with(float point, float sample, By by) {
    PointEstimates estimates;
    EXPECT_TRUE(estimates.empty());
    estimates.note(1, 0, {point}, &sample, by);
    return estimates;
}

TEST(PointEstimates, APointRelatesToItsSampleAsBefore) {
    const PointEstimates weights = read_with(0.5f, 0.25f, By::factor), scores = read_with(2, -1, By::difference);
    EXPECT_EQ(weights.estimate(0, 0.125f, 0.5f, By::factor), 0.25f);
    EXPECT_EQ(scores.estimate(0, -3, 2, By::difference), 0);
}

TEST(PointEstimates, ThereAndBackIsWhatWasRead) {
    const PointEstimates weights = read_with(0.5f, 0.25f, By::factor), scores = read_with(2, -1, By::difference);
    float weight = 0.5f, score = 2;
    for (const float sample : {0.01f, 0.0f, 0.75f, std::nanf(""), 0.25f})
        weight = weights.estimate(0, sample, weight, By::factor);
    for (const float sample : {3.0f, kMasked, -7.0f, -1.0f}) score = scores.estimate(0, sample, score, By::difference);
    EXPECT_EQ(weight, 0.5f);
    EXPECT_EQ(score, 2);
}

TEST(PointEstimates, WhereNothingIsKnownWhatIsShownStays) {
    EXPECT_EQ(read_with(0.5f, 0, By::factor).estimate(0, 0.25f, 0.5f, By::factor), 0.5f) << "no factor";
    EXPECT_EQ(read_with(0.5f, 1e-30f, By::factor).estimate(0, 0.25f, 0.5f, By::factor), 0.5f) << "of another row";
    EXPECT_EQ(read_with(0.5f, 0.25f, By::factor).estimate(0, 0, 0.5f, By::factor), 0.5f) << "not all of it is 0";
    EXPECT_EQ(read_with(2, kMasked, By::difference).estimate(0, 3, 2, By::difference), 2);
    EXPECT_EQ(read_with(2, kMasked, By::difference).estimate(0, kMasked, 2, By::difference), 2) << "partly masked";
    EXPECT_EQ(read_with(0.5f, kMasked, By::factor).estimate(0, kMasked, 0.5f, By::factor), 0.5f) << "partly masked";
    EXPECT_TRUE(std::isnan(read_with(2, 1, By::difference).estimate(0, 3, std::nanf(""), By::difference)));
}

TEST(PointEstimates, AnotherMaskIsSeenInTheSample) {
    EXPECT_EQ(read_with(2, 1, By::difference).estimate(0, kMasked, 2, By::difference), kMasked);
    EXPECT_EQ(read_with(0.5f, 0.25f, By::factor).estimate(0, kMasked, 0.5f, By::factor), kMasked);
    EXPECT_EQ(read_with(kMasked, kMasked, By::difference).estimate(0, 3, kMasked, By::difference), 3);
    EXPECT_EQ(read_with(2, 1, By::difference).estimate(0, 3, kMasked, By::difference), 4) << "and back";
    for (const By by : {By::difference, By::factor}) {
        const PointEstimates masked = read_with(kMasked, kMasked, by);
        EXPECT_EQ(masked.estimate(0, kMasked, masked.estimate(0, 0.5f, kMasked, by), by), kMasked) << "there and back";
        EXPECT_EQ(masked.estimate(0, 0.75f, 0.5f, by), 0.75f) << "and goes on following";
    }
}

} // namespace
} // namespace lab
