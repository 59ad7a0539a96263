#include "tests/command_line/support.h"

#include <csignal>

#include <sys/resource.h>

namespace {

using namespace lab_tests;

TEST_F(CommandLine, WrongInputIsStatusTwoAndOneLineAndNoFile) {
    const std::string ragged = R"({"format": "attention-lab/session", "version": 1, "zoom": 3,
        "tensors": {"inputs": [[1, 2], [3]]}, "attention": {"projections": false}})";
    const std::string out = path("t.npz");
    const std::string no_preset =
        "there is no preset 'none' but simplified-sum, simplified-naive-softmax, simplified-softmax and 17 more";
    const struct {
        std::vector<std::string> arguments;
        std::string sentence;
    } table[] = {
        {{"eval", "-", "--out", out}, "tensors.inputs[1] has 1 number but tensors.inputs[0] has 2"},
        {{"eval", path("none.json"), "--out", out}, "cannot read " + path("none.json") + ": No such file or directory"},
        {{"eval", folder_.string(), "--out", out}, "cannot read " + folder_.string() + ": Is a directory"},
        {{"eval", "preset:none", "--out", out}, no_preset},
        {{"eval", "--out", out}, "eval takes a session: a file, - or preset:NAME"},
        {{"eval", "preset:linear", "x", "--out", out}, "eval takes one session but got 'preset:linear' and 'x'"},
        {{"eval", "preset:linear", "--out"}, "--out is given without a value"},
        {{"eval", "preset:linear", "--out", "x.txt"}, "--out takes FILE.npz or FILE.json but got 'x.txt'"},
        {{"eval", "preset:linear", "--outt", out}, "eval has no option '--outt'; --help lists them"},
        {{"eval", "preset:linear", "--out", out, "--set", "mask"}, "--set takes KEY=VALUE but got 'mask'"},
        {{"eval", "preset:linear", "--out", out, "--set", "mask=no\nne"},
         "attention.mask is \"no\\nne\" but must be \"none\", \"causal\", \"sliding_window\", \"tensor\" or "
         "\"prefix\""},
        {{"eval", "preset:linear", "--out", out, "--set", "colour=red"},
         "there is no setting 'colour' but projections, scale, normalization and 27 more"},
        {{"eval", "preset:linear", "--out", out, "--print", "inputs,colour"},
         "there is no tensor 'colour' in this session but inputs, W_query, queries and 9 more"},
        {{"eval", "preset:linear", "--print", "attention_weigths"},
         "there is no tensor 'attention_weigths' in this session but attention_weights, attention_scores and 10 more"},
        {{"eval", "preset:linear", "--print", "grad.inputs"},
         "there is no tensor 'grad.inputs' in this session without --gradient TARGET"},
        {{"eval", "preset:gpt2-block", "--gradient", "attention_weights[0,0]"},
         "the target is of the tensor attention_weights but it is not computed; there are blocks.0.attention_weights "
         "and 45 more"},
        {{"eval", "preset:linear", "--set", "maks=causal"}, "there is no setting 'maks' but mask and 29 more"},
        {{"eval", "preset:linear", "--out", out, "--print", ""},
         "there is no tensor '' in this session but inputs, W_query, queries and 9 more"},
        {{"eval", "preset:linear", "--out", path("no/t.npz")},
         "cannot write " + path("no/t.npz") + ": No such file or directory"},
        {{"eval", "preset:linear", "--tensors", path("no.npz")},
         "cannot read " + path("no.npz") + ": No such file or directory"},
        {{"eval", "preset:linear", "--tensors", "/dev/null", "--out", out},
         "/dev/null: npz is a zip archive but the file does not end with the directory of one"},
        {{"presets", "none"}, no_preset},
        {{"presets", "heads"}, "there is no preset 'heads' but two-heads-split, two-heads-separate and 18 more"},
        {{"presets", "linear", "trainable"}, "presets takes one name at most"},
        {{"bench", "--json"}, "bench needs --case NxD_INxD_K, as 1024x64x64"},
        {{"bench", "--case"}, "--case needs a value"},
        {{"bench", "--case", "6x3"},
         "the case is '6x3' but should be NxD_INxD_K or NxD_INxD_KxHEADS, as 1024x768x64x12"},
        {{"bench", "--case", "6x3x2x"},
         "the case is '6x3x2x' but should be NxD_INxD_K or NxD_INxD_KxHEADS, as 1024x768x64x12"},
        {{"bench", "--case", "0x3x2"},
         "the case is '0x3x2' but should be NxD_INxD_K or NxD_INxD_KxHEADS, as 1024x768x64x12"},
        {{"bench", "--case", "6x3x2", "--threads", "two"}, "--threads is 'two' but should be a number from 1 to 256"},
        {{"bench", "--case", "6x3x2", "--fast"}, "bench has no option '--fast'; --help lists them"},
        {{"typo"}, "cannot read typo: No such file or directory"},
        {{folder_.string()}, "cannot read " + folder_.string() + ": Is a directory"},
        {{"preset:none"}, no_preset},
        {{"-"}, "tensors.inputs[1] has 1 number but tensors.inputs[0] has 2"},
        {{"preset:linear", "x"}, "the window takes one session but got 'preset:linear' and 'x'"},
        {{"--typo"}, "there is no option '--typo'; --help lists them"},
        {{"preset:linear", "--typo"}, "there is no option '--typo'; --help lists them"},
    };
    for (const auto& [arguments, sentence] : table) {
        const Outcome outcome = run(arguments, ragged);
        EXPECT_EQ(outcome.status, 2) << sentence;
        EXPECT_EQ(outcome.err, "attention-lab: " + sentence + "\n");
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(outcome.windows.empty()) << sentence;
        EXPECT_EQ(n_files(), 0) << sentence;
    }
}

