#include "tests/command_line/support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "engine/formats/json_text.h"
#include "engine/formats/presets.h"

namespace {

using namespace lab_tests;

TEST_F(CommandLine, PresetsAreListedAndWritten) {
    const Outcome list = run({"presets"});
    EXPECT_EQ(list.status, 0);
    EXPECT_EQ(list.err, "");
    EXPECT_EQ(list.out.substr(0, list.out.find('\n')),
              "simplified-sum\tSelf-attention without trainable weights (sum)");
    EXPECT_EQ(std::count(list.out.begin(), list.out.end(), '\n'), 20);
    const Outcome one = run({"presets", "trainable"});
    EXPECT_EQ(one.out, lab::preset_session_text("trainable"));
    EXPECT_EQ(run({"eval", "-", "--print", "inputs"}, one.out).out,
              run({"eval", "preset:trainable", "--print", "inputs"}).out);
}

TEST_F(CommandLine, PrintsFourDecimalsARowOnALine) {
    const Outcome outcome = run({"eval", "preset:integers", "--print", "queries,context_vectors"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out,
              "queries: 3 × 3\n1.0000 0.0000 2.0000\n2.0000 2.0000 2.0000\n2.0000 1.0000 3.0000\n"
              "context_vectors: 3 × 3\n1.9366 6.6831 1.5951\n2.0000 7.9640 0.0540\n1.9997 7.7599 0.3584\n");
}

TEST_F(CommandLine, PrintsTensorsOfThreeAxesAndMasks) {
    const Outcome outcome =
        run({"eval", "preset:integers", "--set", "mask=causal", "--print", "combined_mask,weighted_values"});
    EXPECT_NE(outcome.out.find("combined_mask: 3 × 3\n0.0000 -inf -inf\n"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("weighted_values: 3 × 3 × 3\n"), std::string::npos) << outcome.out;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1 + 3 + 1 + 9);
}

TEST_F(CommandLine, WritesEveryTensorOfTraceAndDocument) {
    ASSERT_EQ(run({"eval", "preset:integers-rounded", "--out", path("t.npz")}).status, 0);
    const auto tensors = read_npz("t.npz");
    for (const char* name :
         {"inputs", "W_query", "W_key", "W_value", "queries", "keys", "values", "attention_scores", "scaled_scores",
          "attention_weights", "rounded_weights", "weighted_values", "context_vectors"}) {
        EXPECT_EQ(tensors.count(name), 1u) << name;
    }
    EXPECT_EQ(tensors.size(), 13u);
    EXPECT_EQ(tensors.at("weighted_values").shape(), lab::Shape::stack(3, 3, 3));
    EXPECT_EQ(n_files(), 1) << "nothing is left beside it";

    ASSERT_EQ(run({"eval", "preset:integers-rounded", "--out", path("t.json")}).status, 0);
    const auto json = lab::parse_json(*lab::read_file(path("t.json")));
    ASSERT_TRUE(json) << json.error();
    EXPECT_EQ(json->size(), 13u);
    EXPECT_EQ((*json)["values"], lab::Json::parse("[[1, 2, 3], [2, 8, 0], [2, 6, 3]]", nullptr, false));
}

// Within 1e-5 · (1 + |v|) of what the example computed in float64; mismatches(), which also looks at printed digits, has
// its own test.
TEST_F(CommandLine, EveryWorkedExampleComesToItsTensors) {
    int n_numbers = 0;
    for (const auto& preset : lab::presets()) {
        ASSERT_EQ(run({"eval", "preset:" + preset.name, "--out", path("t.npz")}).status, 0);
        const auto tensors = read_npz("t.npz");
        const auto example = lab::worked_example(preset.name);
        ASSERT_TRUE(example) << example.error();
        for (const auto& expected : example->expected) {
            if (!expected.decimals.empty()) continue;
            const auto values = tensors.at(expected.tensor).values();
            ASSERT_EQ(tensors.at(expected.tensor).shape(), expected.shape) << preset.name << " " << expected.tensor;
            for (std::size_t i = 0; i < values.size(); ++i, ++n_numbers) {
                if (std::isinf(expected.numbers[i])) {
                    EXPECT_EQ(static_cast<double>(values[i]), expected.numbers[i]) << preset.name << expected.tensor;
                    continue;
                }
                EXPECT_NEAR(static_cast<double>(values[i]), expected.numbers[i],
                            1e-5 * (1 + std::fabs(expected.numbers[i])))
                    << preset.name << " " << expected.tensor << " " << i;
            }
        }
    }
    EXPECT_GT(n_numbers, 700);
}

TEST_F(CommandLine, TensorsComeFromAnNpzFile) {
    const lab::Tensor inputs(lab::Shape::matrix(2, 3), {1, 2, 3, 4, 5, 6});
    const std::string file = write("in.npz", lab::write_npz({{"inputs", inputs}, {"colour", inputs}}));
    const Outcome outcome = run({"eval", "preset:trainable", "--tensors", file, "--print", "inputs"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "inputs: 2 × 3\n1.0000 2.0000 3.0000\n4.0000 5.0000 6.0000\n");
    EXPECT_EQ(outcome.err,
              "attention-lab: note: " + file +
                  ": 'colour' is not a tensor that a session holds; it is left out\n"
                  "attention-lab: note: tokens has 6 words but inputs now has 2 rows; the words are left out\n");
}

TEST_F(CommandLine, WhatHasNoEffectIsSaid) {
    const auto note = [](const std::string& sentence) { return "attention-lab: note: " + sentence + "\n"; };
    const std::string file = write("mask.npz", lab::write_npz({{"mask", lab::Tensor(lab::Shape::matrix(6, 6))}}));
    const struct {
        std::vector<std::string> arguments;
        std::string err;
    } table[] = {
        {{"--set", "mlp=gelu"}, note("mlp has no effect, since n_blocks is 0")},
        {{"--set", "prefix=2"}, note("prefix has no effect, since mask is not \"prefix\"")},
        {{"--set", "prefix=2", "--set", "mask=prefix"}, ""},
        {{"--set", "window=2"}, note("window has no effect, since mask is not \"sliding_window\"")},
        {{"--tensors", file}, note("the tensor mask has no effect, since mask is \"none\"")},
        {{"--tensors", file, "--set", "mask=tensor"}, ""},
    };
    for (const auto& [arguments, err] : table) {
        std::vector<std::string> all = {"eval", "preset:trainable"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = run(all);
        EXPECT_EQ(outcome.status, 0);
        EXPECT_EQ(outcome.err, err);
    }
    EXPECT_EQ(run({"eval", "preset:grouped-query", "--set", "n_kv_heads=1"}).err,
              "attention-lab: with n_kv_heads 1 W_key gives keys 4 columns but queries have 2\n");
}

TEST_F(CommandLine, ASessionMayTakeAllItsTensorsFromTheFile) {
    const lab::Tensor given(lab::Shape::matrix(2, 2), {1, 0, 0, 1});
    const std::string file = write("in.npz", lab::write_npz({{"queries", given}, {"keys", given}, {"values", given}}));
    const Outcome outcome = run({"eval", "-", "--tensors", file, "--set", "scale=1", "--print", "attention_scores"},
                                R"({"format": "attention-lab/session", "version": 1})");
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, "attention_scores: 2 × 2\n1.0000 0.0000\n0.0000 1.0000\n");
}

TEST_F(CommandLine, UnknownKeysAreNotes) {
    const std::string session = R"({"format": "attention-lab/session", "version": 1, "zoom": 3,
        "tensors": {"inputs": [[1]]}, "attention": {"projections": false}})";
    const Outcome outcome = run({"eval", write("s.json", session)});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "attention-lab: note: zoom is not known to this version; it is kept on saving\n");
}

