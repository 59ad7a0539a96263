#include "app/session/narration.h"

#include <algorithm>
#include <limits>

#include "app/session/narration_text.h"
#include "tests/session/support.h"

namespace lab::test {

namespace {

Words answers_about(const Lab& lab, const std::string& tensor, int query) {
    const int node = lab.program().find(tensor);
    EXPECT_GE(node, 0) << tensor;
    return answers(lab, lab.program().node(node).stage, query);
}

::testing::AssertionResult says(const Words& lines, const std::string& line) {
    if (std::find(lines.begin(), lines.end(), line) != lines.end()) return ::testing::AssertionSuccess();
    std::string all;
    for (const std::string& each : lines) all += "\n  " + each;
    return ::testing::AssertionFailure() << "not said: " << line << "\nbut:" << all;
}

Lab lab_with_settings(const std::string& preset, const AttentionSettings& settings) {
    Lab lab = lab_with(preset);
    perform(lab, SetAttention{settings});
    return lab;
}

// What journey's scores are, masked: those of all queries are 0 but for the mask.
Lab lab_with_masked_scores(const Floats& scores) {
    AttentionSettings own;
    own.mask = MaskKind::tensor;
    own.scale = 1.0f;
    Lab lab = lab_with_settings("trainable", own);
    perform(lab, FillTensor{"W_query", {"zeros", 0, 0, {}, {}}});
    perform(lab, SetCells{"mask", {0, 1, 0}, {scores}});
    return lab;
}

TEST(Narration, ScoresOfTheTrainableExample) {
    const Words lines = answers_about(Lab(), "attention_scores", 1);
    EXPECT_EQ(lines, (Words{"Highest: journey 1.8524, itself.", "Lowest: one 0.5577."}));
}

TEST(Narration, NamesAllThatTie) {
    const Lab lab = lab_with_masked_scores({3, 3, 3.00001f, 1, 1, 3});
    const Words lines = answers_about(lab, "masked_scores", 1);
    EXPECT_TRUE(says(lines, "Highest: Your, journey, starts and 1 more, 3.0000 each."));
    EXPECT_TRUE(says(lines, "Lowest: with and one, 1.0000 each."));
    EXPECT_TRUE(says(answers_about(lab, "masked_scores", 0), "All equal: 0.0000."));
}

// 0.19318 and 0.19321, of which both are written 0.1932.
TEST(Narration, NumbersThatReadAlikeButAreNotTheSameDoNotTie) {
    const Lab lab = lab_with_masked_scores({0.19318f, 0.1f, 0.19321f, 0.2f, 0.30002f, 0.30004f});
    const Words lines = answers_about(lab, "masked_scores", 1);
    EXPECT_TRUE(says(lines, "Highest: step 0.3000."));
    EXPECT_TRUE(says(lines, "Lowest: journey 0.1000, itself."));
}

// Two figures are written of them, in which they are alike.
TEST(Narration, SmallNumbersThatAreNotTheSameDoNotTie) {
    const Lab lab = lab_with_masked_scores({0.00251f, 0.00254f, 0.00246f, 0.00246f, 0.00249f, 0.00252f});
    const Words lines = answers_about(lab, "masked_scores", 1);
    EXPECT_TRUE(says(lines, "Highest: journey 0.0025, itself."));
    EXPECT_TRUE(says(lines, "Lowest: starts and with, 0.0025 each."));
}

TEST(Narration, ThePrintedExtremesOfTheSentence) {
    const Words lines = answers_about(lab_with("sentence"), "attention_scores", 2);
    EXPECT_TRUE(says(lines, "Highest: the 1.0740."));
    EXPECT_TRUE(says(lines, "Lowest: sun −2.5037."));
}

TEST(Narration, RowsSumToOneAndColumnsDoNot) {
    const Words lines = answers_about(Lab(), "attention_weights", 1);
    EXPECT_TRUE(says(lines, "Highest: journey 0.2264, itself."));
    EXPECT_TRUE(says(lines, "Lowest: one 0.0906."));
    EXPECT_TRUE(says(
        lines, "Every row sums to 1. The columns do not: Your 0.93, journey 1.27, starts 1.24, with 0.84, one 0.65, "
               "step 1.08."));
}

// What is told is told anew in every frame of a drag.
TEST(Narration, LargeMatricesAreNotReadWhole) {
    const auto tells_sums = [](int n_tokens) {
        std::string rows, tensors;
        for (int token = 0; token < n_tokens; ++token) rows += (token == 0 ? "[" : ", [") + std::to_string(token) + "]";
        for (const char* name : {"queries", "keys", "values"})
            tensors += (tensors.empty() ? "\"" : ", \"") + std::string(name) + "\": [" + rows + "]";
        Lab lab;
        EXPECT_TRUE(
            lab.open_text(R"({"format": "attention-lab/session", "version": 1, "tensors": {)" + tensors + "}}"));
        lab.refresh();
        const Words lines = answers_about(lab, "attention_weights", 1);
        return std::any_of(lines.begin(), lines.end(),
                           [](const std::string& line) { return line.starts_with("Every row sums to 1."); });
    };
    EXPECT_TRUE(tells_sums(128));
    EXPECT_FALSE(tells_sums(129));
}

TEST(Narration, ParametersAreCounted) {
    EXPECT_TRUE(says(answers_about(Lab(), "queries", 1),
                     "18 numbers are learned: 3 × 2 in W_query, 3 × 2 in W_key, 3 × 2 in W_value."));
    EXPECT_TRUE(says(answers_about(Lab(), "queries", 1), "queries[journey] = [0.4306, 1.4551]"));
    EXPECT_TRUE(says(answers_about(lab_with("simplified-softmax"), "inputs", 0),
                     "Nothing is learned here: the inputs themselves serve as queries, keys and values."));
}

TEST(Narration, ARepeatedWordIsToldWithItsIdAndWhichItIs) {
    Lab lab = lab_with("sentence");
    perform(lab, RenameToken{0, "east"});
    const auto& tokens = lab.document().tokens;
    const auto last = static_cast<int>(std::find(tokens.begin() + 1, tokens.end(), "east") - tokens.begin());
    const Words lines = answers_about(lab, "inputs", last);
    EXPECT_TRUE(says(lines, "east₂ has id 1 in the vocabulary of 6 words, counting from 0."));
}

TEST(Narration, WhatAContextVectorIsMadeOf) {
    const Words lines = answers_about(Lab(), "context_vectors", 1);
    EXPECT_TRUE(says(lines, "context_vectors[journey] = [0.3061, 0.8210]"));
    EXPECT_TRUE(says(lines, "Made mostly of journey (22.6%), starts (22.0%) and step (18.2%)."));
    EXPECT_TRUE(says(answers_about(Lab(), "weighted_values", 1),
                     "Most comes from journey: 0.2264 · [0.3951, 1.0037] = [0.0895, 0.2272]"));
}

TEST(Narration, TheScaleAndWhatItDoes) {
    const Words lines = answers_about(Lab(), "scaled_scores", 1);
    EXPECT_NE(lines.front().find("√2 ≈ 1.41"), std::string::npos);
    EXPECT_TRUE(says(lines, "The score of journey for journey goes from 1.8524 to 1.3098."));
}

TEST(Narration, AMaskLeavesKeysOut) {
    AttentionSettings causal;
    causal.mask = MaskKind::causal;
    const Lab lab = lab_with_settings("trainable", causal);
    EXPECT_TRUE(says(answers_about(lab, "masked_scores", 1), "journey may attend to 2 of 6 keys: Your and journey."));
    EXPECT_TRUE(says(answers_about(lab, "attention_weights", 0), "Only Your 1.0000, itself."));
    EXPECT_TRUE(says(answers_about(lab, "attention_weights", 1), "Lowest: Your 0.3986."));
    causal.round_weights = 2;
    const Lab rounded = lab_with_settings("trainable", causal);
    EXPECT_TRUE(says(answers_about(rounded, "rounded_weights", 1), "Lowest: Your 0.4000."));
}

TEST(Narration, RoundingIsHeldAgainstOne) {
    AttentionSettings rounded;
    rounded.round_weights = 1;
    const Lab lab = lab_with_settings("trainable", rounded);
    float sum = 0;
    for (int j = 0; j < 6; ++j) sum += computed(lab, "rounded_weights", {0, 4, j});
    ASSERT_NEAR(sum, 1, 1e-5);
    EXPECT_TRUE(says(answers_about(lab, "rounded_weights", 4),
                     "The rounded weights of one sum to 1.0000, since 1 of them was rounded the other way."));
    const auto say = [](const std::vector<float>& before, const std::vector<float>& after) {
        return rounded_sum_sentence(rounded_row(before, after, 1), "one");
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(say({0.75f, 0.25f, 0}, {0.7f, 0.3f, 0}),
              "The rounded weights of one sum to 1.0000, since 2 of them were rounded the other way.");
    EXPECT_EQ(say({0.9f, 0.1f}, {0.9f, 0.1f}), "The rounded weights of one sum to 1.0000: rounding did no harm here.");
    EXPECT_EQ(say({0, 0}, {0, 0}), "The rounded weights of one sum to 0.0000: rounding did no harm here.")
        << "every key is masked";
    EXPECT_EQ(say({1.5f, 0.44f}, {1.5f, 0.4f}), "The rounded weights of one sum to 1.9000: rounding lost 0.0400.");
    EXPECT_EQ(say({1.5f, 0.46f}, {1.5f, 0.5f}), "The rounded weights of one sum to 2.0000: rounding added 0.0400.");
    EXPECT_EQ(say({nan, nan}, {nan, nan}), "The rounded weights of one sum to not a number.");
}

// Nothing overflowed.
TEST(Narration, ANumberThatIsGivenAsNoneIsToldAsTheCause) {
    Lab lab;
    ASSERT_TRUE(lab.open_preset("trainable"));
    ASSERT_TRUE(lab.perform(SetCell{"inputs", {0, 1, 2}, std::numeric_limits<float>::infinity()}).has_value());
    lab.refresh();
    EXPECT_TRUE(says(answers_about(lab, "attention_weights", 1),
                     "For journey the weights are not numbers: inputs[journey, d₃], which is given, is ∞."));
}

// Values are weighed by what scores make: they are not the cause.
TEST(Narration, OfAnOverflowNoNumberIsBlamedThatScoresDoNotRead) {
    Lab lab;
    ASSERT_TRUE(lab.open_preset("trainable"));
    ASSERT_TRUE(lab.perform(SetCell{"W_value", {0, 0, 0}, std::numeric_limits<float>::infinity()}).has_value());
    ASSERT_TRUE(lab.perform(SetCell{"inputs", {0, 1, 2}, 1e30f}).has_value());
    lab.refresh();
    EXPECT_TRUE(says(answers_about(lab, "attention_weights", 1), notice_sentence(Notice::overflow, "journey")));
}

// Read by the weights beside the scores; a mask's −∞ only forbids.
TEST(Narration, OfAnOverflowWhatIsAddedToScoresMayForbid) {
    const float infinity = std::numeric_limits<float>::infinity();
    Lab lab;
    Document document = opened_preset("trainable");
    document.attention.mask = MaskKind::tensor;
    document.attention.sink = true;
    document.tensors["sink"] = Tensor(Shape::vector(1), 0.0f);
    std::vector<float> mask(36, 0.0f);
    mask[8] = -infinity;
    document.tensors["mask"] = Tensor(Shape::matrix(6, 6), mask);
    document.tensors["inputs"] = document.tensors.at("inputs").with({0, 1, 2}, 1e30f);
    const auto told = [&] {
        EXPECT_TRUE(lab.perform(OpenDocument{document}).has_value());
        lab.refresh();
        return answers_about(lab, "attention_weights", 1);
    };
    EXPECT_TRUE(says(told(), notice_sentence(Notice::overflow, "journey")));
    document.tensors["sink"] = Tensor(Shape::vector(1), std::numeric_limits<float>::quiet_NaN());
    const Words lines = told();
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("which is given, is not a number") != std::string::npos;
    })) << lines.front();
}

