#include <cmath>
#include <limits>

#include "tests/command_line/support.h"

namespace {

using namespace lab_tests;

const lab::Tensor kThreeRows(lab::Shape::matrix(3, 2), {1, 0, 0, 1, 1, 0});

std::string note(const std::string& sentence) { return "attention-lab: note: " + sentence + "\n"; }

const char* const kWordsLeftOut = "tokens has 6 words but queries now has 3 rows; the words are left out";

TEST_F(CommandLine, GivenQueriesKeysAndValuesTakeThePlaceOfInputsAndProjections) {
    const std::string file =
        write("in.npz", lab::write_npz({{"queries", kThreeRows}, {"keys", kThreeRows}, {"values", kThreeRows}}));
    for (const char* projections : {"projections=false", "projections=true"}) {
        const Outcome outcome = run({"eval", "preset:trainable", "--tensors", file, "--set", projections, "--print",
                                     "attention_scores", "--out", path("out.npz")});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.out, "attention_scores: 3 × 3\n1.0000 0.0000 1.0000\n0.0000 1.0000 0.0000\n1.0000 0.0000 "
                               "1.0000\n");
        EXPECT_EQ(outcome.err, note(file + " gives queries, keys and values, so that the session's inputs, W_query, "
                                           "W_key and W_value are left out") +
                                   note(kWordsLeftOut));
        EXPECT_EQ(read_npz("out.npz").count("W_query"), 0u) << "what is left out is not written";
    }
    EXPECT_EQ(run({"eval", "preset:cross-attention", "--tensors", file}).status, 0);
}

TEST_F(CommandLine, GivenInputsTakeThePlaceOfQueriesKeysAndValues) {
    const std::string session = R"({"format": "attention-lab/session", "version": 1, "tensors":
        {"queries": [[1]], "keys": [[1]], "values": [[1]]}, "attention": {"projections": false}})";
    const std::string file = write("in.npz", lab::write_npz({{"inputs", kThreeRows}}));
    const Outcome outcome = run({"eval", "-", "--tensors", file, "--print", "inputs"}, session);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, note(file + " gives inputs, so that the session's queries, keys and values are left out"));
}

TEST_F(CommandLine, GivenInputsAndTokenIdsTakeEachOthersPlace) {
    const std::string ids = write("ids.npz", lab::write_npz({{"token_ids", lab::Tensor(lab::Shape::vector(2))}}));
    const std::string rows = write("rows.npz", lab::write_npz({{"inputs", lab::Tensor(lab::Shape::matrix(6, 4))}}));
    EXPECT_EQ(run({"eval", "preset:gpt2-block", "--tensors", ids}).err,
              note("tokens has 6 words but token_ids now has 2 numbers; the words are left out"));
    EXPECT_EQ(run({"eval", "preset:gpt2-block", "--tensors", rows}).err,
              note(rows + " gives inputs, so that the session's token_ids is left out"));
}

TEST_F(CommandLine, WhatAFileItselfGivesTwiceStaysAnError) {
    const std::string both =
        write("both.npz",
              lab::write_npz(
                  {{"queries", kThreeRows}, {"keys", kThreeRows}, {"values", kThreeRows}, {"inputs", kThreeRows}}));
    EXPECT_EQ(run({"eval", "preset:trainable", "--tensors", both}).err,
              "attention-lab: queries, keys and values are given directly, but so is inputs\n");
    const std::string one = write("one.npz", lab::write_npz({{"queries", kThreeRows}}));
    EXPECT_EQ(run({"eval", "preset:trainable", "--tensors", one}).err,
              "attention-lab: the tensor keys is missing but queries, keys and values are given together; "
              "give it with --tensors\n");
}

TEST_F(CommandLine, TensorsOfABlockComeFromTheFileToo) {
    const std::string file = write("past.npz", lab::write_npz({{"blocks.0.past_keys", kThreeRows}}));
    const Outcome outcome = run({"eval", "preset:gpt2-block", "--tensors", file});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "attention-lab: W_position has 8 rows but inputs have 6 rows after 3 of the past\n");
}

TEST_F(CommandLine, NumbersThatAreNotFiniteAreTakenAndSaid) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    lab::Tensor inputs(lab::Shape::matrix(6, 3), 1.0f);
    inputs = inputs.with({0, 0, 0}, std::nanf("")).with({0, 1, 1}, kInfinity).with({0, 2, 2}, -kInfinity);
    const lab::Tensor mask(lab::Shape::matrix(6, 6), -kInfinity);
    const std::string file = write("in.npz", lab::write_npz({{"inputs", inputs}, {"mask", mask}}));
    const Outcome outcome = run({"eval", "preset:trainable", "--tensors", file, "--set", "mask=tensor"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, note(file + ": inputs has 1 nan and 2 infinite numbers"));
}

TEST_F(CommandLine, ZeroIsPrintedWithoutASign) {
    const lab::Tensor inputs(lab::Shape::matrix(1, 3), {-0.0f, -0.00001f, -0.0001f});
    const std::string file = write("in.npz", lab::write_npz({{"inputs", inputs}}));
    EXPECT_EQ(run({"eval", "preset:trainable", "--tensors", file, "--print", "inputs"}).out,
              "inputs: 1 × 3\n0.0000 0.0000 -0.0001\n");
}

} // namespace