TEST_F(CommandLine, HelpAndVersionAreWhatWasAskedFor) {
    const struct {
        std::vector<std::string> arguments;
        std::string part;
    } table[] = {{{"--help"}, "attention-lab eval SESSION"},
                 {{"-h"}, "attention-lab eval SESSION"},
                 {{"eval", "--typo", "--help"}, "attention-lab eval SESSION"},
                 {{"--version"}, "attention-lab 0."}};
    for (const auto& [arguments, part] : table) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << part;
        EXPECT_NE(outcome.out.find(part), std::string::npos) << outcome.out;
        EXPECT_EQ(outcome.err, "");
        EXPECT_TRUE(outcome.windows.empty());
    }
}

TEST_F(CommandLine, WithoutACommandTheWindowOpens) {
    const std::string text{lab::preset_session_text("linear")};
    const struct {
        std::vector<std::string> arguments;
        lab::WindowSession session;
    } table[] = {{{}, {}},
                 {{"preset:linear"}, {"linear", "preset:linear", text}},
                 {{write("eval.json", text)}, {"", path("eval.json"), text}},
                 {{"-"}, {"", "-", text}}};
    for (const auto& [arguments, session] : table) {
        const Outcome outcome = run(arguments, text);
        EXPECT_EQ(outcome.status, 0);
        EXPECT_EQ(outcome.out + outcome.err, "");
        ASSERT_EQ(outcome.windows.size(), 1u);
        EXPECT_EQ(outcome.windows[0].preset, session.preset);
        EXPECT_EQ(outcome.windows[0].name, session.name);
        EXPECT_EQ(outcome.windows[0].text, session.text);
    }
}

// NumPy itself, where it is installed.
TEST_F(CommandLine, NumPyReadsWhatIsWritten) {
    if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) GTEST_SKIP() << "no NumPy here";
    ASSERT_EQ(run({"eval", "preset:sentence", "--out", path("t.npz")}).status, 0);
    const std::string script =
        write("check.py", "import sys, numpy\n"
                          "t = numpy.load(sys.argv[1])\n"
                          "assert all(t[name].dtype == numpy.float32 for name in t)\n"
                          "assert t['weighted_values'].shape == (6, 6, 4)\n"
                          "assert numpy.allclose(t['inputs'] @ t['W_key'], t['keys'], atol=1e-6)\n"
                          "assert abs(t['context_vectors'][2, 0] + 0.5296) < 1e-4\n");
    EXPECT_EQ(std::system(("/usr/bin/python3 " + script + " " + path("t.npz")).c_str()), 0);
}

} // namespace