TEST(Narration, NoticesInPlainWords) {
    AttentionSettings naive;
    naive.normalization = Normalization::naive_softmax;
    naive.scale = 1000.0f;
    const Words lines = answers_about(lab_with_settings("trainable", naive), "attention_weights", 1);
    EXPECT_TRUE(says(lines, notice_sentence(Notice::overflow, "journey")));
    EXPECT_TRUE(says(lines, "So it is in 5 other rows."));
    for (const std::string& line : lines) EXPECT_EQ(line.find("not a number,"), std::string::npos) << line;
    AttentionSettings sharp;
    sharp.scale = 1000.0f;
    EXPECT_TRUE(says(answers_about(lab_with_settings("trainable", sharp), "attention_weights", 1),
                     notice_sentence(Notice::saturated, "journey")));
}

TEST(Narration, ARowWithoutKeys) {
    AttentionSettings own;
    own.mask = MaskKind::tensor;
    Lab lab = lab_with_settings("trainable", own);
    const float forbid = -std::numeric_limits<float>::infinity();
    perform(lab, SetCells{"mask", {0, 3, 0}, {Floats(6, forbid)}});
    EXPECT_TRUE(says(answers_about(lab, "masked_scores", 3), "with may attend to none of 6 keys."));
    EXPECT_TRUE(says(answers_about(lab, "attention_weights", 3), notice_sentence(Notice::all_keys_masked, "with")));
    EXPECT_TRUE(says(answers_about(lab, "attention_weights", 0),
                     "Elsewhere: " + notice_sentence(Notice::all_keys_masked, "with")));
    EXPECT_EQ(answers_about(lab, "context_vectors", 3), (Words{"context_vectors[with] = [0.0000, 0.0000]"}));
}

