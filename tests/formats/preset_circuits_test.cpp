// What the presets beyond the worked examples are there to show.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/tokenizer.h"
#include "tests/formats/preset_documents.h"

namespace {

using lab::test::preset_document;
using Words = std::vector<std::string>;

lab::Trace run(const lab::Document& document) {
    const auto program = lab::build_program(document);
    EXPECT_TRUE(program) << program.error();
    lab::Trace trace;
    trace.update(*program, document.tensors);
    return trace;
}

float at(const lab::Trace& trace, const std::string& name, const lab::Cell& cell) {
    return trace.at(trace.program().find(name), cell);
}

int greatest_of_row(const lab::Trace& trace, const std::string& name, int row) {
    const int n_cols = trace.program().node(trace.program().find(name)).shape.cols;
    int greatest = 0;
    for (int col = 1; col < n_cols; ++col) {
        if (at(trace, name, {0, row, col}) > at(trace, name, {0, row, greatest})) greatest = col;
    }
    return greatest;
}

void expect_same_bits(const lab::Trace& a, const lab::Trace& b, const std::string& name) {
    const lab::Shape shape = a.program().node(a.program().find(name)).shape;
    ASSERT_EQ(b.program().node(b.program().find(name)).shape, shape) << name;
    for (int h = 0; h < shape.planes; ++h) {
        for (int i = 0; i < shape.rows; ++i) {
            for (int j = 0; j < shape.cols; ++j) EXPECT_EQ(at(a, name, {h, i, j}), at(b, name, {h, i, j})) << name;
        }
    }
}

TEST(PresetCircuits, TwoHeadsSplitAndSeparateComeToTheSameTensors) {
    const lab::Document split = preset_document("two-heads-split"), separate = preset_document("two-heads-separate");
    EXPECT_EQ(split.tensors.at("W_query").shape(), lab::Shape::matrix(3, 4));
    EXPECT_EQ(separate.tensors.at("W_query").shape(), lab::Shape::stack(2, 3, 2));
    for (const char* name : {"W_query", "W_key", "W_value"}) {
        for (int h = 0; h < 2; ++h) {
            for (int col = 0; col < 2; ++col) {
                EXPECT_EQ(split.tensors.at(name).at({0, 1, 2 * h + col}), separate.tensors.at(name).at({h, 1, col}));
            }
        }
    }
    const lab::Trace of_split = run(split), of_separate = run(separate);
    for (const char* name : {"queries", "keys", "values", "attention_scores", "scaled_scores", "masked_scores",
                             "attention_weights", "context_vectors"}) {
        expect_same_bits(of_split, of_separate, name);
    }
}

TEST(PresetCircuits, EachFrenchWordReadsTheEnglishWordThatItMeans) {
    const lab::Document document = preset_document("cross-attention");
    const lab::Trace trace = run(document);
    const std::vector<std::pair<std::string, std::string>> meanings = {
        {"Le", "The"}, {"chat", "cat"}, {"noir", "black"}, {"dort", "sleeping"}};
    ASSERT_EQ(document.tokens.size(), meanings.size());
    for (int i = 0; i < 4; ++i) {
        const auto& [french, english] = meanings[static_cast<std::size_t>(i)];
        const int j = greatest_of_row(trace, "attention_weights", i);
        EXPECT_EQ(document.tokens[static_cast<std::size_t>(i)], french);
        EXPECT_EQ(document.context_tokens[static_cast<std::size_t>(j)], english);
        EXPECT_GT(at(trace, "attention_weights", {0, i, j}), 0.7f) << french;
    }
}

// "the dog chased the cat": without positions the last word could not tell one "the" from the other.
TEST(PresetCircuits, RotaryAndAlibiTellEqualTokensApartByPositionAlone) {
    lab::Document rotary = preset_document("rotary"), alibi = preset_document("alibi"), without = rotary;
    EXPECT_EQ(rotary.made_by, alibi.made_by);
    for (const auto& [name, tensor] : rotary.tensors)
        EXPECT_TRUE(lab::bit_equal(tensor, alibi.tensors.at(name))) << name;
    without.attention.position = lab::Position::none;
    alibi.attention.position = rotary.attention.position;
    EXPECT_EQ(alibi.attention, rotary.attention) << "but for the position";
    const lab::Trace plain = run(without), turned = run(rotary), sloped = run(preset_document("alibi"));
    for (int h = 0; h < 2; ++h) {
        const lab::Cell first{h, 4, 0}, second{h, 4, 3};
        EXPECT_EQ(at(plain, "attention_weights", first), at(plain, "attention_weights", second));
        EXPECT_NE(at(turned, "attention_weights", first), at(turned, "attention_weights", second));
        EXPECT_LT(at(sloped, "attention_weights", first), at(sloped, "attention_weights", second)) << "farther away";
    }
}

TEST(PresetCircuits, FourHeadsReadTwoGroups) {
    const lab::Trace trace = run(preset_document("grouped-query"));
    const auto planes = [&](const char* name) { return trace.program().node(trace.program().find(name)).shape.planes; };
    EXPECT_EQ(planes("queries"), 4);
    EXPECT_EQ(planes("keys"), 2);
    EXPECT_EQ(planes("values"), 2);
    EXPECT_EQ(planes("context_vectors"), 4);
}

TEST(PresetCircuits, TheWindowIsThreeTokensWide) {
    const lab::Trace trace = run(preset_document("sliding-window"));
    for (int i = 0; i < 7; ++i) {
        for (int j = 0; j < 7; ++j) {
            EXPECT_EQ(at(trace, "attention_weights", {0, i, j}) > 0, j <= i && j > i - 3) << i << " " << j;
        }
    }
}

// The induction preset over other words of its vocabulary.
lab::Document induction_over(const Words& tokens) {
    lab::Document document = preset_document("induction");
    const auto ids = lab::token_ids(tokens, document.vocabulary);
    EXPECT_TRUE(ids);
    document.tokens = tokens;
    const std::vector<float> numbers(ids->begin(), ids->end());
    document.tensors["token_ids"] = lab::Tensor(lab::Shape::vector(static_cast<int>(numbers.size())), numbers);
    return document;
}

class Induction : public testing::TestWithParam<Words> {};

TEST_P(Induction, TheFirstHeadReadsThePreviousToken) {
    const lab::Trace trace = run(induction_over(GetParam()));
    for (int i = 1; i < static_cast<int>(GetParam().size()); ++i) {
        EXPECT_GE(at(trace, "blocks.0.attention_weights", {0, i, i - 1}), 0.9f) << i;
    }
}

TEST_P(Induction, TheSecondHeadReadsWhatFollowedTheTokenBeforeAndPredictsIt) {
    const Words& tokens = GetParam();
    const lab::Document document = induction_over(tokens);
    const lab::Trace trace = run(document);
    int n_repeated = 0;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const auto earlier = std::find(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens[i]);
        if (earlier == tokens.begin() + static_cast<std::ptrdiff_t>(i)) continue;
        const auto follows = earlier + 1;
        const int query = static_cast<int>(i), key = static_cast<int>(follows - tokens.begin());
        EXPECT_GE(at(trace, "blocks.1.attention_weights", {0, query, key}), 0.9f) << i;
        const int predicted = greatest_of_row(trace, "next_token_probabilities", query);
        EXPECT_EQ(document.vocabulary[static_cast<std::size_t>(predicted)], *follows) << i;
        EXPECT_GE(at(trace, "next_token_probabilities", {0, query, predicted}), 0.9f) << i;
        ++n_repeated;
    }
    EXPECT_GE(n_repeated, 2);
}

INSTANTIATE_TEST_SUITE_P(Sentences, Induction,
                         testing::Values(Words{"A", "B", "C", "A", "B"}, Words{"C", "A", "B", "C", "A", "B"},
                                         Words{"B", "A", "C", "B", "A"}, Words{"C", "B", "C", "B"}));

TEST(PresetCircuits, TheInductionPresetIsTheFirstOfTheseSentences) {
    EXPECT_EQ(preset_document("induction").tokens, (Words{"A", "B", "C", "A", "B"}));
}

} // namespace
