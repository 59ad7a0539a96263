#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command_line/support.h"

namespace {

using namespace lab_tests;

nlohmann::json bench(const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"bench", "--json", "--repeats", "2"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, lab::kSuccess) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
}

TEST(Bench, PrintsOneObjectWithWhatTheContractNames) {
    const nlohmann::json result = bench({"--case", "40x8x4x3", "--threads", "2"});
    EXPECT_EQ(result["case"], "40x8x4x3");
    EXPECT_EQ(result["threads"], 2);
    EXPECT_EQ(result["repeats"], 2);
    EXPECT_GT(result["us_min"], 0);
    EXPECT_GE(result["us_median"], result["us_min"]);
    // 4 projections of 40 × 8 × 12, scores and contexts of 3 heads of 40 × 40 × 4, two operations each
    const double n_operations = 2.0 * (4 * 40 * 8 * 12 + 2 * 3 * 40 * 40 * 4);
    EXPECT_NEAR(result["gflops_median"], n_operations / double(result["us_median"]) / 1000, 2e-3);
}

TEST(Bench, WithoutJsonIsALineToRead) {
    const Outcome outcome = run({"bench", "--case", "6x3x2", "--repeats", "1"});
    EXPECT_EQ(outcome.status, lab::kSuccess);
    EXPECT_NE(outcome.out.find("6x3x2, threads 1: least "), std::string::npos) << outcome.out;
}

} // namespace