TEST(Narration, OutOfRangeIsSilent) {
    const Lab lab;
    EXPECT_TRUE(answers(lab, -1, 0).empty());
    EXPECT_TRUE(answers(lab, 99, 0).empty());
    EXPECT_TRUE(answers(lab, 0, 6).empty());
}

TEST(Narration, EveryStageOfEveryPresetSaysSomething) {
    for (const PresetInfo& preset : presets()) {
        const Lab lab = lab_with(preset.name);
        for (int stage = 0; stage < static_cast<int>(lab.program().stages.size()); ++stage) {
            EXPECT_FALSE(answers(lab, stage, 0).empty()) << preset.name << " " << stage;
        }
    }
}

TEST(Narration, ASinkTakesWhatTheRowLacks) {
    AttentionSettings with_sink;
    with_sink.sink = true;
    const Lab lab = lab_with_settings("trainable", with_sink);
    double sum = 0;
    for (int j = 0; j < 6; ++j) sum += static_cast<double>(computed(lab, "attention_weights", {0, 1, j}));
    ASSERT_LT(sum, 0.99);
    const Words lines = answers_about(lab, "attention_weights", 1);
    EXPECT_TRUE(says(lines, "The sink takes " + number_text(1 - sum) +
                                " of the attention of journey, so its weights sum to " + number_text(sum) + "."));
    for (const std::string& line : lines) EXPECT_EQ(line.find("rows sum to 1"), std::string::npos) << line;
}

