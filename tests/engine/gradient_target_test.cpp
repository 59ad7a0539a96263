// What a person may write as the target of a gradient, and what is said of anything else.
#include "engine/gradient.h"

#include <gtest/gtest.h>

namespace {

using namespace lab;
using TargetKind = GradientTarget::Kind;

constexpr int kWholeRow = GradientTarget::kWholeRow;

const std::vector<std::string> kWords = {",", "4", "a", "cat", "new york"};

GradientTarget target_of(const std::string& text) {
    const Result<GradientTarget> target = read_gradient_target(text, kWords);
    EXPECT_TRUE(target) << target.error();
    return target ? *target : GradientTarget{};
}

std::string error_of(const std::string& text) {
    const Result<GradientTarget> target = read_gradient_target(text, kWords);
    EXPECT_FALSE(target) << text;
    return target ? "" : target.error();
}

TEST(GradientTargetText, NamesOneCell) {
    EXPECT_EQ(target_of("outputs[2,1]"), (GradientTarget{TargetKind::cells, "outputs", {2, 1}}));
    EXPECT_EQ(target_of("attention_weights[1,0,12]"),
              (GradientTarget{TargetKind::cells, "attention_weights", {1, 0, 12}}));
    EXPECT_EQ(target_of("b_query[3]"), (GradientTarget{TargetKind::cells, "b_query", {3}}));
    EXPECT_EQ(target_of("blocks.10.queries[0,0]").tensor, "blocks.10.queries");
}

TEST(GradientTargetText, NamesARow) {
    EXPECT_EQ(target_of("outputs[2,:]"), (GradientTarget{TargetKind::cells, "outputs", {2, kWholeRow}}));
    EXPECT_EQ(target_of("queries[1,2,:]"), (GradientTarget{TargetKind::cells, "queries", {1, 2, kWholeRow}}));
    EXPECT_EQ(target_of("sink[:]"), (GradientTarget{TargetKind::cells, "sink", {kWholeRow}}));
}

TEST(GradientTargetText, NamesASumOrADistance) {
    EXPECT_EQ(target_of("sum(outputs)"), (GradientTarget{TargetKind::cells, "outputs", {}}));
    EXPECT_EQ(target_of("distance(blocks.0.outputs)"), (GradientTarget{TargetKind::distance, "blocks.0.outputs", {}}));
}

TEST(GradientTargetText, NamesATokenByWordOrNumber) {
    EXPECT_EQ(target_of("logprob(2,cat)"), (GradientTarget{TargetKind::cells, "log_probabilities", {2, 3}}));
    EXPECT_EQ(target_of("logprob(0,2)"), (GradientTarget{TargetKind::cells, "log_probabilities", {0, 2}}));
    EXPECT_EQ(target_of("logprob(0,4)").index[1], 1) << "a word of the vocabulary, though it could be a number";
    EXPECT_EQ(target_of("logprob(0,new york)").index[1], 4);
    EXPECT_EQ(target_of("logprob(0,,)").index[1], 0);
    EXPECT_EQ(target_of("logprob(0,99)").index[1], 99) << "whether there is such a column is for with_gradients to say";
}

TEST(GradientTargetText, MayHaveSpaces) {
    EXPECT_EQ(target_of("  outputs [ 2 , 1 ] \n"), target_of("outputs[2,1]"));
    EXPECT_EQ(target_of("queries[ 0, 2 ,\t: ]"), target_of("queries[0,2,:]"));
    EXPECT_EQ(target_of(" sum( outputs ) "), target_of("sum(outputs)"));
    EXPECT_EQ(target_of("distance( outputs )"), target_of("distance(outputs)"));
    EXPECT_EQ(target_of("logprob( 2 , cat )"), target_of("logprob(2,cat)"));
}

TEST(GradientTargetText, OfAnotherFormIsRefusedByWhatItMayBe) {
    for (const char* text : {"",
                             " ",
                             "outputs",
                             "outputs[",
                             "outputs]",
                             "outputs[]",
                             "outputs[1,]",
                             "outputs[,1]",
                             "outputs[1;2]",
                             "outputs[-1,0]",
                             "outputs[1.5,0]",
                             "outputs[+1,0]",
                             "outputs[a,0]",
                             "outputs[:,0]",
                             "outputs[::]",
                             "outputs[1,2]x",
                             "[1,2]",
                             "outputs[99999999999,0]",
                             "sum()",
                             "sum(",
                             "sum(outputs",
                             "distance()",
                             "logprob()",
                             "logprob(1)",
                             "logprob(x,cat)",
                             "logprob(-1,cat)",
                             "mean(outputs)",
                             "outputs(1,2)"}) {
        EXPECT_EQ(error_of(text), "the gradient's target is \"" + std::string(text) +
                                      "\" but must be NAME[i,j], NAME[h,i,j], NAME[i,:], sum(NAME), distance(NAME) or "
                                      "logprob(i,token)");
    }
}

TEST(GradientTargetText, NamesNoWordThatTheVocabularyLacks) {
    EXPECT_EQ(error_of("logprob(1,dog)"),
              "the target is the log-probability of dog but the vocabulary has 5 words, and not this one");
    EXPECT_EQ(error_of("logprob(1,-2)"),
              "the target is the log-probability of -2 but the vocabulary has 5 words, and not this one");
}

} // namespace
