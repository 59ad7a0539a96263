#include "tests/command_line/support.h"

#include <cmath>

namespace {

using namespace lab_tests;

const std::vector<std::string> kFourTokens = {"eval", "preset:trainable", "--gradient"};

std::vector<std::string> with(std::vector<std::string> arguments, std::vector<std::string> more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST_F(CommandLine, GradientsAreWrittenBesideTheirTensors) {
    const std::vector<std::string> arguments = with(kFourTokens, {"context_vectors[1,0]", "--out", path("g.npz")});
    const Outcome outcome = run(arguments);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto tensors = read_npz("g.npz");
    for (const auto& [name, tensor] : tensors) {
        if (name.starts_with("grad.")) {
            EXPECT_EQ(tensor.shape(), tensors.at(name.substr(5)).shape()) << name;
        } else if (name != "softmax_jacobian") {
            EXPECT_EQ(tensors.count("grad." + name), 1u) << name;
        }
        EXPECT_EQ(name.find(".part"), std::string::npos) << "a part of a gradient is not written";
    }
    EXPECT_EQ(tensors.at("grad.context_vectors").at({0, 1, 0}), 1.0f);
    EXPECT_EQ(tensors.at("grad.context_vectors").at({0, 0, 0}), 0.0f);
}

// The slope of what one number of W_query does, by moving that number.
TEST_F(CommandLine, AGradientIsTheSlopeThatOneSees) {
    const auto value = [&](float added) {
        EXPECT_EQ(run({"eval", "preset:trainable", "--out", path("base.npz")}).status, 0);
        auto tensors = read_npz("base.npz");
        const lab::Tensor weights = tensors.at("W_query");
        const lab::Tensor moved = weights.with({0, 2, 1}, weights.at({0, 2, 1}) + added);
        write("moved.npz", lab::write_npz({{"W_query", moved}}));
        EXPECT_EQ(run({"eval", "preset:trainable", "--tensors", path("moved.npz"), "--out", path("out.npz")}).status,
                  0);
        return static_cast<double>(read_npz("out.npz").at("context_vectors").at({0, 4, 1}));
    };
    const std::vector<std::string> arguments = with(kFourTokens, {"context_vectors[4,1]", "--out", path("g.npz")});
    ASSERT_EQ(run(arguments).status, 0);
    const auto slope = static_cast<double>(read_npz("g.npz").at("grad.W_query").at({0, 2, 1}));
    EXPECT_NE(slope, 0);
    EXPECT_NEAR((value(0.05f) - value(-0.05f)) / 0.1, slope, 1e-4);
}

TEST_F(CommandLine, ADistanceIsMeasuredToAnArrayOfAFile) {
    const lab::Tensor to(lab::Shape::matrix(6, 2), 1.0f);
    for (const char* name : {"context_vectors", "target", "whatever"}) {
        write("to.npz", lab::write_npz({{name, to}}));
        const Outcome outcome = run(with(kFourTokens, {"distance(context_vectors," + path("to.npz") + ")", "--print",
                                                       "grad.context_vectors", "--out", path("g.npz")}));
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        double squares = 0;
        for (float slope : read_npz("g.npz").at("grad.context_vectors").values()) squares += std::pow(slope, 2);
        EXPECT_NEAR(squares, 1, 1e-5) << "the distance grows by 1 per 1 straight away from it";
    }
}

TEST_F(CommandLine, ASpaceBeforeTheFileIsNoPartOfItsName) {
    write("to.npz", lab::write_npz({{"target", lab::Tensor(lab::Shape::matrix(6, 2))}}));
    EXPECT_EQ(run(with(kFourTokens, {"distance(context_vectors, " + path("to.npz") + ")"})).err, "");
    EXPECT_EQ(run(with(kFourTokens, {""})).err, "attention-lab: --gradient takes a target but got ''\n");
}

TEST_F(CommandLine, ATargetThatIsNoneIsSaid) {
    write("to.npz",
          lab::write_npz({{"a", lab::Tensor(lab::Shape::matrix(1, 1))}, {"b", lab::Tensor(lab::Shape::matrix(1, 1))}}));
    const struct {
        std::string target, sentence;
    } table[] = {
        {"sum", "the gradient's target is \"sum\" but must be NAME[i,j], NAME[h,i,j], NAME[i,:], sum(NAME), "
                "distance(NAME,FILE.npz) or logprob(i,token)"},
        {"sum(outputs)", "the target is of the tensor outputs but it is not computed; there are inputs and 11 more"},
        {"context_vectors[6,0]", "the target's index is 6 but context_vectors is 6 × 2, counted from 0"},
        {"context_vectors[1]", "the target context_vectors is 6 × 2 but 1 index number is given"},
        {"logprob(0,0)",
         "the target is of the tensor log_probabilities but it is not computed: unembedding is \"none\""},
        {"distance(context_vectors)",
         "the tensor target is missing but the target is distance(context_vectors); distance(NAME,FILE.npz) gives it"},
        {"distance(context_vectors," + path("to.npz") + ")",
         path("to.npz") + " has no array 'context_vectors' or 'target' but a, b"},
    };
    for (const auto& [target, sentence] : table) {
        const Outcome outcome = run(with(kFourTokens, {target}));
        EXPECT_EQ(outcome.status, 2) << target;
        EXPECT_EQ(outcome.err, "attention-lab: " + sentence + "\n");
    }
}

} // namespace