TEST(Narration, DroppedWeightsWereNotRounded) {
    AttentionSettings both;
    both.round_weights = 2;
    both.dropout = 0.5f;
    const Lab lab = lab_with_settings("trainable", both);
    int n_weights = 0, n_dropped = 0;
    double sum = 0;
    for (int j = 0; j < 6; ++j) {
        const float before = computed(lab, "rounded_weights", {0, 3, j});
        const float after = computed(lab, "dropped_weights", {0, 3, j});
        n_weights += before != 0;
        n_dropped += before != 0 && after == 0;
        sum += static_cast<double>(after);
    }
    ASSERT_GT(n_dropped, 1);
    ASSERT_LT(n_dropped, n_weights);
    const Words lines = answers_about(lab, "dropped_weights", 3);
    EXPECT_TRUE(
        says(lines, std::to_string(n_dropped) + " of " + std::to_string(n_weights) +
                        " weights of with were dropped and the others divided by 1 − 0.5, so that they sum to " +
                        number_text(sum) + "."));
    for (const std::string& line : lines) EXPECT_EQ(line.find("ounded"), std::string::npos) << line;
    both.round_weights.reset();
    const Words alone = answers_about(lab_with_settings("trainable", both), "dropped_weights", 3);
    EXPECT_TRUE(std::any_of(alone.begin(), alone.end(),
                            [](const std::string& line) { return line.find("dropped") != std::string::npos; }));
}

TEST(Narration, WhatBecomesOfAllAndOfNone) {
    EXPECT_EQ(dropped_sentence(dropped_row({0.5f, 0.5f}, {0, 0}), 0.5, "one"), "All 2 weights of one were dropped.");
    EXPECT_EQ(dropped_sentence(dropped_row({0.5f, 0.5f}, {1, 1}), 0.5, "one"),
              "No weight of one was dropped; all were divided by 1 − 0.5, so that they sum to 2.0000.");
    EXPECT_EQ(dropped_sentence(dropped_row({0.5f, 0.5f, 0}, {0, 0.625f, 0}), 0.2, "one"),
              "1 of 2 weights of one was dropped and the others divided by 1 − 0.2, so that they sum to 0.6250.");
}

TEST(Narration, TheJacobianOfSoftmaxHoldsSlopes) {
    Lab lab;
    perform(lab, SetGradient{"attention_weights[1,2]"});
    const Words lines = answers_about(lab, "softmax_jacobian", 1);
    for (const std::string& line : lines) EXPECT_EQ(line.find("Most comes from"), std::string::npos) << line;
    const auto slope = [&](int j, int k) {
        return number_text(static_cast<double>(computed(lab, "softmax_jacobian", {j, 1, k})));
    };
    EXPECT_TRUE(says(lines, "The weight of journey with its own score: 0.2264 · (1 − 0.2264) = " + slope(1, 1) + "."));
    EXPECT_TRUE(says(lines, "With the score of one: 0.2264 · (0 − 0.0906) = " + slope(1, 4) + "."));
    AttentionSettings sparse = lab.document().attention;
    sparse.normalization = Normalization::sparsemax;
    perform(lab, SetAttention{sparse});
    for (const std::string& line : answers_about(lab, "softmax_jacobian", 1))
        EXPECT_EQ(line.find("w_j"), std::string::npos) << "true of softmax alone: " << line;
}

} // namespace

} // namespace lab::test