TEST_F(CommandLine, WhatIsWrongInAFileIsSaidWithItsName) {
    const std::string begin = R"({"format": "attention-lab/session", "version": 1, "tensors": )";
    const struct {
        std::string text, sentence;
    } table[] = {
        {"{", "line 1, column 2: the text ends in the middle of the session"},
        {begin + R"({"inputs": [[1], [1, 2]]}})", "tensors.inputs[1] has 2 numbers but tensors.inputs[0] has 1"},
        {begin + R"({"inputs": [[1]]}})", "the tensor W_query is missing but projections is true"},
    };
    for (const auto& [text, sentence] : table) {
        const std::string file = write("s.json", text);
        EXPECT_EQ(run({"eval", file}).err, "attention-lab: " + file + ": " + sentence + "\n");
        EXPECT_EQ(run({file}).err, "attention-lab: " + file + ": " + sentence + "\n");
        EXPECT_EQ(run({"eval", "-"}, text).err, "attention-lab: " + sentence + "\n") << "standard input has no name";
    }
}

TEST_F(CommandLine, WhatASettingNeedsAndIsMissingIsSaidWithTheWayOut) {
    const std::string in_window = ", or choose the setting in the window, which makes ";
    const struct {
        std::vector<std::string> arguments;
        std::string sentence;
    } table[] = {
        {{"preset:trainable", "--set", "n_blocks=2"},
         "the tensor blocks.0.W_query is missing but projections is true, as are blocks.0.W_key, blocks.0.W_value; "
         "give "
         "them with --tensors" +
             in_window + "them, and save the session"},
        {{"preset:gpt2-block", "--set", "n_blocks=1000"},
         "the tensor blocks.1.attention_norm_gain is missing but norm is not \"none\", as are blocks.1.W_query, "
         "blocks.1.W_key, blocks.1.W_value, blocks.1.mlp_norm_gain, blocks.1.W_up and more; give them with --tensors" +
             in_window + "them, and save the session"},
        {{"preset:trainable", "--set", "sink=true"},
         "the tensor sink is missing but sink is true; give it with --tensors" + in_window +
             "it, and save the session"},
    };
    for (auto [arguments, sentence] : table) {
        arguments.insert(arguments.begin(), "eval");
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.err, "attention-lab: " + sentence + "\n");
    }
    const std::string file = write("sink.npz", lab::write_npz({{"sink", lab::Tensor(lab::Shape::vector(1))}}));
    EXPECT_EQ(run({"eval", "preset:trainable", "--set", "sink=true", "--tensors", file}).status, 0);
}

TEST_F(CommandLine, AFailureLeavesTheFileThatWasThere) {
    write("t.json", "before");
    EXPECT_EQ(run({"eval", "preset:linear", "--print", "colour", "--out", path("t.json")}).status, 2);
    EXPECT_EQ(*lab::read_file(path("t.json")), "before");
    fs::create_symlink(path("t.json"), path("link.json"));
    EXPECT_EQ(run({"eval", "preset:linear", "--out", path("link.json")}).status, 0);
    EXPECT_TRUE(fs::is_symlink(path("link.json")));
    EXPECT_NE(*lab::read_file(path("t.json")), "before");
    EXPECT_EQ(n_files(), 2);
}

// A disk that fills up half-way: files of this process may grow to 100 bytes only.
TEST_F(CommandLine, AFileThatCannotBeFinishedIsNoFile) {
    write("t.json", "before");
    write("t.json.part", "somebody's own");
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{100, limit.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const Outcome outcome = run({"eval", "preset:linear", "--out", path("t.json")});
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "attention-lab: cannot write " + path("t.json") + ": File too large\n");
    EXPECT_EQ(*lab::read_file(path("t.json")), "before");
    EXPECT_EQ(*lab::read_file(path("t.json.part")), "somebody's own");
    EXPECT_EQ(n_files(), 2);
}

TEST_F(CommandLine, AFullDiskIsAFailureOfItsOwn) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    fs::create_symlink("/dev/full", path("full.npz"));
    const Outcome outcome = run({"eval", "preset:linear", "--out", path("full.npz")});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "attention-lab: cannot write " + path("full.npz") + ": No space left on device\n");
}

TEST_F(CommandLine, AClosedOutputIsAFailureOfItsOwn) {
    std::istringstream in;
    std::ostringstream out, err;
    out.setstate(std::ios::badbit);
    EXPECT_EQ(lab::run_program({"presets"}, {in, out, err}, {}), 1);
    EXPECT_EQ(err.str(), "attention-lab: standard output cannot be written\n");
}

} // namespace
